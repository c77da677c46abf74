// The document as a tree: its parts in the order of the file, each with its records and fields.

import { el } from "../dom";
import type { Part, Value } from "../library/types";
import type { Open } from "../open";

/** Records that are listed at once. */
const SOME = 200;

export class TreePanel {
  readonly root = el("div", { className: "tree" });
  #parts = new Map<number, HTMLDetailsElement>();
  #file: Open | null = null;

  constructor(private readonly choose: (start: number, length: number, name: string) => void) {}

  async use(file: Open | null): Promise<void> {
    this.#file = file;
    this.#parts.clear();
    this.root.replaceChildren();
    if (!file?.about.is_read) return;
    const parts = await file.library.call("parts", [file.handle]);
    if (this.#file !== file) return;
    this.root.replaceChildren(...group(parts).map((entry) => this.#entry(entry)));
  }

  #entry(entry: Group): HTMLElement {
    if (entry.parts.length === 1 && entry.name === (entry.parts[0]!.path || "(file)")) return this.#part(entry.parts[0]!);
    const made = el("details", {}, el("summary", { textContent: `${entry.name} (${entry.parts.length})` }));
    let isFilled = false;
    made.ontoggle = () => {
      if (isFilled) return;
      isFilled = true;
      made.append(...entry.parts.map((part) => this.#part(part)));
    };
    for (const part of entry.parts) this.#parts.set(part.number, made);
    return made;
  }

  #part(part: Part): HTMLElement {
    const count = part.records > 1 ? ` × ${part.records}` : "";
    const summary = el("summary", { textContent: `${part.path || "(file)"}${count}` });
    const made = el("details", { "data-part": String(part.number) }, summary);
    summary.onclick = () => this.choose(part.start, part.len, part.path);
    let next = -1;
    made.ontoggle = async () => {
      if (next >= 0) return;
      next = 0;
      next = await this.#fill(made, part, 0);
    };
    this.#parts.set(part.number, made);
    return made;
  }

  async #fill(into: HTMLElement, part: Part, first: number): Promise<number> {
    const file = this.#file;
    if (!file) return first;
    const values = await file.library.call("values", [file.handle, part.number, first]);
    const some = values.slice(0, SOME * 8);
    into.append(...some.map((value) => this.#value(value)));
    return first + SOME;
  }

  #value(value: Value): HTMLElement {
    const shown = JSON.stringify(value.decoded ?? value.value);
    const made = el(
      "button",
      { type: "button", className: "value", "data-offset": String(value.offset) },
      el("span", { className: "path", textContent: value.path }),
      el("span", { className: "is", textContent: shown.length > 60 ? `${shown.slice(0, 59)}…` : shown }),
    );
    made.onclick = () => this.choose(value.offset, value.length, `${value.path}: ${value.type} = ${shown}`);
    return made;
  }

  /** Opens the part that a byte is in. */
  async reveal(offset: number): Promise<void> {
    const file = this.#file;
    if (!file?.about.is_read) return;
    const found = await file.library.call("valueAt", [file.handle, offset]);
    const holder = found && this.#parts.get(found.part);
    if (!found || !holder) return;
    holder.open = true;
    const own = holder.dataset["part"] === String(found.part) ? holder : holder.querySelector(`[data-part="${found.part}"]`);
    if (own instanceof HTMLDetailsElement) own.open = true;
    (own ?? holder).scrollIntoView({ block: "nearest" });
  }
}

interface Group {
  name: string;
  parts: Part[];
}

/** Parts that follow each other and begin with the same word. */
export function group(parts: Part[]): Group[] {
  const groups: Group[] = [];
  for (const part of parts) {
    const name = /^[^.[]*/.exec(part.path)?.[0] || "(file)";
    const last = groups.at(-1);
    if (last?.name === name) last.parts.push(part);
    else groups.push({ name, parts: [part] });
  }
  for (const one of groups) if (one.parts.length === 1) one.name = one.parts[0]!.path || "(file)";
  return groups;
}
