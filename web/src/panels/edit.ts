// Every operation of a format through a form that is made from its declaration.

import { button, el } from "../dom";
import type { Operation, Scene, Step } from "../library/types";
import type { Open } from "../open";
import { fieldOf, labelled, type Field } from "./field";

export class EditPanel {
  readonly root = el("div", { className: "edit" });
  #file: Open | null = null;
  #operations: Operation[] = [];
  #names: Record<string, string[]> = {};

  constructor(
    private readonly run: (steps: Step[]) => Promise<boolean>,
    private readonly put: (file: File) => Promise<string>,
  ) {}

  async use(file: Open | null, scene: Scene | null): Promise<void> {
    this.#file = file;
    this.#names = {
      node: scene?.nodes.map(({ name }) => name) ?? [],
      sequence: scene?.clips.map(({ name }) => name) ?? [],
      clip: scene?.clips.map(({ index }) => String(index)) ?? [],
      texture: scene?.images.map((_, i) => String(i)) ?? [],
    };
    if (!file?.about.is_read) return this.root.replaceChildren();
    const operations = await file.library.call("operations", [file.handle]);
    if (this.#file !== file) return;
    this.#operations = operations;
    if (operations.length === 0) {
      return this.root.replaceChildren(el("p", { textContent: "This format has no operations." }));
    }
    this.root.replaceChildren(this.#chooser());
  }

  #chooser(): HTMLElement {
    const place = el("div", {});
    const list = el(
      "select",
      { "aria-label": "Operation" },
      ...this.#operations.map(({ name, summary }) => el("option", { value: name, textContent: name, title: summary })),
    );
    const show = () => place.replaceChildren(this.#form(this.#operations[list.selectedIndex]!));
    list.onchange = show;
    show();
    return el("div", {}, el("label", { className: "choice" }, "Operation ", list), place);
  }

  #form({ name, summary, args }: Operation): HTMLFormElement {
    const fields = args.map((arg) => ({ arg, input: fieldOf(arg, this.#names) }));
    const made = el(
      "form",
      { className: "operation" },
      el("p", { textContent: summary }),
      ...fields.map(({ arg, input }) =>
        labelled(arg, input),
      ),
    );
    const done = button("Apply", () => made.requestSubmit());
    made.append(done);
    made.onsubmit = async (event) => {
      event.preventDefault();
      done.disabled = true;
      const step: Step = { op: name };
      for (const { arg, input } of fields) step[arg.name] = await this.#word(input);
      await this.run([step]);
      done.disabled = false;
    };
    return made;
  }

  /** What was said: of a file, the path under which it stands on the shelf now. */
  async #word(input: Field): Promise<string> {
    const file = input instanceof HTMLInputElement ? input.files?.[0] : undefined;
    return file ? this.put(file) : input.value;
  }
}
