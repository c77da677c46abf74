// What a file holds, as `galvani info` tells it.

import { el } from "../dom";
import type { Open } from "../open";

/** Rows of a table that are shown. */
const SOME = 200;

export class InfoPanel {
  readonly root = el("div", { className: "info" });

  async use(file: Open | null): Promise<void> {
    this.root.replaceChildren();
    if (!file?.about.is_read) return;
    const info = await file.library.call("info", [file.handle]);
    const { path, format, readings, diagnostics, ...rest } = info;
    void path, format, diagnostics;
    this.root.replaceChildren(
      ...readingsOf(readings),
      ...Object.entries(rest).map(([name, value]) => section(name.replaceAll("_", " "), value)),
    );
  }
}

function readingsOf(readings: unknown): HTMLElement[] {
  const all = (Array.isArray(readings) ? readings : []) as { topic: string; taken: string; why: string }[];
  const row = ({ topic, taken, why }: (typeof all)[number]) =>
    el("li", {}, el("strong", { textContent: `${topic}: ${taken}` }), ` (${why})`);
  return all.length ? [el("h3", { textContent: "Readings" }), el("ul", {}, ...all.map(row))] : [];
}

function section(name: string, value: unknown): HTMLElement {
  if (Array.isArray(value) && value.some((row) => row !== null && typeof row === "object" && !Array.isArray(row))) {
    return el("details", {}, el("summary", { textContent: `${name} (${value.length})` }), table(value));
  }
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    const rows = Object.entries(value).filter(([, one]) => one !== 0 && one !== null);
    const cells = rows.flatMap(([key, one]) => [
      el("dt", { textContent: key.replaceAll("_", " ") }),
      el("dd", { textContent: shown(one) }),
    ]);
    return el("details", { open: name === "counts" }, el("summary", { textContent: name }), el("dl", {}, ...cells));
  }
  return el("p", {}, el("strong", { textContent: `${name}: ` }), shown(value));
}

function table(rows: Record<string, unknown>[]): HTMLElement {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const head = columns.map((column) => el("th", { scope: "col", textContent: column.replaceAll("_", " ") }));
  const body = rows.slice(0, SOME).map((row) =>
    el("tr", {}, ...columns.map((column) => el("td", { textContent: shown(row[column]) }))),
  );
  const made = el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...body));
  const rest = rows.length - SOME;
  return el("div", { className: "wide", tabIndex: 0 }, made, rest > 0 ? el("p", { textContent: `and ${rest} more` }) : null);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(Math.round(value * 1e4) / 1e4);
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}
