// A dope sheet of the tracks of a clip, and the curves of the one that is chosen.

import { button, el } from "../dom";
import { keysOf, moved, type Key, type Track } from "../edit/steps";
import type { Step } from "../library/types";
import type { Open } from "../open";

export interface Span {
  /** Where the clip begins on the file's timeline, and how long it is. */
  start: number;
  length: number;
  /** How far it has played. */
  time: number;
  /** How long a frame is. */
  frame: number;
}

const WIDTH = 1000;
const ROW = 18;
const CURVE = 160;
const COLORS = ["#e5484d", "#30a46c", "#3b82f6", "#f5a524", "#8e4ec6", "#12a594", "#d6409f"];
/** Tracks that are shown unless somebody searches. */
const SOME = 24;

export class KeysPanel {
  readonly root = el("div", { className: "keys" });
  readonly #search = el("input", { type: "search", placeholder: "Track", "aria-label": "Search tracks" });
  readonly #sheet = el("div", { className: "sheet", tabIndex: 0, "aria-label": "Keys of the clip" });
  readonly #curve = el("div", { className: "curve" });
  readonly #said = el("output", { className: "field", "aria-label": "The key" });
  #file: Open | null = null;
  #tracks: Track[] = [];
  #starts: number[] = [];
  #chosen: Key[] = [];
  #track: Track | null = null;
  #copied: { by: number; track: string; values: number[] }[] = [];

  constructor(
    private readonly span: () => { clip: number } & Span,
    private readonly run: (steps: Step[]) => Promise<boolean>,
    private readonly seek: (time: number) => void,
  ) {
    this.#search.oninput = () => this.draw();
    this.#sheet.onkeydown = (event) => this.#key(event);
    this.root.append(
      el(
        "div",
        { className: "bar" },
        this.#search,
        button("Add", () => void this.#add(), "A key at this moment (Insert)"),
        button("Delete", () => void this.#remove(), "Delete the chosen keys (Delete)"),
        button("Copy", () => this.#copy(), "Copy the chosen keys (Ctrl + C)"),
        button("Paste", () => void this.#paste(), "Paste at this moment (Ctrl + V)"),
      ),
      this.#sheet,
      this.#said,
      this.#curve,
    );
  }

  async use(file: Open | null): Promise<void> {
    this.#file = file;
    this.#chosen = [];
    this.#tracks = [];
    if (file?.about.is_read) {
      const { tracks, starts } = await file.library.call("timeline", [file.handle]);
      if (this.#file !== file) return;
      this.#tracks = tracks;
      this.#starts = starts;
    }
    this.#track = this.#tracks.find(({ name }) => name === this.#track?.name) ?? null;
    this.draw();
  }

  /** The stretch of the file's timeline that the clip plays. */
  #window(): Span {
    const { clip, ...span } = this.span();
    return { ...span, start: this.#starts[clip] ?? this.#starts[0] ?? 0 };
  }

  #shown(): { track: Track; keys: Key[] }[] {
    const { start, length } = this.#window();
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = this.#tracks.map((track) => {
      const all = track.times.map((time, i): Key => ({ track, time, values: track.values[i]! }));
      return { track, keys: all.filter(({ time }) => time >= start && time <= start + length) };
    });
    const found = rows.filter(
      ({ track, keys }) =>
        keys.length > 0 && words.every((word) => `${track.label} ${track.name}`.toLowerCase().includes(word)),
    );
    return found.slice(0, SOME);
  }

  draw(): void {
    const rows = this.#shown();
    if (rows.length === 0) {
      this.#sheet.replaceChildren(el("p", { textContent: "No keys in this clip." }));
      return this.#curve.replaceChildren();
    }
    const { start, length } = this.#window();
    const place = (time: number) => ((time - start) / (length || 1)) * WIDTH;
    this.#sheet.replaceChildren(...rows.map(({ track, keys }) => this.#row(track, keys, place)));
    this.#track ??= rows[0]!.track;
    this.#drawCurve();
  }

  #row(track: Track, keys: Key[], place: (time: number) => number): HTMLElement {
    const name = el("button", { type: "button", className: "name", textContent: track.label, title: track.name });
    name.setAttribute("aria-pressed", String(track === this.#track));
    name.onclick = () => {
      this.#track = track;
      this.draw();
    };
    const line = svg("svg", { viewBox: `-8 0 ${WIDTH + 16} ${ROW}`, preserveAspectRatio: "none", class: "line" });
    for (const key of keys) {
      const isChosen = this.#isChosen(key);
      const mark = svg("rect", { x: place(key.time) - 5, y: 3, width: 10, height: ROW - 6, rx: 3 });
      mark.setAttribute("class", isChosen ? "key chosen" : "key");
      mark.setAttribute("data-time", String(key.time));
      mark.setAttribute("role", "button");
      mark.setAttribute("tabindex", "0");
      mark.setAttribute("aria-label", `Key of ${track.label} at ${key.time}`);
      mark.setAttribute("aria-pressed", String(isChosen));
      mark.addEventListener("pointerdown", (event) => this.#press(event as PointerEvent, key, line));
      mark.addEventListener("keydown", (event) => {
        if ((event as KeyboardEvent).key === "Enter") this.#choose(key, (event as KeyboardEvent).shiftKey);
      });
      line.append(mark);
    }
    return el("div", { className: "row", "data-track": track.name }, name, line);
  }

  #isChosen({ track, time }: Key): boolean {
    return this.#chosen.some((key) => key.track === track && key.time === time);
  }

  #choose(key: Key, isMore: boolean): void {
    if (!isMore) this.#chosen = [key];
    else if (this.#isChosen(key)) this.#chosen = this.#chosen.filter((other) => other.time !== key.time || other.track !== key.track);
    else this.#chosen.push(key);
    this.#track = key.track;
    const parts = key.track.parts.map((part, i) => `${part} ${round(key.values[i] ?? 0)}`);
    this.#said.textContent = `${key.track.label} at ${key.time}: ${parts.join(", ")}`;
    this.seek(key.time - this.#window().start);
    this.draw();
  }

  /** Chooses a key, and moves what is chosen as far as the pointer goes. */
  #press(event: PointerEvent, key: Key, line: Element): void {
    event.preventDefault();
    if (!this.#isChosen(key) || event.shiftKey) this.#choose(key, event.shiftKey);
    const { length, frame } = this.#window();
    const width = line.getBoundingClientRect().width || 1;
    let by = 0;
    const move = ({ clientX }: PointerEvent) => {
      const far = ((clientX - event.clientX) / width) * length;
      by = Math.round(far / frame) * frame;
      this.#said.textContent = `moved by ${round(by)}`;
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      if (by !== 0) void this.#move(by);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }

  #key(event: KeyboardEvent): void {
    const { frame } = this.#window();
    const isControl = event.ctrlKey || event.metaKey;
    const act = {
      Delete: () => this.#remove(),
      Insert: () => this.#add(),
      ArrowLeft: () => this.#move(-frame),
      ArrowRight: () => this.#move(frame),
      ...(isControl ? { c: () => this.#copy(), v: () => this.#paste() } : {}),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    void act();
  }

  async #edit(steps: Step[]): Promise<void> {
    if (steps.length) await this.run(steps);
  }

  get #keys() {
    return keysOf(this.#file?.about.format ?? null);
  }

  async #move(by: number): Promise<void> {
    const chosen = this.#chosen;
    if (!this.#keys || chosen.length === 0) return;
    await this.#edit(moved(this.#keys, chosen, by));
    // Where they went they are still chosen.
    const names = chosen.map(({ track, time }) => ({ name: track.name, time: time + by }));
    this.#chosen = this.#shown()
      .flatMap(({ keys }) => keys)
      .filter(({ track, time }) => names.some((one) => one.name === track.name && Math.abs(one.time - time) < 1e-3));
    this.draw();
  }

  async #add(): Promise<void> {
    const { start, time } = this.#window();
    if (this.#keys && this.#track) await this.#edit(this.#keys.add(this.#track, start + time));
  }

  async #remove(): Promise<void> {
    const keys = this.#keys;
    if (keys) await this.#edit(this.#chosen.flatMap((key) => keys.remove(key)));
  }

  #copy(): void {
    const first = Math.min(...this.#chosen.map(({ time }) => time));
    this.#copied = this.#chosen.map(({ track, time, values }) => ({ by: time - first, track: track.name, values }));
    this.#said.textContent = `${this.#copied.length} copied`;
  }

  async #paste(): Promise<void> {
    const keys = this.#keys;
    const { start, time } = this.#window();
    if (!keys) return;
    const steps = this.#copied.flatMap(({ by, track, values }) => {
      const own = this.#tracks.find(({ name }) => name === track);
      return own ? keys.add(own, start + time + by, values) : [];
    });
    await this.#edit(steps);
  }

  /** Curves through the keys; one that is dragged up or down gets another value. */
  #drawCurve(): void {
    const track = this.#track;
    const keys = track ? (this.#shown().find((row) => row.track === track)?.keys ?? []) : [];
    if (!track || keys.length === 0 || track.parts.length === 0) return this.#curve.replaceChildren();
    const { start, length } = this.#window();
    const all = keys.flatMap(({ values }) => values);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const reach = high - low || 1;
    const x = (time: number) => ((time - start) / (length || 1)) * WIDTH;
    const y = (value: number) => CURVE - 10 - ((value - low) / reach) * (CURVE - 20);
    const picture = svg("svg", { viewBox: `-8 0 ${WIDTH + 16} ${CURVE}`, preserveAspectRatio: "none", class: "curves" });
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", `Curves of ${track.label}`);
    track.parts.forEach((part, i) => {
      const points = keys.map(({ time, values }, at) => {
        const before = track.interpolation === "step" && at > 0 ? `${x(time)},${y(keys[at - 1]!.values[i]!)} ` : "";
        return `${before}${x(time)},${y(values[i] ?? 0)}`;
      });
      const color = COLORS[i % COLORS.length]!;
      picture.append(svg("polyline", { points: points.join(" "), stroke: color, fill: "none", "stroke-width": 2 }));
      for (const key of keys) {
        const dot = svg("circle", { cx: x(key.time), cy: y(key.values[i] ?? 0), r: 5, fill: color });
        dot.addEventListener("pointerdown", (event) => this.#pull(event as PointerEvent, key, i, reach, picture));
        const title = svg("title", {});
        title.textContent = `${part} ${round(key.values[i] ?? 0)}`;
        dot.append(title);
        picture.append(dot);
      }
    });
    const legend = track.parts.map((part, i) => {
      const made = el("span", { textContent: part });
      made.style.borderColor = COLORS[i % COLORS.length]!;
      return made;
    });
    this.#curve.replaceChildren(
      el("p", { className: "legend" }, `${track.label}, ${track.interpolation}: `, ...legend),
      picture,
    );
  }

  #pull(event: PointerEvent, key: Key, part: number, reach: number, picture: Element): void {
    event.preventDefault();
    this.#choose(key, false);
    const height = picture.getBoundingClientRect().height || 1;
    let value = key.values[part]!;
    const move = ({ clientY }: PointerEvent) => {
      value = key.values[part]! - ((clientY - event.clientY) / height) * (CURVE / (CURVE - 20)) * reach;
      this.#said.textContent = `${key.track.parts[part]} ${round(value)}`;
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      if (value === key.values[part]) return;
      const values = key.values.map((one, i) => (i === part ? value : one));
      if (this.#keys) void this.#edit(this.#keys.set(key, values));
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
