// Fields of forms that are made from declarations: of operations, and of how a model may be shown.

import { el } from "../dom";
import type { Argument } from "../library/types";

export type Field = HTMLInputElement | HTMLSelectElement;

/** A field for an argument; `names` are those of the things that it may name. */
export function fieldOf({ name, kind }: Argument, names: Record<string, string[]>): Field {
  if (kind.is === "word") {
    return el("select", { name }, ...kind.words.map((word) => el("option", { textContent: word })));
  }
  if (kind.is === "file") return el("input", { name, type: "file", required: true });
  if (kind.is === "number") {
    const made = el("input", { name, type: "number", step: String(kind.step), required: true });
    if (kind.least !== undefined) made.min = String(kind.least);
    if (kind.most !== undefined) made.max = String(kind.most);
    return made;
  }
  const made = el("input", { name, required: true, autocomplete: "off" });
  const known = kind.is === "thing" ? (names[kind.thing] ?? []) : kind.is === "number or color" ? numbers(kind) : [];
  if (known.length) {
    const id = `names-${name}`;
    document.getElementById(id)?.remove();
    document.body.append(el("datalist", { id }, ...known.map((value) => el("option", { value }))));
    made.setAttribute("list", id);
  }
  return made;
}

function numbers({ least, most }: { least: number; most: number }): string[] {
  return Array.from({ length: most - least + 1 }, (_, i) => String(least + i));
}

/** A field with its name and what it is for. */
export function labelled({ name, help, wanted }: Argument, field: Field): HTMLElement {
  return el("label", {}, el("span", { textContent: name }), field, el("small", { textContent: wanted ? `${help}: ${wanted}` : help }));
}
