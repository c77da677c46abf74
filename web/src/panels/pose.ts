// Where the nodes are now, in the format's own numbers: what `galvani sample` prints.

import { button, el } from "../dom";
import type { Open } from "../open";

export class PosePanel {
  readonly root = el("div", { className: "pose" });
  readonly #list = el("div", { className: "wide", tabIndex: 0, role: "region", "aria-label": "Samples" });

  constructor(private readonly now: () => { file: Open | null; clip: string; time: number }) {
    this.root.append(
      el("div", { className: "bar" }, button("Sample this moment", () => void this.refresh())),
      this.#list,
    );
  }

  async refresh(): Promise<void> {
    const { file, clip, time } = this.now();
    if (!file?.about.is_animated) {
      return this.#list.replaceChildren(el("p", { textContent: "Nothing here moves." }));
    }
    try {
      const { samples } = await file.library.call("poses", [file.handle, clip, time]);
      this.#list.replaceChildren(el("pre", { textContent: JSON.stringify({ samples }, null, 1) }));
    } catch (error) {
      this.#list.replaceChildren(el("p", { textContent: (error as Error).message }));
    }
  }
}
