import { describe, expect, it } from "vitest";
import { Client, Refusal, Stopped } from "../src/library/client";
import type { Answer, Question } from "../src/library/worker";

/** A worker that answers as it is told. */
class Scripted {
  onmessage: ((event: { data: Answer }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  asked: Question[] = [];
  isOver = false;

  constructor(private readonly reply: (question: Question) => Answer | null) {
    queueMicrotask(() => this.say({ id: -1, answer: "ready" }));
  }

  say(data: Answer): void {
    this.onmessage?.({ data });
  }

  postMessage(question: Question): void {
    this.asked.push(question);
    const answer = this.reply(question);
    if (answer) queueMicrotask(() => this.say(answer));
  }

  terminate(): void {
    this.isOver = true;
  }
}

function client(reply: (question: Question) => Answer | null): { client: Client; workers: Scripted[] } {
  const workers: Scripted[] = [];
  const made = new Client(() => {
    const worker = new Scripted(reply);
    workers.push(worker);
    return worker as unknown as Worker;
  });
  return { client: made, workers };
}

describe("the library as the page calls it", () => {
  it("gives each its answer", async () => {
    const { client: it } = client(({ id, args }) => ({ id, answer: `about ${args[0]}` }));
    expect(await Promise.all([it.call("about", [1]), it.call("about", [2])])).toEqual(["about 1", "about 2"]);
  });

  it("tells why something is refused", async () => {
    const failure = JSON.stringify({ code: "file.not-found", message: "No such file.", help: "look elsewhere" });
    const { client: it } = client(({ id }) => ({ id, failure, isPanic: false }));
    const refused = await it.call("open", ["x", "auto"]).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect((refused as Refusal).finding.help).toBe("look elsewhere");
  });

  it("starts again after a panic, and whoever waited is told", async () => {
    const { client: it, workers } = client(({ id, name }) =>
      name === "edit" ? { id, failure: "panic: at src/lib.rs:1", isPanic: true } : name === "paths" ? { id, answer: [] } : null,
    );
    let told = "";
    it.onStopped = (why) => (told = why);
    const waiting = it.call("info", [0]).catch((error: unknown) => error);
    const stopped = await it.call("edit", [0, []]).catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(Stopped);
    expect(await waiting).toBeInstanceOf(Stopped);
    expect(told).toContain("panic");
    expect([workers.length, workers[0]!.isOver]).toEqual([2, true]);
    expect(await it.call("paths", [])).toEqual([]);
  });
});
