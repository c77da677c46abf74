// The clips of a model, and what else it can show: states, looks, meshes, cameras.

import { button, choice, el, toggle } from "../dom";
import type { Clip } from "../library/types";
import type { Model } from "../view/model";

/** What people call a clip. */
export function nameOf({ name }: Clip, index: number): string {
  return name || `#${index}`;
}

/** Clips with their lengths; those that begin again say so. */
export function clipList(clips: Clip[], shown: (length: number) => string, choose: (index: number) => void): HTMLElement {
  const rows = clips.map((clip, i) => {
    const made = el(
      "button",
      { type: "button", "aria-pressed": "false", title: clip.looping ? "loops" : "plays once" },
      el("span", { textContent: nameOf(clip, i) }),
      el("span", { className: "length", textContent: `${shown(clip.length)}${clip.looping ? " ↻" : ""}` }),
    );
    made.onclick = () => choose(i);
    return el("li", {}, made);
  });
  return el("section", { "aria-label": "Clips" }, el("h2", { textContent: "Clips" }), el("ul", {}, ...rows));
}

/** What a model can wear, and where it can be looked at from. */
export function wardrobe(model: Model, lookThrough: (node: number) => void, changed: () => void): HTMLElement[] {
  const { variants, looks, nodes, meshes } = model.scene;
  const states = ["as it is", ...variants.map(({ name, level }) => `${name || "intact"}, level ${level}`)];
  const others = ["its own", ...looks.map(({ name }) => name)];
  const cameras = nodes.flatMap(({ camera, name }, node) => (camera === null ? [] : [{ name, node }]));
  const shown = meshes.length > 1 ? model.meshes : [];
  return [
    ...(states.length > 1 ? [choice("State ", states, 0, (at) => (model.wear(at ? at - 1 : null), changed()))] : []),
    ...(others.length > 1 ? [choice("Look ", others, 0, (at) => (model.look(at ? at - 1 : null), changed()))] : []),
    ...cameras.map(({ name, node }) => button(`Camera ${name}`, () => lookThrough(node))),
    ...(shown.length > 1 ? [meshList(model, shown, changed)] : []),
  ];
}

function meshList(model: Model, meshes: number[], changed: () => void): HTMLElement {
  const switches = meshes.map((mesh) => {
    const name = model.scene.meshes[mesh]!.name || `mesh ${mesh}`;
    return el("li", {}, toggle(name, true, (isOn) => (model.hide(mesh, !isOn), changed())));
  });
  return el("details", {}, el("summary", { textContent: "Meshes" }), el("ul", {}, ...switches));
}
