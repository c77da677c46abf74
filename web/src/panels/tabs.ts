// Panels one behind another, each under its tab.

import { el } from "../dom";

export interface Tab {
  id: string;
  label: string;
  panel: HTMLElement;
  /** Told when it is to be seen. */
  onShown?: () => void;
}

export class Tabs {
  readonly root: HTMLElement;
  #tabs: Tab[];
  #buttons: HTMLButtonElement[];
  shown = "";

  constructor(label: string, tabs: Tab[]) {
    this.#tabs = tabs;
    this.#buttons = tabs.map(({ id, label }) => {
      const made = el("button", { type: "button", id: `tab-${id}`, textContent: label });
      made.setAttribute("role", "tab");
      made.setAttribute("aria-controls", `panel-${id}`);
      made.onclick = () => this.show(id);
      made.onkeydown = (event) => this.#move(event);
      return made;
    });
    const list = el("div", { className: "tabs", "aria-label": label }, ...this.#buttons);
    list.setAttribute("role", "tablist");
    for (const { id, panel } of tabs) {
      panel.id = `panel-${id}`;
      panel.tabIndex = 0;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `tab-${id}`);
    }
    this.root = el("section", { className: "tabbed", "aria-label": label }, list, ...tabs.map(({ panel }) => panel));
    this.show(tabs[0]!.id);
  }

  show(id: string): void {
    this.shown = id;
    this.#tabs.forEach((tab, i) => {
      const isShown = tab.id === id;
      tab.panel.hidden = !isShown;
      this.#buttons[i]!.setAttribute("aria-selected", String(isShown));
      this.#buttons[i]!.tabIndex = isShown ? 0 : -1;
      if (isShown) tab.onShown?.();
    });
  }

  #move(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = this.#tabs.findIndex(({ id }) => id === this.shown);
    const next = (at + by + this.#tabs.length) % this.#tabs.length;
    this.show(this.#tabs[next]!.id);
    this.#buttons[next]!.focus();
  }
}
