// The library in its worker: every call is a message, so that the page never waits for it.

import init, { Library } from "../wasm/galvani_web.js";
import address from "../wasm/galvani_web_bg.wasm?url";
import type {
  About,
  Argument,
  Diff,
  Handle,
  Member,
  Operation,
  Part,
  Place,
  Poses,
  Report,
  Sample,
  Scene,
  Solid,
  Step,
  Timeline,
  Value,
} from "./types";

/** A film of a clip: of which, how, and seen from where, in degrees. */
export interface FilmAsked {
  kind: "gif" | "apng";
  clip: number | null;
  fps: number;
  size: number;
  azimuth: number;
  elevation: number;
  is_flat: boolean;
  turns: boolean;
  state: number;
  level: number;
  look: number | null;
}

const wasm = await init({ module_or_path: address });
const library = new Library();

/** A moment of a model, in a list of numbers that the page lends and gets back. */
export interface Frame {
  numbers: Float32Array;
  /** How long it took, in milliseconds. */
  took: number;
}

const calls = {
  put: (path: string, bytes: Uint8Array) => library.put(path, bytes),
  putSamples: () => JSON.parse(library.put_samples()) as Sample[],
  clear: () => library.clear(),
  paths: () => JSON.parse(library.paths()) as { path: string; size: number }[],
  open: (path: string, reading: string): Handle => library.open(path, reading),
  close: (file: Handle) => library.close(file),
  about: (file: Handle) => JSON.parse(library.about(file)) as About,
  info: (file: Handle) => JSON.parse(library.info(file)) as Record<string, unknown>,
  findings: (file: Handle) => JSON.parse(library.findings(file)) as Report,
  members: (file: Handle) => JSON.parse(library.members(file)) as Member[],
  parts: (file: Handle) => JSON.parse(library.parts(file)) as Part[],
  values: (file: Handle, part: number, first: number) => JSON.parse(library.values(file, part, first)) as Value[],
  valueAt: (file: Handle, offset: number) => JSON.parse(library.value_at(file, offset)) as Place | null,
  bytes: (file: Handle, start: number, len: number) => library.bytes(file, start, len),
  scene: (file: Handle, settings: Record<string, string>) => {
    const scene = JSON.parse(library.scene(file, JSON.stringify(settings))) as Scene;
    return { scene, block: library.take_block() };
  },
  /** `asked` is a list: clip and time, clip and time and weight over it, whose account, the turn of the camera. */
  frame: (file: Handle, asked: Float64Array, numbers: Float32Array): Frame => {
    const begin = performance.now();
    const at = library.frame(file, asked);
    if (library.frame_len() !== numbers.length) throw new Error(JSON.stringify({ code: null, message: "another model is shown", help: "" }));
    numbers.set(new Float32Array(wasm.memory.buffer, at, library.frame_len()));
    return { numbers, took: performance.now() - begin };
  },
  lifting: (file: Handle) => JSON.parse(library.lifting(file)) as Argument[],
  solids: (file: Handle) => {
    const solids = JSON.parse(library.solids(file)) as Solid[];
    return { solids, block: library.take_block() };
  },
  film: (file: Handle, asked: FilmAsked) => {
    const report = JSON.parse(library.film(file, JSON.stringify(asked))) as Report;
    return { report, bytes: library.take_block() };
  },
  poses: (file: Handle, clip: string, time: number) => JSON.parse(library.poses(file, clip, time)) as Poses,
  timeline: (file: Handle) => JSON.parse(library.timeline(file)) as Timeline,
  operations: (file: Handle) => JSON.parse(library.operations(file)) as Operation[],
  edit: (file: Handle, steps: Step[]) => JSON.parse(library.edit(file, JSON.stringify(steps))) as Report,
  undo: (file: Handle) => library.undo(file),
  redo: (file: Handle) => library.redo(file),
  whole: (file: Handle) => library.whole(file),
  glb: (file: Handle) => {
    const report = JSON.parse(library.glb(file)) as Report;
    return { report, bytes: library.take_block() };
  },
  thumbnail: (file: Handle, side: number) => library.thumbnail(file, side),
  diff: (a: Handle, b: Handle) => JSON.parse(library.diff(a, b)) as Diff,
};

export type Calls = typeof calls;

/** What the page asks. */
export interface Question {
  id: number;
  name: keyof Calls;
  args: unknown[];
}

/** What it is told: the answer, or why there is none. A panic is the end of this worker. */
export type Answer = { id: number } & ({ answer: unknown } | { failure: string; isPanic: boolean });

/** Everything in an answer that can be handed over instead of copied. */
function handedOver(answer: unknown): Transferable[] {
  const parts = answer !== null && typeof answer === "object" ? [answer, ...Object.values(answer)] : [];
  const lists = parts.filter((part) => part instanceof Uint8Array || part instanceof Float32Array);
  return [...new Set(lists.map((list) => list.buffer as ArrayBuffer))];
}

self.onmessage = ({ data: { id, name, args } }: MessageEvent<Question>) => {
  try {
    const answer = (calls[name] as (...args: unknown[]) => unknown)(...args);
    self.postMessage({ id, answer } satisfies Answer, { transfer: handedOver(answer) });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    // The library tells failures as JSON; whatever else is thrown comes from the machine below it.
    const isPanic = !failure.startsWith("{");
    self.postMessage({ id, failure, isPanic } satisfies Answer);
  }
};
self.postMessage({ id: -1, answer: "ready" } satisfies Answer);
