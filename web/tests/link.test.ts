import { describe, expect, it } from "vitest";
import { read, written, type Moment } from "../src/link";

describe("the fragment of a link", () => {
  it("holds file, clip, time and camera", () => {
    const moment: Moment = {
      file: "frog.lgp/zgaa",
      clip: "#3",
      time: 12.5,
      eye: { position: [1, 2.5, -3], target: [0, 1, 0], isFlat: true },
    };
    expect(read(written(moment))).toEqual(moment);
  });

  it("may hold less", () => {
    expect(read("")).toEqual({});
    expect(read(written({ file: "a&b=c#d é.mdx" }))).toEqual({ file: "a&b=c#d é.mdx" });
    expect(read(written({ time: 0 }))).toEqual({ time: 0 });
  });

  it("passes over what makes no sense", () => {
    expect(read("#t=soon&eye=1,2,x,4,5,6&other=1")).toEqual({});
    expect(read("#eye=1,2,3")).toEqual({});
    expect(read("#t=Infinity")).toEqual({});
  });
});
