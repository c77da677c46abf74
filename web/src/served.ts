// What `galvani view` serves beside the page: the files that it was given. Without it there are none.

export interface ServedFile {
  path: string;
  /** Whether it may be written: what it only names may be read. */
  is_given: boolean;
}

export interface Served {
  files: ServedFile[];
  /** What is shown first: a file, or a member of one. */
  first: string | null;
}

/** Said by the server in the page that it hands out. */
export const isServed = document.querySelector('meta[name="galvani-view"]') !== null;

let known: ServedFile[] = [];

export async function files(): Promise<Served> {
  const served = (await (await asked("api/files")).json()) as Served;
  known = served.files;
  return served;
}

export async function content(path: string): Promise<Blob> {
  return (await asked(`api/file/${encoded(path)}`)).blob();
}

export function isGiven(path: string): boolean {
  return known.some((file) => file.path === path && file.is_given);
}

export async function save(path: string, content: Blob): Promise<void> {
  await asked(`api/file/${encoded(path)}`, { method: "PUT", body: content });
}

/** Told the path of a file that changed on the disk. */
export function onChanged(tell: (path: string) => Promise<void>): void {
  const events = new EventSource("api/changes");
  events.onmessage = ({ data }: MessageEvent<string>) => void tell(JSON.parse(data) as string);
}

function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

async function asked(path: string, request: RequestInit = {}): Promise<Response> {
  const answer = await fetch(path, request);
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}
