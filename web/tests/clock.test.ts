import { describe, expect, it } from "vitest";
import { Clock } from "../src/play/clock";

function clock(length: number, rate: number): Clock {
  const made = new Clock();
  made.begin(length, rate, true);
  return made;
}

describe("the clock of a clip", () => {
  it("stands until it plays", () => {
    const it = clock(10, 15);
    it.pass(1);
    expect(it.time).toBe(0);
    it.toggle();
    it.pass(0.2);
    expect(it.time).toBeCloseTo(3);
  });

  it("goes as fast as it is told", () => {
    const it = clock(1000, 1000);
    it.toggle();
    it.speed = 0.1;
    it.pass(1);
    expect(it.time).toBeCloseTo(100);
    it.speed = 4;
    it.pass(0.1);
    expect(it.time).toBeCloseTo(500);
  });

  it("begins again, or stops at the end and then plays from the beginning", () => {
    const it = clock(10, 1);
    it.toggle();
    it.pass(12);
    expect(it.time).toBeCloseTo(2);
    it.isLooping = false;
    it.pass(12);
    expect([it.time, it.isPlaying]).toEqual([10, false]);
    it.toggle();
    expect([it.time, it.isPlaying]).toEqual([0, true]);
  });

  it("steps from frame to frame", () => {
    const it = clock(4, 15);
    it.time = 1.5;
    it.step(1);
    expect(it.time).toBe(2);
    it.step(-1);
    expect(it.time).toBe(1);
    it.step(-1);
    it.step(-1);
    expect(it.time).toBe(0);
    const sequence = clock(1000, 1000);
    for (let i = 0; i < 3; i++) sequence.step(1);
    expect(sequence.time).toBeCloseTo(100);
  });

  it("stays within the clip", () => {
    const it = clock(10, 15);
    it.seek(99);
    expect(it.time).toBe(10);
    it.seek(-1);
    expect(it.time).toBe(0);
  });

  it("says times in the file's own units", () => {
    expect(clock(1, 1000).shown(333.3)).toBe("333 ms");
    expect(clock(1, 15).shown(7)).toBe("7");
    expect(clock(1, 15).shown(7.25)).toBe("7.3");
    expect(clock(1, 1).shown(1.234)).toBe("1.23 s");
  });

  it("does not move where there is nothing to play", () => {
    const it = clock(0, 15);
    it.toggle();
    it.pass(1);
    expect(it.time).toBe(0);
  });
});
