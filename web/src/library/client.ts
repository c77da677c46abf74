// The library as the page calls it: every call is a promise.

import type { Finding } from "./types";
import type { Answer, Calls, Question } from "./worker";

/** Why the library did not do something. */
export class Refusal extends Error {
  constructor(readonly finding: Finding) {
    super(finding.message);
  }
}

/** The library stopped: everything that it had open is gone, and the next call finds a new one. */
export class Stopped extends Error {}

interface Waiting {
  settle: (answer: unknown) => void;
  fail: (error: Error) => void;
}

export class Client {
  /** Told when the library stopped and a new one is there. */
  onStopped: (why: string) => void = () => {};
  #worker: Worker;
  #next = 0;
  #waiting = new Map<number, Waiting>();
  #ready!: Promise<void>;
  #settleReady!: () => void;

  constructor(private readonly makeWorker: () => Worker) {
    this.#worker = this.#start();
  }

  #start(): Worker {
    this.#ready = new Promise((settle) => (this.#settleReady = settle));
    const worker = this.makeWorker();
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#hear(data);
    worker.onerror = (event) => this.#stop(event.message || "the worker did not start");
    return worker;
  }

  #hear(data: Answer): void {
    if (data.id < 0) return this.#settleReady();
    const waiting = this.#waiting.get(data.id);
    this.#waiting.delete(data.id);
    if (!waiting) return;
    if ("answer" in data) return waiting.settle(data.answer);
    if (!data.isPanic) return waiting.fail(new Refusal(JSON.parse(data.failure) as Finding));
    waiting.fail(new Stopped(data.failure));
    this.#stop(data.failure);
  }

  #stop(why: string): void {
    this.#worker.terminate();
    for (const { fail } of this.#waiting.values()) fail(new Stopped(why));
    this.#waiting.clear();
    this.#worker = this.#start();
    this.onStopped(why);
  }

  /** Calls the library. What is in `lent` is handed over and not there any more. */
  async call<Name extends keyof Calls>(
    name: Name,
    args: Parameters<Calls[Name]>,
    lent: Transferable[] = [],
  ): Promise<ReturnType<Calls[Name]>> {
    await this.#ready;
    return new Promise((settle, fail) => {
      const id = this.#next++;
      this.#waiting.set(id, { settle: settle as (answer: unknown) => void, fail });
      this.#worker.postMessage({ id, name, args } satisfies Question, lent);
    });
  }
}

/** A client with its worker. */
export function startLibrary(): Client {
  return new Client(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));
}
