// Frames: asked of the library one at a time, and put in place when they are there.

import type { Client } from "../library/client";
import type { Handle } from "../library/types";
import type { Model } from "../view/model";
import type { Clock } from "./clock";

/** A model that is drawn: by which account, and how many frames before or behind the moment. */
export interface Drawn {
  model: Model;
  isGame: boolean;
  by: number;
  /** Of which file, if it is another one. */
  file?: Handle;
}

/** What is asked: clip and time, clip, time and weight over it, whose account, the turn of the camera. */
const ASKED = 10;

/** How much the last frame counts in what frames took lately. */
const RECENT = 0.05;

export class Frames {
  drawn: Drawn[] = [];
  clip = -1;
  /** A clip that is blended over the other; below 0, none. */
  over = -1;
  weight = 0.5;
  /** What our own work of a frame took lately, in milliseconds: sampling in the worker, and putting it in place here. */
  readonly work = { sampled: 0, placed: 0 };
  #isAsked = false;
  readonly #camera = new Float32Array(4);
  /** What the last frame was asked for: another one of the same would look the same. */
  readonly #last = new Float64Array(ASKED).fill(Number.NaN);
  readonly #next = new Float64Array(ASKED);

  constructor(
    private readonly library: Client,
    private readonly clock: Clock,
    private readonly camera: (into: Float32Array) => Float32Array,
    /** Told when a frame is in place. */
    private readonly placed: () => void,
  ) {}

  /** Shows other models: what was asked before says nothing about them. */
  use(drawn: Drawn[]): void {
    this.drawn = drawn;
    this.#last.fill(Number.NaN);
  }

  #ask(): void {
    const { clock, clip, over, weight } = this;
    const [x, y, z, w] = this.camera(this.#camera);
    const ratio = over < 0 || clock.length === 0 ? 0 : clock.time / clock.length;
    const next = this.#next;
    next[0] = clip;
    next[1] = clock.time;
    next[2] = over;
    next[3] = ratio * this.overLength;
    next[4] = weight;
    next[5] = 1;
    next[6] = x!;
    next[7] = y!;
    next[8] = z!;
    next[9] = w!;
  }

  /** How long the clip is that is blended over the other: both begin and end together. */
  overLength = 0;

  /** Asks for a frame, if there is none on its way and it would look another way. */
  tick(file: Handle | null, fail: (error: unknown) => void): void {
    if (this.#isAsked || file === null || this.drawn.length === 0) return;
    this.#ask();
    if (this.#next.every((number, i) => number === this.#last[i])) return;
    this.#last.set(this.#next);
    void this.refresh(file).catch(fail);
  }

  /** Asks for a frame of each model, once the one that is on its way is there: what is lent cannot be lent twice. */
  refresh(file: Handle): Promise<void> {
    const next = this.#onItsWay.catch(() => {}).then(() => this.#refresh(file));
    this.#onItsWay = next;
    return next;
  }

  #onItsWay: Promise<void> = Promise.resolve();

  async #refresh(file: Handle): Promise<void> {
    this.#isAsked = true;
    try {
      this.#ask();
      const { drawn } = this;
      for (const { model, isGame, by, file: own = file } of drawn) {
        // Meanwhile other models may be shown.
        if (this.drawn !== drawn) return;
        const asked = this.#next.slice();
        asked[1] = Math.min(Math.max(asked[1]! + by * this.clock.frame, 0), this.clock.length);
        asked[5] = isGame ? 1 : 0;
        const lent = model.spare;
        const { numbers, took } = await this.library.call("frame", [own, asked, lent], [lent.buffer]);
        const begin = performance.now();
        model.spare = model.apply(numbers);
        this.placed();
        const mean = (before: number, now: number) => (before === 0 ? now : before + (now - before) * RECENT);
        this.work.placed = mean(this.work.placed, performance.now() - begin);
        this.work.sampled = mean(this.work.sampled, took);
      }
    } finally {
      this.#isAsked = false;
    }
  }
}
