// The start page, and files that are dropped anywhere.

import { button, el } from "./dom";
import type { Sample } from "./library/types";

export interface StartActs {
  openFiles: () => void;
  openFolder: () => void;
  show: (path: string) => void;
}

/** Samples that are something to see by themselves. */
const SHOWN = /\.(msh|mdx|lgp|hrc|glb|rlb|blp|texm)$/;

/** What is seen as long as nothing is open. */
export function startPage(samples: Sample[], { openFiles, openFolder, show }: StartActs): HTMLElement {
  const rows = samples
    .filter(({ path }) => SHOWN.test(path))
    .map(({ path, about }) => {
      const made = el("button", { type: "button" }, path, el("small", { textContent: about }));
      made.onclick = () => show(path);
      return el("li", {}, made);
    });
  return el(
    "div",
    { className: "box" },
    el("h2", { textContent: "Drop a model here" }),
    el("p", {
      textContent:
        "Models, animations, textures and archives of Parkan, Final Fantasy VII, Warcraft III and World of Warcraft, and glTF. " +
        "Everything happens in this page: nothing is uploaded.",
    }),
    el("p", {}, button("Open files", openFiles), " ", button("Open a folder", openFolder)),
    el("h3", { textContent: "Or look at a sample" }),
    el("ul", { className: "samples" }, ...rows),
  );
}

/** Listens to files that are dropped, and shows where. */
export function listenToDrops(over: HTMLElement, drop: (transfer: DataTransfer) => void): void {
  const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!isFiles(event)) return;
    event.preventDefault();
    over.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) over.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    over.classList.remove("over");
    if (!isFiles(event)) return;
    event.preventDefault();
    drop(event.dataTransfer!);
  });
}
