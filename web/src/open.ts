// A file that is open: what the library knows of it, and every edit that was made.

import type { Client } from "./library/client";
import type { About, Handle, Report, Step } from "./library/types";

export class Open {
  about!: About;
  findings!: Report;
  /** Every edit, those that are undone too. */
  edits: Step[][] = [];
  /** How many of them are done. */
  done = 0;
  /** How many were done when it was saved last. */
  saved = 0;

  private constructor(
    readonly library: Client,
    readonly path: string,
    readonly reading: string,
    readonly handle: Handle,
  ) {}

  /** Opens a file of the shelf, and does edits again that were made to it. */
  static async open(library: Client, path: string, reading = "auto", edits: Step[][] = [], done = edits.length): Promise<Open> {
    const file = new Open(library, path, reading, await library.call("open", [path, reading]));
    for (const steps of edits) await library.call("edit", [file.handle, steps]);
    for (let i = edits.length; i > done; i--) await library.call("undo", [file.handle]);
    file.edits = edits;
    file.done = done;
    await file.#look();
    return file;
  }

  async #look(): Promise<void> {
    this.about = await this.library.call("about", [this.handle]);
    this.findings = await this.library.call("findings", [this.handle]);
  }

  get isChanged(): boolean {
    return this.done !== this.saved;
  }

  /** Does steps, all or none; says what they cost. */
  async edit(steps: Step[]): Promise<Report> {
    const costs = await this.library.call("edit", [this.handle, steps]);
    // What was saved may be among what was undone and is forgotten now.
    if (this.saved > this.done) this.saved = -1;
    this.edits = [...this.edits.slice(0, this.done), steps];
    this.done++;
    await this.#look();
    return costs;
  }

  async undo(): Promise<boolean> {
    if (!(await this.library.call("undo", [this.handle]))) return false;
    this.done--;
    await this.#look();
    return true;
  }

  async redo(): Promise<boolean> {
    if (!(await this.library.call("redo", [this.handle]))) return false;
    this.done++;
    await this.#look();
    return true;
  }

  async close(): Promise<void> {
    await this.library.call("close", [this.handle]);
  }
}
