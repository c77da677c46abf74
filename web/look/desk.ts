// What tests of the page have in common: files to drop, and the command to compare with.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, type JSHandle, type Locator, type Page } from "@playwright/test";

const TOP = join(import.meta.dirname, "../..");
export const GALVANI = join(TOP, "target/debug/galvani");

export function sample(name: string): string {
  return join(TOP, "samples", name);
}

export function folder(): string {
  return mkdtempSync(join(tmpdir(), "galvani-page-"));
}

/** Runs the command. */
export function galvani(...words: string[]): string {
  return execFileSync(GALVANI, words, { encoding: "utf8", maxBuffer: 1 << 28 });
}

/** Opens the page, and collects what goes wrong in it and where it asks. */
export async function start(page: Page, way = ""): Promise<{ problems: string[]; asked: string[] }> {
  const [problems, asked]: string[][] = [[], []];
  page.on("pageerror", (error) => problems!.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems!.push(message.text());
  });
  page.on("request", (request) => asked!.push(request.url()));
  await page.goto(way);
  await expect(page.getByRole("button", { name: "walker.msh" })).toBeVisible();
  return { problems: problems!, asked: asked! };
}

export interface Named {
  name: string;
  bytes: Buffer;
}

/** Files as a file manager gives them. */
export function given(page: Page, files: Named[]): Promise<JSHandle<DataTransfer>> {
  const texts = files.map(({ name, bytes }) => ({ name, text: bytes.toString("base64") }));
  return page.evaluateHandle(async (texts) => {
    const transfer = new DataTransfer();
    for (const { name, text } of texts) {
      const content = await (await fetch(`data:application/octet-stream;base64,${text}`)).blob();
      transfer.items.add(new File([content], name));
    }
    return transfer;
  }, texts);
}

/** Drops files, as a file manager does. */
export async function drop(page: Page, ...files: (string | Named)[]): Promise<void> {
  const all = files.map((file) =>
    typeof file === "string" ? { name: basename(file), bytes: readFileSync(file) } : file,
  );
  const transfer = await given(page, all);
  await page.dispatchEvent("main", "dragover", { dataTransfer: transfer });
  await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
}

/** Waits until a file is open. */
export async function opened(page: Page, name: string): Promise<void> {
  await expect(page).toHaveTitle(`${name} - Galvani`);
  await expect(page.locator("main .start")).toBeHidden();
}

/** The switch of something that is drawn beside the model. */
export async function overlay(page: Page, name: string): Promise<Locator> {
  const all = page.locator(".overlays");
  if (!(await all.evaluate((details: HTMLDetailsElement) => details.open))) await all.locator("summary").click();
  return all.getByLabel(name, { exact: true });
}

/** Goes to a time of the clip. */
export async function seek(page: Page, time: number): Promise<void> {
  await page.getByRole("slider", { name: "Time" }).fill(String(time));
}

/** The time that the player shows, and how long the clip is. */
export async function time(page: Page): Promise<string> {
  return (await page.locator(".play output").textContent()) ?? "";
}

/** Opens one of the samples of the start page. */
export async function openSample(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: false }).first().click();
  await opened(page, name);
}

/** Saves, and gives what was saved. */
export async function saved(page: Page, button: string): Promise<Buffer> {
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).first().click();
  return readFileSync(await (await coming).path());
}

/** The picture as it stands. */
export function picture(page: Page): Promise<string> {
  return page.evaluate(() => document.querySelector("canvas")!.toDataURL());
}

/** How much of the picture is not background. */
export function drawn(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector("canvas")!;
    const picture = document.createElement("canvas");
    [picture.width, picture.height] = [200, 150];
    const context = picture.getContext("2d")!;
    context.drawImage(canvas, 0, 0, picture.width, picture.height);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i]! > 128) count++;
    return count / (data.length / 4);
  });
}

/** An NRes archive, byte by byte: so many members of the same bytes. */
export function archive(count: number, bytes: Buffer): Buffer {
  const room = Math.ceil(bytes.length / 8) * 8;
  const begin = 16 + count * room;
  const file = Buffer.alloc(begin + count * 64);
  file.write("NRes", 0, "latin1");
  file.writeUInt32LE(0x100, 4);
  file.writeUInt32LE(count, 8);
  file.writeUInt32LE(file.length, 12);
  for (let i = 0; i < count; i++) {
    bytes.copy(file, 16 + i * room);
    const record = begin + i * 64;
    file.write("MESH", record, "latin1");
    file.writeUInt32LE(bytes.length, record + 0x0c);
    file.writeUInt32LE(1, record + 0x10);
    file.write(`T${String(i).padStart(4, "0")}.MSH`, record + 0x14, "latin1");
    file.writeUInt32LE(16 + i * room, record + 0x38);
    file.writeUInt32LE(i, record + 0x3c);
  }
  return file;
}
