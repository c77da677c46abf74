// Files of the shelf and members of archives: a list to search, with small pictures.

import { el, shownSize } from "../dom";
import { Client, Stopped } from "../library/client";

export interface Row {
  path: string;
  name: string;
  size: number | null;
  about?: string;
}

const SIDE = 96;
/** Larger files have no small picture unless somebody opens them. */
const MOST = 8 << 20;

export class FilesPanel {
  readonly root = el("section", { className: "files", "aria-label": "Files" });
  readonly #search = el("input", { type: "search", placeholder: "Search", "aria-label": "Search files" });
  readonly #list = el("ul", {});
  readonly #title = el("h2", {});
  #rows: Row[] = [];
  #pictures = new Map<string, string | null>();
  #library: Client | null = null;
  #wanted: Row[] = [];
  #isDrawing = false;
  #seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const row = this.#rows.find(({ path }) => path === (target as HTMLElement).dataset["path"]);
      if (isIntersecting && row) this.#want(row);
    }
  });

  constructor(
    private readonly makeLibrary: () => Client,
    private readonly choose: (path: string) => void,
  ) {
    this.#search.oninput = () => this.#draw();
    this.root.hidden = true;
    this.root.append(this.#title, this.#search, this.#list);
  }

  /** Shows rows; `fill` puts the same files on the shelf of the library that draws small pictures. */
  use(title: string, rows: Row[], fill: (library: Client) => Promise<void>): void {
    this.#title.textContent = title;
    this.#rows = rows;
    this.#fill = fill;
    this.#isFilled = false;
    this.#wanted = [];
    for (const url of this.#pictures.values()) if (url) URL.revokeObjectURL(url);
    this.#pictures.clear();
    this.#search.value = "";
    this.#search.hidden = rows.length < 8;
    this.root.hidden = rows.length === 0;
    this.#draw();
  }

  #fill: (library: Client) => Promise<void> = async () => {};
  #isFilled = false;

  #draw(): void {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#rows.filter(({ path, about = "" }) =>
      words.every((word) => `${path} ${about}`.toLowerCase().includes(word)),
    );
    this.#seen.disconnect();
    const some = found.slice(0, 2000).map((row) => this.#row(row));
    this.#list.replaceChildren(...some);
  }

  #row({ path, name, size, about }: Row): HTMLElement {
    const picture = el("img", { alt: "", width: 40, height: 40, "data-path": path });
    const known = this.#pictures.get(path);
    if (known) picture.src = known;
    else if (known === undefined && size !== null && size < MOST) this.#seen.observe(picture);
    const made = el(
      "button",
      { type: "button", title: path },
      picture,
      el("span", { className: "name", textContent: name }),
      el("span", { className: "about", textContent: about ?? (size === null ? "" : shownSize(size)) }),
    );
    made.onclick = () => this.choose(path);
    return el("li", {}, made);
  }

  #want(row: Row): void {
    if (this.#pictures.has(row.path) || this.#wanted.includes(row)) return;
    this.#wanted.push(row);
    void this.#drawWanted();
  }

  /** Draws small pictures one after the other, in a worker of their own. */
  async #drawWanted(): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    try {
      for (let row = this.#wanted.shift(); row; row = this.#wanted.shift()) {
        const library = (this.#library ??= this.makeLibrary());
        if (!this.#isFilled) {
          this.#isFilled = true;
          await this.#fill(library);
        }
        const url = await picture(library, row.path);
        this.#pictures.set(row.path, url);
        const places = this.#list.querySelectorAll<HTMLImageElement>("img");
        for (const place of places) if (place.dataset["path"] === row.path && url) place.src = url;
      }
    } finally {
      this.#isDrawing = false;
    }
  }
}

/** A small picture of a file, if it is one of those that have some. */
async function picture(library: Client, path: string): Promise<string | null> {
  try {
    const file = await library.call("open", [path, "auto"]);
    const about = await library.call("about", [file]);
    const bytes = about.is_model || about.is_picture ? await library.call("thumbnail", [file, SIDE]) : null;
    await library.call("close", [file]);
    return bytes && URL.createObjectURL(new Blob([bytes as BlobPart], { type: "image/png" }));
  } catch (error) {
    if (error instanceof Stopped) console.warn(`no picture of ${path}: ${error.message}`);
    return null;
  }
}
