import { describe, expect, it } from "vitest";
import { keysOf, moved, type Track } from "../src/edit/steps";

const track = (name: string): Track => ({
  name,
  label: name,
  parts: ["x", "y", "z"],
  times: [0, 100, 200],
  values: [
    [0, 0, 0],
    [1, 2, 3],
    [0, 0, 0],
  ],
  interpolation: "linear",
});

describe("edits of keys", () => {
  it("are operations of MDX", () => {
    const keys = keysOf("mdx")!;
    const key = { track: track("BONE[0].KGTR"), time: 100, values: [1, 2, 3] };
    expect(keys.move(key, 150.4)).toEqual([{ op: "move-key", track: "BONE[0].KGTR", time: "100", to: "150" }]);
    expect(keys.set(key, [1.5, 0, -2])).toEqual([{ op: "set-key", track: "BONE[0].KGTR", time: "100", values: "1.5,0,-2" }]);
    expect(keys.add(key.track, 50)).toEqual([{ op: "insert-key", track: "BONE[0].KGTR", time: "50" }]);
    expect(keys.add(key.track, 50, [])).toEqual([{ op: "add-key", track: "BONE[0].KGTR", time: "50", values: "none" }]);
    expect(keys.remove(key)).toEqual([{ op: "delete-key", track: "BONE[0].KGTR", time: "100" }]);
  });

  it("are operations of MSH", () => {
    const keys = keysOf("msh")!;
    const key = { track: track("#3"), time: 4, values: [1, 2, 3, 1, 0, 0, 0] };
    expect(keys.move(key, 4.5)).toEqual([{ op: "move-key", node: "#3", frame: "4", to: "4.5" }]);
    expect(keys.set(key, key.values).map(({ op }) => op)).toEqual(["set-position", "set-rotation"]);
    expect(keys.add(key.track, 7, key.values).map(({ op }) => op)).toEqual(["insert-key", "set-position", "set-rotation"]);
  });

  it("are none of formats without keys of their own", () => {
    expect(keysOf("gltf")).toBeNull();
    expect(keysOf(null)).toBeNull();
  });

  it("move together without meeting each other", () => {
    const keys = keysOf("mdx")!;
    const all = [0, 100, 200].map((time) => ({ track: track("a"), time, values: [] }));
    expect(moved(keys, all, 100).map(({ time }) => time)).toEqual(["200", "100", "0"]);
    expect(moved(keys, all, -100).map(({ time }) => time)).toEqual(["0", "100", "200"]);
  });
});
