// Files that somebody gives: dropped, chosen, or named by a URL.

export interface Given {
  path: string;
  content: Blob;
}

/** The files of a drop, those in folders with their paths. */
export async function dropped(transfer: DataTransfer): Promise<Given[]> {
  // What is dropped is only there until the event is over.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files].map((file) => ({ path: file.name, content: file }));
  const all = await Promise.all(entries.map((entry) => inside(entry)));
  return all.flat();
}

async function inside(entry: FileSystemEntry): Promise<Given[]> {
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise<File>((settle, fail) => (entry as FileSystemFileEntry).file(settle, fail));
    return [{ path, content: file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: Given[] = [];
  for (;;) {
    // A browser gives a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((settle, fail) => reader.readEntries(settle, fail));
    if (some.length === 0) return all;
    for (const one of some) all.push(...(await inside(one)));
  }
}

/** The files of a dialog, those of a folder with their paths. */
export function chosen(files: FileList): Given[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, content: file }));
}

/** The file that a URL names. */
export async function fetched(url: string): Promise<Given> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  const name = decodeURIComponent(new URL(answer.url || url, location.href).pathname.split("/").pop() || "file");
  return { path: name, content: await answer.blob() };
}

/** Files that are whole models, those that are pieces of one, and pieces of pieces. */
const KINDS = [/\.(msh|mdx|mdl|glb|gltf|hrc)$|(^|\/)[a-z]{2}aa$/i, /\.rsd$/i, /\.p$/i];

/** The file that is meant of several: a model, or else the largest. */
export function main(files: { path: string; size: number }[]): string | null {
  const largest = [...files].sort((a, b) => b.size - a.size);
  const models = KINDS.map((kind) => largest.find(({ path }) => kind.test(path)));
  return (models.find((model) => model) ?? largest[0])?.path ?? null;
}
