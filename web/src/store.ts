// What is not saved yet survives a reload: the files on the shelf and what was done to the one that is open.

import type { Given } from "./drop";
import type { Step } from "./library/types";

export interface Work {
  files: Given[];
  /** What is open. */
  path: string;
  /** Every edit, the last one last, and how many of them are not undone. */
  edits: Step[][];
  done: number;
}

const NAME = "galvani";
const KEY = "work";

function database(): Promise<IDBDatabase> {
  return new Promise((settle, fail) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(NAME);
    asked.onsuccess = () => settle(asked.result);
    asked.onerror = () => fail(asked.error);
  });
}

async function within<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const open = await database();
  try {
    return await new Promise((settle, fail) => {
      const asked = act(open.transaction(NAME, mode).objectStore(NAME));
      asked.onsuccess = () => settle(asked.result);
      asked.onerror = () => fail(asked.error);
    });
  } finally {
    open.close();
  }
}

export async function keep(work: Work): Promise<void> {
  await within("readwrite", (store) => store.put(work, KEY));
}

export async function kept(): Promise<Work | undefined> {
  return within("readonly", (store) => store.get(KEY) as IDBRequest<Work | undefined>);
}

export async function forget(): Promise<void> {
  await within("readwrite", (store) => store.delete(KEY));
}
