// A file's bytes: choosing one names its field, choosing a field shows its bytes.

import { button, el } from "../dom";
import type { Open } from "../open";

const ROW = 16;
const ROWS = 32;

export class BytesPanel {
  readonly root = el("div", { className: "bytes" });
  readonly #lines = el("div", { className: "hex", tabIndex: 0, "aria-label": "Bytes" });
  readonly #name = el("output", { className: "field", "aria-label": "The field of the byte" });
  readonly #offset = el("input", { "aria-label": "Offset", value: "0", spellcheck: false });
  #file: Open | null = null;
  #first = 0;
  #marked: [number, number] = [0, 0];

  constructor(private readonly choose: (offset: number) => void) {
    this.#offset.onchange = () => this.show(Number(this.#offset.value) || 0);
    this.#lines.onclick = ({ target }) => {
      const at = (target as HTMLElement).dataset["at"];
      if (at !== undefined) void this.mark(Number(at));
    };
    this.#lines.onkeydown = (event) => {
      const by = { ArrowDown: ROW, ArrowUp: -ROW, ArrowRight: 1, ArrowLeft: -1, PageDown: ROW * ROWS, PageUp: -ROW * ROWS };
      const step = by[event.key as keyof typeof by];
      if (step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      void this.mark(this.#marked[0] + step);
    };
    this.root.append(
      el(
        "div",
        { className: "bar" },
        button("◀", () => this.show(this.#first - ROW * ROWS), "Earlier bytes"),
        this.#offset,
        button("▶", () => this.show(this.#first + ROW * ROWS), "Later bytes"),
      ),
      this.#lines,
      this.#name,
    );
  }

  use(file: Open | null): void {
    this.#file = file;
    this.#first = 0;
    this.#marked = [0, 0];
    this.#name.textContent = "";
    this.show(0);
  }

  /** Marks a byte with the field that has it. */
  async mark(offset: number): Promise<void> {
    const file = this.#file;
    if (!file || offset < 0 || offset >= file.about.size) return;
    this.#marked = [offset, 1];
    if (file.about.is_read) {
      const found = await file.library.call("valueAt", [file.handle, offset]);
      if (found?.value) {
        const { path, type, value, offset: start, length } = found.value;
        this.#marked = [start, length];
        this.#name.textContent = `${path || "(file)"}: ${type} = ${JSON.stringify(value)}`;
        this.choose(offset);
      }
    }
    this.show(this.#isSeen(offset) ? this.#first : offset);
  }

  /** Marks bytes without asking what they are. */
  point(start: number, length: number, name: string): void {
    this.#marked = [start, length];
    this.#name.textContent = name;
    this.show(this.#isSeen(start) ? this.#first : start);
  }

  #isSeen(offset: number): boolean {
    return offset >= this.#first && offset < this.#first + ROW * ROWS;
  }

  show(offset: number): void {
    const size = this.#file?.about.size ?? 0;
    const last = Math.max(0, Math.ceil(size / ROW) - ROWS) * ROW;
    this.#first = Math.min(Math.max(Math.floor(offset / ROW) * ROW, 0), Math.max(last, 0));
    this.#offset.value = `0x${this.#first.toString(16)}`;
    void this.#draw();
  }

  async #draw(): Promise<void> {
    const file = this.#file;
    if (!file) return this.#lines.replaceChildren();
    const first = this.#first;
    const bytes = await file.library.call("bytes", [file.handle, first, ROW * ROWS]);
    const lines: HTMLElement[] = [];
    for (let at = 0; at < bytes.length; at += ROW) lines.push(this.#line(first + at, bytes.subarray(at, at + ROW)));
    this.#lines.replaceChildren(...lines);
  }

  #line(start: number, bytes: Uint8Array): HTMLElement {
    const [from, length] = this.#marked;
    const cells = [...bytes].map((byte, i) => {
      const at = start + i;
      const cell = el("span", { textContent: byte.toString(16).padStart(2, "0"), "data-at": String(at) });
      if (at >= from && at < from + length) cell.className = "marked";
      return cell;
    });
    const text = [...bytes].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    return el(
      "div",
      {},
      el("span", { className: "offset", textContent: start.toString(16).padStart(8, "0") }),
      ...cells,
      el("span", { className: "text", textContent: text }),
    );
  }
}
