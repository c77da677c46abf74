// The page: what is open, and what happens to it.

import "./page.css";
import { el, offer, shownSize } from "./dom";
import { chosen, dropped, fetched, main as meant, type Given } from "./drop";
import { listen, sheet, type Key } from "./keys";
import { filmDialog, type Film } from "./film";
import { layout, MODES, type Acts, type Toggle } from "./layout";
import { Refusal, startLibrary, Stopped, type Client } from "./library/client";
import type { Argument, Clip, Finding, Sample, Step } from "./library/types";
import { read, written } from "./link";
import { Open } from "./open";
import { BytesPanel } from "./panels/bytes";
import { ComparePanel } from "./panels/compare";
import { EditPanel } from "./panels/edit";
import { FilesPanel, type Row } from "./panels/files";
import { FindingsPanel } from "./panels/findings";
import { InfoPanel } from "./panels/info";
import { KeysPanel } from "./panels/keys";
import { lookForm } from "./panels/look";
import { PosePanel } from "./panels/pose";
import { Tabs } from "./panels/tabs";
import { TreePanel } from "./panels/tree";
import { clipList, nameOf, wardrobe } from "./panels/wear";
import { Clock, SPEEDS } from "./play/clock";
import { Frames, type Drawn } from "./play/frames";
import * as served from "./served";
import { listenToDrops, startPage } from "./start";
import { forget, keep, kept, type Work } from "./store";
import type { Mode } from "./view/material";
import { Model } from "./view/model";
import { Stage } from "./view/stage";
import { THINGS, type Thing } from "./view/things";

const library = startLibrary();
/** Everything that was dropped, so that it can be put on another shelf. */
const shelf = new Map<string, Blob>();
const clock = new Clock();
let open: Open | null = null;
let model: Model | null = null;
/** The same model as other programs show it, beside the first, and before and behind the moment. */
let others: Model[] = [];
/** Another file that is shown beside the one that is open. */
let compared: Open | null = null;
let samples: Sample[] = [];
let reading = "auto";
/** How the model that is open is shown: what its format declares, as somebody said it. */
let settings: Record<string, string> = {};

const acts: Acts = {
  openFiles: () => ask({ multiple: true }),
  openFolder: () => ask({ webkitdirectory: true }),
  openUrl: () => {
    const url = prompt("The address of a file");
    if (url) void attempt(async () => give([await fetched(url)]));
  },
  undo: () => void attempt(() => change(async (file) => void (await file.undo()))),
  redo: () => void attempt(() => change(async (file) => void (await file.redo()))),
  save: () => void attempt(save),
  saveGlb: () =>
    void attempt(async () => {
      if (!open) return;
      const { bytes } = await library.call("glb", [open.handle]);
      offer(`${stem(open.about.name)}.glb`, new Blob([bytes as BlobPart]));
    }),
  savePicture: () => void attempt(async () => offer(`${stem(open?.about.name ?? "galvani")}.png`, await stage.picture())),
  film: () => (open?.about.is_model ? film.showModal() : tell("Open a model first.")),
  copyLink: () => void attempt(copyLink),
  help: () => (help.open ? help.close() : help.showModal()),
  theme: () => {
    const root = document.documentElement;
    const isDark = root.dataset["theme"] ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    root.dataset["theme"] = isDark === "dark" ? "light" : "dark";
  },
  mode: setMode,
  toggle: setToggle,
  fit: () => stage.fit(),
  reading: (word) => {
    reading = word;
    if (open) void attempt(() => show(open!.path, open!.edits, open!.done));
  },
  play: () => clock.toggle(),
  seek: (time) => clock.seek(time),
  step: (direction) => clock.step(direction),
  speed: (speed) => (clock.speed = speed),
  loop: (isOn) => (clock.isLooping = isOn),
  over: (index) => {
    frames.over = index;
    frames.overLength = model?.scene.clips[index]?.length ?? 0;
  },
  weight: (weight) => (frames.weight = weight),
};

const parts = layout(acts, SPEEDS);
const stage = new Stage(parts.canvas, parts.names);
const frames = new Frames(library, clock, (into) => stage.camera(into), () => stage.touch());
const bytes = new BytesPanel((offset) => void tree.reveal(offset));
const tree = new TreePanel((start, length, name) => bytes.point(start, length, name));
const findings = new FindingsPanel(lead);
const info = new InfoPanel();
const pose = new PosePanel(() => ({ file: open, clip: clipWord(), time: clock.time }));
const edit = new EditPanel((steps) => attempt(() => change(async (file) => void (await file.edit(steps)))), putFile);
const compare = new ComparePanel((file) => attempt(() => showBeside(file)).then(() => {}));
const keyPanel = new KeysPanel(
  () => ({ clip: frames.clip, start: 0, length: clock.length, time: clock.time, frame: clock.frame }),
  (steps) => attempt(() => change(async (file) => void (await file.edit(steps)))),
  (time) => clock.seek(time),
);
const files = new FilesPanel(startLibrary, (path) => void attempt(() => show(path)));
const tabs = new Tabs("What it is", [
  { id: "findings", label: "Findings", panel: findings.root },
  { id: "info", label: "Info", panel: info.root },
  { id: "tree", label: "Tree", panel: tree.root },
  { id: "bytes", label: "Bytes", panel: bytes.root },
  { id: "pose", label: "Pose", panel: pose.root, onShown: () => void pose.refresh() },
  { id: "keys", label: "Keys", panel: keyPanel.root },
  { id: "edit", label: "Edit", panel: edit.root },
  { id: "compare", label: "Compare", panel: compare.root },
]);
parts.right.append(tabs.root);
parts.left.prepend(files.root);

const keys: Key[] = [
  { key: " ", shown: "Space", does: "play or pause", act: acts.play },
  { key: ",", does: "a frame back", act: () => acts.step(-1) },
  { key: ".", does: "a frame forward", act: () => acts.step(1) },
  { key: "arrowup", shown: "↑", does: "the clip before", act: () => nextClip(-1) },
  { key: "arrowdown", shown: "↓", does: "the next clip", act: () => nextClip(1) },
  { key: "s", does: "the next speed", act: nextSpeed },
  { key: "l", does: "loop or not", act: () => parts.loop.click() },
  { key: "b", does: "skeleton", act: () => flip("skeleton") },
  { key: "n", does: "names of nodes", act: () => flip("names") },
  { key: "g", does: "grid", act: () => flip("grid") },
  { key: "x", does: "axes", act: () => flip("axes") },
  { key: "m", does: "textured, shaded, wireframe, normals", act: nextMode },
  { key: "p", does: "orthographic or not", act: () => flip("flat") },
  { key: "f", does: "see all of it", act: acts.fit },
  { key: "o", does: "open files", act: acts.openFiles },
  { key: "e", does: "save as glTF", act: acts.saveGlb },
  { key: "z", does: "undo", act: acts.undo, withControl: true, withShift: false },
  { key: "z", does: "redo", act: acts.redo, withControl: true, withShift: true },
  { key: "s", does: "save", act: acts.save, withControl: true },
  { key: "?", does: "this sheet", act: acts.help },
];
const help = sheet(keys);
const film = filmDialog((how) => attempt(() => saveFilm(how)).then(() => {}));
document.body.append(help, film);
listen(keys);

// What somebody does may be refused: that is told, and nothing else changes.
async function attempt(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof Refusal) tell(`${error.message} ${error.finding.help}`, true);
    else if (!(error instanceof Stopped)) tell((error as Error).message, true);
    return false;
  }
}

let untell = 0;
function tell(message: string, isError = false): void {
  parts.status.textContent = message;
  parts.status.className = `status${isError ? " error" : ""}`;
  parts.status.hidden = false;
  clearTimeout(untell);
  untell = window.setTimeout(() => (parts.status.hidden = true), isError ? 12_000 : 4000);
}

function ask(properties: Partial<HTMLInputElement>): void {
  const input = el("input", { type: "file", ...properties });
  input.onchange = () => void attempt(() => give(chosen(input.files!)));
  input.click();
}

/** Puts files on the shelf. What is a model or an archive is opened; anything else is for the model that is open. */
async function give(given: Given[]): Promise<void> {
  if (given.length === 0) return;
  for (const { path, content } of given) await put(library, path, content);
  const path = meant(given.map(({ path, content }) => ({ path, size: content.size })))!;
  const found = await Open.open(library, path, reading);
  const { is_model, is_archive, is_read } = found.about;
  await found.close();
  const isPiece = open?.about.is_model && is_read && !is_archive && (!is_model || isAnimation(path));
  if (isPiece) {
    await show(open!.path, open!.edits, open!.done);
    tell(`${path} was added to ${open!.about.name}.`);
  } else {
    list(path);
    await show(path);
  }
}

/** Whether a file shows nothing without the model that is open. */
function isAnimation(path: string): boolean {
  return /\.a$|(^|\/)[a-z]{2}da$/i.test(path);
}

async function put(to: Client, path: string, content: Blob): Promise<void> {
  shelf.set(path, content);
  const bytes = new Uint8Array(await content.arrayBuffer());
  await to.call("put", [path, bytes], [bytes.buffer]);
}

async function putFile(file: File): Promise<string> {
  await put(library, file.name, file);
  return file.name;
}

/** Puts everything on the shelf of another library. */
async function fill(other: Client): Promise<void> {
  await other.call("putSamples", []);
  for (const [path, content] of shelf) await put(other, path, content);
}

/** Lists the files of the shelf, if there are several. */
function list(path: string): void {
  const rows: Row[] = [...shelf].map(([path, { size }]) => ({ path, name: path, size }));
  files.use("Files", rows.length > 1 || path === "" ? rows : [], fill);
}

/** Opens a file, with edits that are made again. */
async function show(path: string, edits: Step[][] = [], done = edits.length): Promise<void> {
  const next = await Open.open(library, path, reading, edits, done);
  const before = open;
  frames.use([]);
  if (before?.path !== path) {
    settings = {};
    await compared?.close();
    compared = null;
  }
  open = next;
  if (before) await before.close();
  // A model may be an archive inside: what it is made of is in the tree.
  if (next.about.is_archive && !next.about.is_model) {
    const members = await library.call("members", [next.handle]);
    files.use(next.about.name, members, fill);
  }
  await look(before?.path === path);
}

/** Shows what is open as it is now. */
async function look(isSame: boolean): Promise<void> {
  const file = open!;
  parts.start.hidden = true;
  parts.name.textContent = `${file.path}, ${file.about.format_name ?? "unknown"}, ${shownSize(file.about.size)}`;
  document.title = `${file.about.name} - Galvani`;
  await draw(file, isSame);
  findings.use(file.findings, model?.scene.report ?? null);
  if (!isSame) compare.use(file, [...shelf.keys(), ...samples.map(({ path }) => path)]);
  enable();
  bytes.use(file);
  await Promise.all([tree.use(file), info.use(file), keyPanel.use(file), edit.use(file, model?.scene ?? null)]);
  if (tabs.shown === "pose") await pose.refresh();
}

/** How many frames before and behind the moment ghosts are. */
const GHOSTS = [-6, -3, 3, 6];

/** Draws a model, or shows a picture. */
async function draw(file: Open, isSame: boolean): Promise<void> {
  const eye = isSame && model ? stage.eye : null;
  const [time, before, isPlaying] = [clock.time, clipWord(), clock.isPlaying];
  for (const old of [model, ...others]) old?.dispose();
  model = null;
  others = [];
  parts.picture.hidden = true;
  parts.tools.hidden = !file.about.is_model;
  const drawn: Drawn[] = [];
  if (file.about.is_model) {
    try {
      const { scene, block } = await library.call("scene", [file.handle, settings]);
      model = new Model(scene, block);
      drawn.push({ model, isGame: true, by: 0 });
      const besides = isOn("beside") ? [{ isGame: false, by: 0 }] : [];
      const ghosts = isOn("onion") ? GHOSTS.map((by) => ({ isGame: true, by })) : [];
      for (const other of [...besides, ...ghosts]) drawn.push({ model: new Model(scene, block), ...other });
      if (compared?.about.is_model) {
        const other = await library.call("scene", [compared.handle, {}]);
        drawn.push({ model: new Model(other.scene, other.block), isGame: true, by: 0, file: compared.handle });
      }
    } catch (error) {
      if (error instanceof Stopped) throw error;
      tell((error as Error).message, true);
    }
  } else if (file.about.is_picture) {
    const png = await library.call("thumbnail", [file.handle, 0]);
    const image = el("img", { alt: `The picture ${file.about.name}`, src: URL.createObjectURL(new Blob([png as BlobPart])) });
    parts.picture.replaceChildren(image);
    parts.picture.hidden = false;
  }
  others = drawn.slice(1).map(({ model }) => model);
  const declared = model ? await library.call("lifting", [file.handle]) : [];
  frames.use(drawn);
  for (const { model, by } of drawn) model.mode = by === 0 ? MODES[modes().selectedIndex]! : "ghost";
  clock.rate = model?.scene.rate ?? 1;
  lists(declared);
  const clips = model?.scene.clips ?? [];
  const stands = clips.findIndex(({ name }) => /^stand/i.test(name));
  const again = isSame ? clips.findIndex((one) => wordOf(one) === before) : -1;
  choose(again >= 0 ? again : Math.max(stands, clips.length ? 0 : -1));
  if (isSame) clock.seek(time);
  clock.isPlaying = isSame && isPlaying;
  await frames.refresh(file.handle);
  const shown = drawn.filter(({ by }) => by === 0).map(({ model }) => model);
  stage.show(shown, drawn.filter(({ by }) => by !== 0).map(({ model }) => model));
  if (eye) stage.eye = eye;
  else stage.fit();
  await showThings(file);
  stage.draw();
  parts.canvas.setAttribute("aria-label", `The model ${file.about.name}`);
}

/** Offers what the model has of what hangs on nodes, and shows what was asked for before. */
async function showThings(file: Open): Promise<void> {
  const { things } = stage.overlay;
  const isSolid = ["msh", "mdx"].includes(file.about.format ?? "");
  for (const thing of THINGS) {
    const has = thing === "collision" ? isSolid : things.count(thing) > 0;
    box(thing).parentElement!.hidden = !has;
    things.shows[thing] = has && isOn(thing);
  }
  if (things.shows.collision) await showSolids(file);
  stage.touch();
}

async function showSolids(file: Open): Promise<void> {
  const { solids, block } = await library.call("solids", [file.handle]);
  stage.overlay.things.useSolids(solids, block);
}

/** Draws another file beside the one that is open; none, this one alone. */
async function showBeside(other: Open | null): Promise<void> {
  frames.use([]);
  await compared?.close();
  compared = other;
  if (open) await draw(open, true);
}

function modes(): HTMLSelectElement {
  return parts.tools.querySelector("select")!;
}

/** The clips, and what else a model can show. */
function lists(declared: Argument[]): void {
  const clips = model?.scene.clips ?? [];
  parts.clips.hidden = clips.length === 0;
  parts.clips.replaceChildren(clipList(clips, (length) => clock.shown(length), choose));
  parts.over.replaceChildren(...["none", ...clips.map(nameOf)].map((name) => el("option", { textContent: name })));
  frames.over = -1;
  const form = lookForm(declared, settings, (said) => void attempt(() => showAs(said)));
  parts.wear.replaceChildren(...(model ? wardrobe(model, (node) => stage.lookThrough(node), () => stage.touch()) : []), ...(form ? [form] : []));
}

/** Shows the model in another team's colours, with another weapon, or however else its format has it. */
async function showAs(said: Record<string, string>): Promise<void> {
  const before = settings;
  settings = said;
  try {
    // What cannot be shown is refused before anything changes.
    await library.call("scene", [open!.handle, said]);
  } catch (error) {
    settings = before;
    throw error;
  }
  await draw(open!, true);
}

/** How the format's own sampling names a clip. */
function wordOf({ index }: Clip): string {
  return `#${index}`;
}

function clipWord(): string {
  const one = model?.scene.clips[frames.clip];
  // An MSH model has one timeline, which has no name.
  return one && open?.about.format !== "msh" ? wordOf(one) : "";
}

function choose(index: number): void {
  frames.clip = index;
  const one = model?.scene.clips[index];
  clock.begin(one?.length ?? 0, model?.scene.rate ?? 1, parts.loop.checked);
  parts.scrubber.max = String(clock.length);
  keyPanel.draw();
  parts.clips.querySelectorAll("li button").forEach((made, i) => made.setAttribute("aria-pressed", String(i === index)));
}

function nextClip(by: number): void {
  const count = model?.scene.clips.length ?? 0;
  if (count) choose((frames.clip + by + count) % count);
}

function nextSpeed(): void {
  parts.speed.selectedIndex = (parts.speed.selectedIndex + 1) % SPEEDS.length;
  clock.speed = SPEEDS[parts.speed.selectedIndex]!;
}

function setMode(mode: Mode): void {
  for (const { model, by } of frames.drawn) if (by === 0) model.mode = mode;
  stage.touch();
}

function nextMode(): void {
  const list = modes();
  list.selectedIndex = (list.selectedIndex + 1) % MODES.length;
  setMode(MODES[list.selectedIndex]!);
}

function box(what: Toggle): HTMLInputElement {
  return parts.tools.querySelector(`[data-toggle=${what}] input`)!;
}

function isOn(what: Toggle): boolean {
  return box(what).checked;
}

function flip(what: Toggle): void {
  box(what).click();
}

function setToggle(what: Toggle, isOn: boolean): void {
  if (what === "flat") stage.isFlat = isOn;
  else if (what === "beside" || what === "onion") void attempt(() => draw(open!, true));
  else if (THINGS.includes(what as Thing)) void attempt(() => showThings(open!));
  else stage.overlay.shows[what as "skeleton"] = isOn;
  stage.touch();
}

/** Leads to what a finding is about, in bytes, tree and picture. */
function lead({ offset, node }: Finding): void {
  if (typeof offset === "number") {
    void bytes.mark(offset);
    void tree.reveal(offset);
    tabs.show("bytes");
  }
  stage.overlay.marked = typeof node === "number" ? (model?.nodeOf(node) ?? null) : null;
  stage.touch();
}

/** Does something to the file that is open, and shows what became of it. */
async function change(act: (file: Open) => Promise<void>): Promise<void> {
  const file = open;
  if (!file) return;
  // What is drawn is of the file as it was.
  const { drawn } = frames;
  frames.use([]);
  try {
    await act(file);
  } catch (error) {
    frames.use(drawn);
    throw error;
  }
  // First of all nothing is lost.
  await keepWork();
  await look(true);
}

async function keepWork(): Promise<void> {
  if (!open?.isChanged) return forget();
  const given = [...shelf].map(([path, content]) => ({ path, content }));
  await keep({ files: given, path: open.path, edits: open.edits, done: open.done });
}

function enable(): void {
  parts.undo.disabled = !open?.about.undo;
  parts.redo.disabled = !open?.about.redo;
  parts.save.disabled = !open;
  parts.save.textContent = open?.isChanged ? "Save •" : "Save";
}

async function save(): Promise<void> {
  const file = open;
  if (!file) return;
  const content = new Blob([(await library.call("whole", [file.handle])) as BlobPart]);
  const path = file.about.is_member ? [...shelf.keys()].find((path) => file.path.startsWith(`${path}/`)) : file.path;
  const name = path ?? file.path;
  if (served.isServed && served.isGiven(name)) {
    if (!confirm(`Write ${name}?`)) return;
    await served.save(name, content);
    tell(`${name} was written.`);
  } else {
    offer(name.split("/").pop()!, content);
  }
  file.saved = file.done;
  enable();
  await keepWork();
}

async function copyLink(): Promise<void> {
  const moment = { file: open?.path ?? "", clip: clipWord(), time: clock.time, eye: stage.eye };
  history.replaceState(null, "", written(moment));
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  tell("The link is in the address bar, and copied.");
}

async function saveFilm({ kind, ...how }: Film): Promise<void> {
  if (!open || !model) return;
  const clip = frames.clip < 0 ? null : frames.clip;
  const asked = { kind, clip, ...how, ...stage.direction, ...model.worn, is_flat: stage.isFlat };
  const { bytes } = await library.call("film", [open.handle, asked]);
  const type = kind === "gif" ? "image/gif" : "image/png";
  offer(`${stem(open.about.name)}.${kind === "gif" ? "gif" : "png"}`, new Blob([bytes as BlobPart], { type }));
}

function stem(name: string): string {
  return name.replace(/\.[^.]*$/, "");
}

// The picture follows the clock.
let last = performance.now();
let counted = 0;

/** Says how much is drawn and what our own work of a frame takes. */
function count(now: number): void {
  counted = now;
  const took = (milliseconds: number) => `${milliseconds.toFixed(2)} ms`;
  parts.count.textContent = model
    ? `${model.nodes.length} nodes, ${model.triangles} triangles; sampled in ${took(frames.work.sampled)}, placed in ${took(frames.work.placed)}`
    : "";
}

function tick(now: number): void {
  clock.pass(Math.min((now - last) / 1000, 0.25));
  last = now;
  frames.tick(open?.handle ?? null, (error) => {
    if (!(error instanceof Stopped)) tell((error as Error).message, true);
  });
  stage.refresh();
  if (document.activeElement !== parts.scrubber || clock.isPlaying) parts.scrubber.value = String(clock.time);
  parts.time.textContent = `${clock.shown()} / ${clock.shown(clock.length)}`;
  if (now - counted > 500) count(now);
  parts.play.textContent = clock.isPlaying ? "⏸" : "▶";
  parts.play.setAttribute("aria-label", clock.isPlaying ? "Pause" : "Play");
  requestAnimationFrame(tick);
}

// The library stopped: a new one gets what the old one had.
library.onStopped = (why) => {
  tell(`The library stopped (${why}). Your file and edits are kept.`, true);
  const [path, edits, done] = [open?.path, open?.edits ?? [], open?.done ?? 0];
  open = null;
  // Until it is open again nothing can be done to it.
  enable();
  void attempt(async () => {
    await fill(library);
    // What stopped it was the last thing that was done, if it was an edit.
    if (path) await show(path, edits, done);
  });
};

async function begin(): Promise<void> {
  samples = await library.call("putSamples", []);
  const shown = { openFiles: acts.openFiles, openFolder: acts.openFolder, show: (path: string) => void attempt(() => show(path)) };
  parts.start.replaceChildren(startPage(samples, shown));
  const moment = read(location.hash);
  const unsaved = await kept().catch(() => undefined);
  if (served.isServed) {
    await serve(unsaved);
  } else if (unsaved) {
    for (const { path, content } of unsaved.files) await put(library, path, content);
    await showUnsaved(unsaved);
  } else if (moment.file && samples.some(({ path }) => moment.file!.split("/")[0] === path || moment.file === path)) {
    await show(moment.file);
  }
  if (open && moment.clip) {
    const index = model?.scene.clips.findIndex((one) => wordOf(one) === moment.clip) ?? -1;
    if (index >= 0) choose(index);
  }
  if (moment.time !== undefined) clock.seek(moment.time);
  if (open && moment.eye) stage.eye = moment.eye;
}

async function showUnsaved({ path, edits, done }: Work): Promise<void> {
  list(path);
  await show(path, edits, done);
  open!.saved = -1;
  enable();
  tell("Your unsaved work is back.");
}

/** Shows what `galvani view` was given, and again when it changes. */
async function serve(unsaved: Work | undefined): Promise<void> {
  const { files: given, first } = await served.files();
  for (const { path } of given) await put(library, path, await served.content(path));
  const isOfThese = unsaved && given.some(({ path }) => unsaved.path === path || unsaved.path.startsWith(`${path}/`));
  if (isOfThese) await showUnsaved(unsaved);
  else if (first) {
    list(first);
    await show(first);
  }
  served.onChanged(async (path) => {
    await put(library, path, await served.content(path));
    if (open) await show(open.path, open.edits, open.done);
    tell(`${path} changed on the disk.`);
  });
}

enable();
listenToDrops(parts.main, (transfer) => void attempt(async () => give(await dropped(transfer))));
requestAnimationFrame(tick);
void attempt(begin);
window.addEventListener("beforeunload", (event) => {
  if (open?.isChanged && !indexedDB) event.preventDefault();
});
