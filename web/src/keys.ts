// Keys: what each does, and the sheet that says so.

import { button, el } from "./dom";

export interface Key {
  /** What `KeyboardEvent.key` says, lower case. */
  key: string;
  shown?: string;
  does: string;
  act: () => void;
  withControl?: boolean;
  withShift?: boolean;
}

/** Listens to keys, unless somebody writes. */
export function listen(keys: Key[]): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const isWriting = target.matches("input:not([type=checkbox], [type=range]), textarea, select");
    if (event.altKey || (isWriting && !(event.ctrlKey || event.metaKey))) return;
    // A button that has the focus is pressed by the space bar.
    if (event.key === " " && target.matches("button, summary, [role=tab], input[type=checkbox]")) return;
    if (target.matches("input[type=range], [role=tab], [role=treeitem]") && event.key.startsWith("Arrow")) return;
    const found = keys.find(
      ({ key, withControl = false, withShift }) =>
        key === event.key.toLowerCase() &&
        withControl === (event.ctrlKey || event.metaKey) &&
        (withShift === undefined || withShift === event.shiftKey),
    );
    if (!found) return;
    event.preventDefault();
    found.act();
  });
}

/** The sheet that says what keys do. */
export function sheet(keys: Key[]): HTMLDialogElement {
  const rows = keys.map(({ key, shown, does, withControl, withShift }) => {
    const word = `${withControl ? "Ctrl + " : ""}${withShift ? "Shift + " : ""}${shown ?? key.toUpperCase()}`;
    return el("tr", {}, el("th", { scope: "row" }, el("kbd", { textContent: word })), el("td", { textContent: does }));
  });
  const made = el(
    "dialog",
    { id: "help", "aria-label": "Keys" },
    el("h2", { textContent: "Keys" }),
    el("table", {}, el("tbody", {}, ...rows)),
    el("p", {
      textContent: "Drag to look around, with the right button to move, turn the wheel to come nearer.",
    }),
  );
  made.append(button("Close", () => made.close()));
  return made;
}
