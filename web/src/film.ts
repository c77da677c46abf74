// A clip as a picture that moves, to be given to others.

import { button, choice, el, toggle } from "./dom";

export interface Film {
  kind: "gif" | "apng";
  fps: number;
  size: number;
  turns: boolean;
}

const KINDS: Film["kind"][] = ["gif", "apng"];
const RATES = [10, 15, 25, 30];
const SIZES = [160, 240, 320, 480, 640];

/** A dialog that asks how a film is to be. */
export function filmDialog(make: (film: Film) => Promise<void>): HTMLDialogElement {
  const film: Film = { kind: "gif", fps: 15, size: 320, turns: false };
  const made = button("Make it", () => {
    made.disabled = true;
    void make({ ...film }).finally(() => {
      made.disabled = false;
      dialog.close();
    });
  });
  const dialog = el(
    "dialog",
    { id: "film", "aria-label": "A picture that moves" },
    el("h2", { textContent: "A picture that moves" }),
    el("p", { textContent: "The clip that is chosen, once, seen from where you look now. The library draws it, so it is the same on every machine." }),
    el(
      "div",
      { className: "bar" },
      choice("Kind ", ["GIF", "APNG"], 0, (at) => (film.kind = KINDS[at]!)),
      choice("Pictures a second ", RATES.map(String), RATES.indexOf(film.fps), (at) => (film.fps = RATES[at]!)),
      choice("Size ", SIZES.map((size) => `${size} × ${size}`), SIZES.indexOf(film.size), (at) => (film.size = SIZES[at]!)),
      toggle("Go around it", false, (isOn) => (film.turns = isOn)),
    ),
    el("div", { className: "bar" }, made, button("Close", () => dialog.close())),
  );
  return dialog;
}
