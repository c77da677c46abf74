// Edits of keys, as the operations of each format.

import type { Step, TrackKeys } from "../library/types";

export type Track = TrackKeys;

/** A key by its track and time, on the file's own timeline. */
export interface Key {
  track: Track;
  time: number;
  values: number[];
}

/** How a format moves, sets, adds and deletes keys. */
export interface Keys {
  move(key: Key, to: number): Step[];
  set(key: Key, values: number[]): Step[];
  /** A key that changes nothing, or one with values. */
  add(track: Track, time: number, values?: number[]): Step[];
  remove(key: Key): Step[];
}

const word = (number: number) => String(Math.fround(number));
const words = (values: number[]) => (values.length ? values.map(word).join(",") : "none");

const sequences: Keys = {
  move: ({ track, time }, to) => [{ op: "move-key", track: track.name, time: String(time), to: String(Math.round(to)) }],
  set: ({ track, time }, values) => [{ op: "set-key", track: track.name, time: String(time), values: words(values) }],
  add: (track, time, values) => {
    const at = String(Math.round(time));
    return values
      ? [{ op: "add-key", track: track.name, time: at, values: words(values) }]
      : [{ op: "insert-key", track: track.name, time: at }];
  },
  remove: ({ track, time }) => [{ op: "delete-key", track: track.name, time: String(time) }],
};

const timeline: Keys = {
  move: ({ track, time }, to) => [{ op: "move-key", node: track.name, frame: word(time), to: word(to) }],
  set: ({ track, time }, values) => pose(track, time, values),
  add: (track, time, values) => [
    { op: "insert-key", node: track.name, frame: word(time) },
    ...(values ? pose(track, time, values) : []),
  ],
  remove: ({ track, time }) => [{ op: "delete-key", node: track.name, frame: word(time) }],
};

/** A place and a turn for the key on a frame. */
function pose(track: Track, time: number, values: number[]): Step[] {
  const [x, y, z, w, rx, ry, rz] = values.map(word) as [string, string, string, string, string, string, string];
  const at = { node: track.name, frame: word(time) };
  return [
    { op: "set-position", ...at, x, y, z },
    { op: "set-rotation", ...at, w, x: rx, y: ry, z: rz },
  ];
}

/** How keys of a format are edited; nothing, where they cannot be. */
export function keysOf(format: string | null): Keys | null {
  return format === "mdx" ? sequences : format === "msh" ? timeline : null;
}

/** Keys moved together, in an order in which none meets another on its way. */
export function moved(keys: Keys, chosen: Key[], by: number): Step[] {
  const order = [...chosen].sort((a, b) => (by > 0 ? b.time - a.time : a.time - b.time));
  return order.flatMap((key) => keys.move(key, key.time + by));
}
