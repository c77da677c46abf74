import { describe, expect, it } from "vitest";
import { main } from "../src/drop";
import { counted, shownSize } from "../src/dom";
import type { Part } from "../src/library/types";
import { differences } from "../src/panels/compare";
import { group } from "../src/panels/tree";

const part = (number: number, path: string): Part => ({ number, path, start: number * 4, len: 4, records: 1 });

describe("parts of a file", () => {
  it("are grouped by the word that they begin with, in order", () => {
    const parts = ["header", "nodes[0].name", "nodes[1]", "keys", "nodes[2]"].map((path, i) => part(i, path));
    const names = group(parts).map(({ name, parts }) => `${name}: ${parts.length}`);
    expect(names).toEqual(["header: 1", "nodes: 2", "keys: 1", "nodes[2]: 1"]);
  });

  it("may have no name", () => {
    expect(group([part(0, "")])[0]!.name).toBe("(file)");
  });
});

describe("what is meant of several files", () => {
  const files = (...paths: string[]) => paths.map((path, i) => ({ path, size: 100 * (i + 1) }));

  it("is a model", () => {
    expect(main(files("tank.msh", "tank.wea", "textures.lib"))).toBe("tank.msh");
    expect(main(files("Unit.MDX", "big.blp"))).toBe("Unit.MDX");
    expect(main(files("rtaa", "rtab", "rtda"))).toBe("rtaa");
    expect(main(files("boat.hrc", "boat.rsd", "lamp.p"))).toBe("boat.hrc");
    expect(main(files("lamp.rsd", "lamp.p"))).toBe("lamp.rsd");
  });

  it("is else the largest", () => {
    expect(main(files("a.txt", "b.lgp"))).toBe("b.lgp");
    expect(main([])).toBeNull();
  });
});

describe("numbers for people", () => {
  it("are short", () => {
    expect([512, 2048, 5 << 20].map(shownSize)).toEqual(["512 B", "2.0 KB", "5.0 MB"]);
    expect([counted(1, "error"), counted(0, "note")]).toEqual(["1 error", "0 notes"]);
  });
});

describe("two accounts of a file", () => {
  it("differ where they say so", () => {
    const left = { a: 1, list: [{ x: 1 }, { x: 2 }], same: "y" };
    const right = { a: 2, list: [{ x: 1 }, { x: 3 }, { x: 4 }], same: "y" };
    expect(differences(left, right).map(({ path }) => path)).toEqual(["a", "list[1].x", "list[2]"]);
    expect(differences(left, structuredClone(left))).toEqual([]);
  });
});
