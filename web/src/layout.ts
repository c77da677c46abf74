// The page's frame: where everything has its place.

import { button, choice, el, toggle } from "./dom";
import type { Mode } from "./view/material";
import type { Thing } from "./view/things";

export interface Parts {
  root: HTMLElement;
  main: HTMLElement;
  canvas: HTMLCanvasElement;
  names: HTMLElement;
  /** How much is drawn. */
  count: HTMLElement;
  tools: HTMLElement;
  start: HTMLElement;
  picture: HTMLElement;
  left: HTMLElement;
  right: HTMLElement;
  clips: HTMLElement;
  wear: HTMLElement;
  name: HTMLElement;
  play: HTMLButtonElement;
  scrubber: HTMLInputElement;
  time: HTMLOutputElement;
  speed: HTMLSelectElement;
  loop: HTMLInputElement;
  over: HTMLSelectElement;
  undo: HTMLButtonElement;
  redo: HTMLButtonElement;
  save: HTMLButtonElement;
  status: HTMLElement;
}

export interface Acts {
  openFiles: () => void;
  openFolder: () => void;
  openUrl: () => void;
  undo: () => void;
  redo: () => void;
  save: () => void;
  saveGlb: () => void;
  savePicture: () => void;
  film: () => void;
  copyLink: () => void;
  help: () => void;
  theme: () => void;
  mode: (mode: Mode) => void;
  toggle: (what: Toggle, isOn: boolean) => void;
  fit: () => void;
  reading: (reading: string) => void;
  play: () => void;
  seek: (time: number) => void;
  step: (direction: 1 | -1) => void;
  speed: (speed: number) => void;
  loop: (isOn: boolean) => void;
  over: (index: number) => void;
  weight: (weight: number) => void;
}

export type Toggle = "skeleton" | "names" | "bounds" | "grid" | "axes" | "flat" | "onion" | "beside" | Thing;

export const MODES: Mode[] = ["textured", "shaded", "wireframe", "normals"];
const TOGGLES: [Toggle, string][] = [
  ["skeleton", "Skeleton"],
  ["names", "Names"],
  ["bounds", "Bounds"],
  ["grid", "Grid"],
  ["axes", "Axes"],
  ["flat", "Orthographic"],
  ["onion", "Onion skin"],
  ["beside", "glTF beside"],
  ["attachments", "Attachments"],
  ["lights", "Lights"],
  ["cameras", "Cameras"],
  ["collision", "Collision"],
];
export const READINGS = ["auto", "observed", "documented"];

export function layout(acts: Acts, speeds: number[]): Parts {
  const play = button("▶", acts.play, "Play or pause (Space)");
  play.setAttribute("aria-label", "Play");
  const scrubber = el("input", { type: "range", min: "0", max: "0", step: "any", "aria-label": "Time" });
  scrubber.oninput = () => acts.seek(Number(scrubber.value));
  const time = el("output", { "aria-label": "Time" });
  const speed = choice("Speed ", speeds.map((one) => `${one}×`), speeds.indexOf(1), (at) => acts.speed(speeds[at]!));
  const loop = toggle("Loop", true, acts.loop);
  const over = choice("Blend ", ["none"], 0, (at) => acts.over(at - 1));
  const weight = el("input", { type: "range", min: "0", max: "1", step: "any", value: "0.5", className: "weight", "aria-label": "Weight of the blend" });
  weight.oninput = () => acts.weight(Number(weight.value));
  const undo = button("Undo", acts.undo);
  const redo = button("Redo", acts.redo);
  const save = button("Save", acts.save);
  const [name, names, clips, wear, count] = ["name", "names", "clips", "wear", "count"].map((className) =>
    el("div", { className }),
  );
  const canvas = el("canvas", { tabIndex: 0, "aria-label": "The model" });
  canvas.setAttribute("role", "img");
  const start = el("div", { className: "start" });
  const picture = el("div", { className: "picture", hidden: true });
  const tools = el(
    "div",
    { className: "tools", hidden: true },
    choice("Show ", MODES, 0, (at) => acts.mode(MODES[at]!)),
    el(
      "details",
      { className: "overlays" },
      el("summary", { textContent: "Overlays" }),
      el(
        "div",
        {},
        ...TOGGLES.map(([what, label]) => {
          const made = toggle(label, what === "grid", (isOn) => acts.toggle(what, isOn));
          made.dataset["toggle"] = what;
          return made;
        }),
      ),
    ),
    button("Fit", acts.fit, "See all of it (F)"),
    choice("Reading ", READINGS, 0, (at) => acts.reading(READINGS[at]!)),
  );
  const main = el("main", { "aria-label": "Picture" }, canvas, names!, count!, picture, tools, start);
  const left = el("aside", { className: "left", "aria-label": "Files and clips" });
  const right = el("aside", { className: "right", "aria-label": "What it is" });
  const status = el("div", { className: "status", hidden: true });
  status.setAttribute("role", "status");
  const header = el(
    "header",
    {},
    el("h1", { textContent: "Galvani" }),
    button("Open", acts.openFiles, "Open files (O)"),
    button("Folder", acts.openFolder),
    button("URL", acts.openUrl),
    name!,
    undo,
    redo,
    save,
    button("glTF", acts.saveGlb, "Save as .glb"),
    button("PNG", acts.savePicture, "Save the picture"),
    button("Film", acts.film, "Save the clip as a picture that moves"),
    button("Link", acts.copyLink, "Copy a link to this moment"),
    button("◐", acts.theme, "Light or dark"),
    button("?", acts.help, "Keys (?)"),
  );
  const transport = el(
    "section",
    { className: "play", "aria-label": "Player" },
    play,
    button("‹", () => acts.step(-1), "Frame back (,)"),
    button("›", () => acts.step(1), "Frame forward (.)"),
    scrubber,
    time,
    speed,
    loop,
    over,
    weight,
  );
  left.append(clips!, wear!);
  const root = el("div", { id: "page" }, header, left, main, right, transport);
  document.body.append(root, status);
  return {
    root,
    main,
    canvas,
    names: names!,
    count: count!,
    tools,
    start,
    picture,
    left,
    right,
    clips: clips!,
    wear: wear!,
    name: name!,
    play,
    scrubber,
    time,
    speed: speed.querySelector("select")!,
    loop: loop.querySelector("input")!,
    over: over.querySelector("select")!,
    undo,
    redo,
    save,
    status,
  };
}
