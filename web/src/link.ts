// A link's fragment: which clip, when, and where from.

import type { Eye } from "./view/stage";

export interface Moment {
  file?: string;
  clip?: string;
  time?: number;
  eye?: Eye;
}

export function written({ file, clip, time, eye }: Moment): string {
  const words = new URLSearchParams();
  if (file) words.set("file", file);
  if (clip) words.set("clip", clip);
  if (time !== undefined) words.set("t", String(Math.round(time * 1000) / 1000));
  if (eye) {
    const numbers = [...eye.position, ...eye.target].map((number) => Number(number.toPrecision(6)));
    words.set("eye", `${numbers.join(",")}${eye.isFlat ? ",flat" : ""}`);
  }
  return `#${words}`;
}

export function read(fragment: string): Moment {
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const moment: Moment = {};
  const [file, clip, time, eye] = ["file", "clip", "t", "eye"].map((name) => words.get(name));
  if (file) moment.file = file;
  if (clip) moment.clip = clip;
  if (time && Number.isFinite(Number(time))) moment.time = Number(time);
  const numbers = eye?.split(",") ?? [];
  const [a, b, c, x, y, z] = numbers.slice(0, 6).map(Number);
  if (numbers.length >= 6 && numbers.slice(0, 6).every((number) => Number.isFinite(Number(number)))) {
    moment.eye = { position: [a!, b!, c!], target: [x!, y!, z!], isFlat: numbers[6] === "flat" };
  }
  return moment;
}
