// The page as people meet it, in Chromium.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { archive, drawn, drop, folder, galvani, opened, openSample, overlay, sample, saved, seek, start, time } from "./desk";

const MODELS = ["walker.msh", "lantern.mdx", "boat.hrc"];

async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name }).click();
}

for (const name of MODELS) {
  test(`${name} is dropped, plays and is scrubbed`, async ({ page }) => {
    const { problems, asked } = await start(page);
    const beside = { "walker.msh": ["walker.wea", "material.lib", "textures.lib"], "boat.hrc": ["boat.a", "boat.rsd", "boat.p", "mast.rsd", "mast.p", "lamp.rsd", "lamp.p", "paper.tex", "glow.tex"] }[name] ?? [];
    await drop(page, ...[name, ...beside].map(sample));
    await opened(page, name);
    await expect.poll(() => drawn(page)).toBeGreaterThan(0.02);
    await page.locator(".clips button").first().click();
    const before = await time(page);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(() => time(page)).not.toBe(before);
    // It may be moved while it plays.
    await seek(page, 0);
    await page.getByRole("button", { name: "Pause" }).click();
    await seek(page, 0.5);
    await expect.poll(() => time(page)).toMatch(/^(0\.5|1 ms|0\.50 s)/);
    expect(problems).toEqual([]);
    expect(asked.filter((url) => !url.startsWith("http://127.0.0.1:4173/") && !/^(data|blob):/.test(url))).toEqual([]);
  });
}

test("an archive is a list, and its members open", async ({ page }) => {
  await start(page);
  await openSample(page, "frog.lgp");
  await expect(page.locator(".files li")).not.toHaveCount(0);
  await page.getByRole("searchbox").fill("zgda");
  await expect(page.locator(".files li")).toHaveCount(1);
  await page.locator(".files li button").click();
  await opened(page, "zgda");
  await expect.poll(() => drawn(page)).toBeGreaterThan(0.01);
  // Its small picture comes from our own renderer.
  await page.getByRole("searchbox").fill("zgaa");
  await expect(page.locator(".files li img[src]")).toHaveCount(1);
});

for (const [name, clip, at] of [
  ["walker.msh", "", 3.5],
  ["lantern.mdx", "#1", 333],
  ["windmill.glb", "#0", 0.5],
] as const) {
  test(`the pose of ${name} is what the command samples`, async ({ page }) => {
    await start(page);
    await openSample(page, name);
    const index = clip ? Number(clip.slice(1)) : 0;
    await page.locator(".clips button").nth(index).click();
    await seek(page, at);
    await tab(page, "Pose");
    await page.getByRole("button", { name: "Sample this moment" }).click();
    const shown = JSON.parse((await page.locator(".pose pre").textContent())!) as unknown;
    const words = clip ? ["--clip", clip] : [];
    const told = JSON.parse(galvani("sample", sample(name), ...words, "--time", String(at), "--json")) as unknown;
    // What is shown has no negative zeros.
    expect(shown).toEqual(JSON.parse(JSON.stringify(told)));
  });
}

test("an edit is made, taken back, made again and saved, as the command makes it", async ({ page }) => {
  await start(page);
  await drop(page, sample("lantern.mdx"));
  await opened(page, "lantern.mdx");
  await tab(page, "Edit");
  await page.getByLabel("Operation").selectOption("rename-sequence");
  await page.locator(".edit form.operation input").nth(0).fill("Stand");
  await page.locator(".edit form.operation input").nth(1).fill("Renamed");
  await page.getByRole("button", { name: "Apply" }).click();
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  await expect(undo).toBeEnabled();
  await expect(page.locator(".clips")).toContainText("Renamed");
  await undo.click();
  await expect(page.locator(".clips")).not.toContainText("Renamed");
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(page.locator(".clips")).toContainText("Renamed");
  const out = join(folder(), "edited.mdx");
  galvani("edit", sample("lantern.mdx"), "rename-sequence", "Stand", "Renamed", "-o", out);
  expect((await saved(page, "Save")).equals(readFileSync(out))).toBe(true);
});

for (const name of ["walker.msh", "lantern.mdx"]) {
  test(`a key of ${name} is moved, taken back, moved again and saved, as the command moves it`, async ({ page }) => {
    await start(page);
    await drop(page, sample(name));
    await opened(page, name);
    await page.locator(".clips button").first().click();
    await tab(page, "Keys");
    const keys = await page.locator(".keys rect").evaluateAll((marks) =>
      marks.map((mark) => ({
        track: mark.closest<HTMLElement>("[data-track]")!.dataset["track"]!,
        time: Number(mark.getAttribute("data-time")),
      })),
    );
    // One whose next frame is free.
    const by = name === "walker.msh" ? 1 : 1000 / 30;
    const to = (time: number) => (name === "walker.msh" ? time + by : Math.round(time + by));
    const at = keys.findIndex(
      ({ track, time }, i) => i > 0 && keys[i - 1]!.track === track && keys[i + 1]?.track === track && keys[i + 1]!.time > to(time),
    );
    const { track, time } = keys[at]!;
    await page.locator(".keys rect").nth(at).focus();
    await page.keyboard.press("Enter");
    await page.locator(".keys .sheet").focus();
    await page.keyboard.press("ArrowRight");
    const undo = page.getByRole("button", { name: "Undo", exact: true });
    await expect(undo).toBeEnabled();
    await undo.click();
    await expect(undo).toBeDisabled();
    await page.getByRole("button", { name: "Redo" }).click();
    await expect(undo).toBeEnabled();
    const out = join(folder(), name);
    galvani("edit", sample(name), "move-key", track, String(time), String(to(time)), "-o", out);
    const before = readFileSync(sample(name));
    const after = await saved(page, "Save");
    expect(after.equals(before)).toBe(false);
    expect(after.equals(readFileSync(out))).toBe(true);
  });
}

test("an archive of 50 MB opens, and the page stays awake", async ({ page }) => {
  await start(page);
  const file = join(folder(), "large.rlb");
  writeFileSync(file, archive(640, readFileSync(sample("walker.msh"))));
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await (await choosing).setFiles(file);
  // Nothing that the page does itself takes long: it goes on drawing.
  const longest = await page.evaluate(async () => {
    let [last, longest] = [performance.now(), 0];
    for (const end = last + 3000; last < end; ) {
      await new Promise((settle) => setTimeout(settle, 10));
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
    return longest;
  });
  await opened(page, "large.rlb");
  expect(longest).toBeLessThan(2000);
  await expect(page.locator(".files li")).toHaveCount(640);
  await page.getByRole("searchbox").fill("T0123");
  await page.locator(".files li button").click();
  await opened(page, "T0123.MSH");
  await expect.poll(() => drawn(page)).toBeGreaterThan(0.02);
});

test("an edit that is refused says why and changes nothing", async ({ page }) => {
  await start(page);
  await drop(page, sample("lantern.mdx"));
  await opened(page, "lantern.mdx");
  await tab(page, "Edit");
  await page.getByLabel("Operation").selectOption("rename-sequence");
  await page.locator(".edit form.operation input").nth(0).fill("Nobody");
  await page.locator(".edit form.operation input").nth(1).fill("x");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.locator(".status")).toContainText("Nobody");
  await expect(page.getByRole("button", { name: "Undo", exact: true })).toBeDisabled();
  expect((await saved(page, "Save")).equals(readFileSync(sample("lantern.mdx")))).toBe(true);
});

test("work that is not saved survives a reload", async ({ page }) => {
  await start(page);
  await drop(page, sample("lantern.mdx"));
  await opened(page, "lantern.mdx");
  await tab(page, "Edit");
  await page.getByLabel("Operation").selectOption("rename-sequence");
  await page.locator(".edit form.operation input").nth(0).fill("Stand");
  await page.locator(".edit form.operation input").nth(1).fill("Kept");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.locator(".clips")).toContainText("Kept");
  await page.reload();
  await expect(page.locator(".status")).toContainText("unsaved work");
  await expect(page.locator(".clips")).toContainText("Kept");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.locator(".clips")).not.toContainText("Kept");
});

test("a broken file shows its findings and its bytes", async ({ page }) => {
  await start(page);
  const lantern = readFileSync(sample("lantern.mdx"));
  await drop(page, { name: "cut.mdx", bytes: lantern.subarray(0, lantern.length / 2) });
  await opened(page, "cut.mdx");
  await expect(page.locator(".finding.error").first()).toBeVisible();
  await drop(page, { name: "nothing.bin", bytes: Buffer.from("nobody knows this") });
  await opened(page, "nothing.bin");
  await expect(page.locator(".finding.error")).toHaveCount(1);
  await tab(page, "Bytes");
  await expect(page.locator(".hex")).toContainText("nobody knows thi");
});

test("a field has its bytes, and a byte its field", async ({ page }) => {
  await start(page);
  await openSample(page, "walker.msh");
  await tab(page, "Bytes");
  await page.locator(".hex [data-at='4']").click();
  await expect(page.getByLabel("The field of the byte")).toContainText("=");
  const name = (await page.getByLabel("The field of the byte").textContent())!.split(":")[0]!;
  const rows = JSON.parse(galvani("dump", sample("walker.msh"), "--json")) as { offset: number; length: number; path: string }[];
  const row = rows.find(({ offset, length }) => offset <= 4 && 4 < offset + length)!;
  expect(name).toBe(row.path);
  await expect(page.locator(".hex .marked")).toHaveCount(row.length);
  await tab(page, "Tree");
  await page.locator(".tree summary").nth(1).click();
  await page.locator(".tree summary").nth(1).click();
  await expect(page.getByLabel("The field of the byte")).not.toBeEmpty();
});

test("everything can be done with keys", async ({ page }) => {
  await start(page);
  await page.getByRole("button", { name: "lantern.mdx" }).first().focus();
  await page.keyboard.press("Enter");
  await opened(page, "lantern.mdx");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.locator("canvas").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(".clips [aria-pressed=true]")).toHaveCount(1);
  await page.keyboard.press(".");
  await expect.poll(() => time(page)).toMatch(/^33 ms/);
  await page.keyboard.press(",");
  await expect.poll(() => time(page)).toMatch(/^0 ms/);
  await page.keyboard.press("b");
  await expect(await overlay(page, "Skeleton")).toBeChecked();
  await page.locator("canvas").focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.getByRole("tab", { name: "Findings" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Info" })).toBeFocused();
});

test("a link leads to its file, clip, time and camera", async ({ page }) => {
  await start(page);
  await openSample(page, "lantern.mdx");
  await page.locator(".clips button").nth(1).click();
  await seek(page, 100);
  await page.getByRole("button", { name: "Link" }).click();
  await expect.poll(() => page.url()).toContain("t=100");
  const url = page.url();
  await page.goto("about:blank");
  await page.goto(url);
  await opened(page, "lantern.mdx");
  await expect.poll(() => time(page)).toMatch(/^100 ms/);
  await expect(page.locator(".clips button").nth(1)).toHaveAttribute("aria-pressed", "true");
});

test("a model is saved as glTF and as a picture", async ({ page }) => {
  await start(page);
  await openSample(page, "walker.msh");
  const out = join(folder(), "walker.glb");
  galvani("convert", sample("walker.msh"), "-o", out);
  expect((await saved(page, "glTF")).equals(readFileSync(out))).toBe(true);
  expect((await saved(page, "PNG")).subarray(0, 4).toString("latin1")).toBe("\x89PNG");
});

test("the library stops and starts again with the file and its edits", async ({ page }) => {
  await start(page);
  await drop(page, sample("lantern.mdx"));
  await opened(page, "lantern.mdx");
  await expect(page.locator(".clips button")).toHaveCount(4);
  const before = await page.locator(".clips").textContent();
  await page.workers()[0]!.evaluate(() => void setTimeout(() => { throw new Error("panic: made by a test"); }));
  await expect(page.locator(".status")).toContainText("stopped");
  await expect(page.locator(".clips")).toHaveText(before!);
  expect((await saved(page, "Save")).equals(readFileSync(sample("lantern.mdx")))).toBe(true);
});

test("pictures are as they were when somebody looked at them", async ({ page }) => {
  await start(page);
  for (const name of ["walker.msh", "lantern.mdx"]) {
    await page.goto("about:blank");
    await start(page);
    await openSample(page, name);
    await page.locator(".clips button").first().click();
    await seek(page, 0);
    await expect.poll(() => drawn(page)).toBeGreaterThan(0.02);
    await (await overlay(page, "Skeleton")).check();
    await page.locator(".overlays summary").click();
    await expect(page.locator("main")).toHaveScreenshot(`${name.replace(".", "-")}.png`);
  }
});

