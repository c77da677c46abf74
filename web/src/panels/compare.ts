// Two files side by side, or one by two accounts of its format, and what differs.

import { button, choice, el } from "../dom";
import { READINGS } from "../layout";
import { Open } from "../open";

/** Differences that are listed. */
const SOME = 500;

interface Row {
  path: string;
  left: unknown;
  right: unknown;
}

export class ComparePanel {
  readonly root = el("div", { className: "compare" });
  readonly #list = el("div", { className: "wide", tabIndex: 0, role: "region", "aria-label": "Differences" });
  #file: Open | null = null;
  #paths: string[] = [];

  constructor(private readonly show: (other: Open | null) => Promise<void>) {}

  use(file: Open | null, paths: string[]): void {
    this.#file = file;
    this.#paths = paths.filter((path) => path !== file?.path);
    const others = ["this file by another reading", ...this.#paths];
    let chosen = 0;
    this.root.replaceChildren(
      choice("Compare with ", others, 0, (at) => (chosen = at)),
      el("div", { className: "bar" }, button("Compare", () => void this.#compare(chosen)), button("Close", () => void this.#close())),
      this.#list,
    );
    this.#list.replaceChildren();
  }

  async #close(): Promise<void> {
    this.#list.replaceChildren();
    await this.show(null);
  }

  async #compare(chosen: number): Promise<void> {
    const file = this.#file;
    if (!file) return;
    try {
      const isReading = chosen === 0;
      const other = await Open.open(file.library, isReading ? file.path : this.#paths[chosen - 1]!, isReading ? otherReading(file.reading) : "auto");
      const rows = isReading ? await readings(file, other) : await files(file, other);
      this.#tell(rows, isReading ? `by the ${other.reading} reading` : other.path);
      await this.show(other);
    } catch (error) {
      this.#list.replaceChildren(el("p", { textContent: (error as Error).message }));
    }
  }

  #tell(rows: Row[], right: string): void {
    if (rows.length === 0) return this.#list.replaceChildren(el("p", { textContent: "Nothing differs." }));
    const head = ["", this.#file!.about.name, right].map((text) => el("th", { scope: "col", textContent: text }));
    const body = rows.slice(0, SOME).map(({ path, left, right }) =>
      el("tr", {}, el("th", { scope: "row", textContent: path }), el("td", { textContent: shown(left) }), el("td", { textContent: shown(right) })),
    );
    const rest = rows.length - SOME;
    this.#list.replaceChildren(
      el("p", { textContent: `${rows.length} differences` }),
      el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...body)),
      ...(rest > 0 ? [el("p", { textContent: `and ${rest} more` })] : []),
    );
  }
}

/** The account that was not taken. */
function otherReading(reading: string): string {
  return READINGS[1] === reading ? READINGS[2]! : READINGS[2] === reading ? READINGS[1]! : READINGS[2]!;
}

async function files(a: Open, b: Open): Promise<Row[]> {
  const { changes } = await a.library.call("diff", [a.handle, b.handle]);
  return changes.map(({ path, old, new: right }) => ({ path, left: old, right }));
}

/** What both accounts say of a file, where it is not the same. */
async function readings(a: Open, b: Open): Promise<Row[]> {
  const [left, right] = await Promise.all([a, b].map(({ library, handle }) => library.call("info", [handle])));
  return differences(left, right);
}

/** Where two values differ, by the way that leads there. */
export function differences(left: unknown, right: unknown, path = ""): Row[] {
  if (isHolder(left) && isHolder(right) && Array.isArray(left) === Array.isArray(right)) {
    const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    const step = (key: string) => (Array.isArray(left) ? `${path}[${key}]` : path ? `${path}.${key}` : key);
    return keys.flatMap((key) => differences(left[key], right[key], step(key)));
  }
  return left === right || JSON.stringify(left) === JSON.stringify(right) ? [] : [{ path, left, right }];
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
