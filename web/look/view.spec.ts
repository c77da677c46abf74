// `galvani view`: the same page, served by the command.

import { spawn, type ChildProcess } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "@playwright/test";
import { drawn, folder, galvani, GALVANI, opened, sample } from "./desk";

async function served(...files: string[]): Promise<{ address: string; child: ChildProcess }> {
  const child = spawn(GALVANI, ["view", "--no-open", ...files], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface({ input: child.stdout })) return { address: line, child };
  throw new Error("the server did not start");
}

test("a file is shown, changed, and saved where it was", async ({ page }) => {
  const file = join(folder(), "lantern.mdx");
  copyFileSync(sample("lantern.mdx"), file);
  const { address, child } = await served(file);
  try {
    const problems: string[] = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    await page.goto(address);
    await opened(page, "lantern.mdx");
    await expect.poll(() => drawn(page)).toBeGreaterThan(0.02);
    await page.getByRole("tab", { name: "Edit" }).click();
    await page.getByLabel("Operation").selectOption("rename-sequence");
    await page.locator("form.operation input").nth(0).fill("Stand");
    await page.locator("form.operation input").nth(1).fill("Stand - 2");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.locator(".clips")).toContainText("Stand - 2");
    // Nothing is written before somebody says yes.
    page.once("dialog", (dialog) => void dialog.dismiss());
    await page.getByRole("button", { name: "Save" }).click();
    expect(readFileSync(file).equals(readFileSync(sample("lantern.mdx")))).toBe(true);
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("status")).toContainText("was written");
    const out = join(folder(), "edited.mdx");
    galvani("edit", sample("lantern.mdx"), "rename-sequence", "Stand", "Stand - 2", "-o", out);
    expect(readFileSync(file).equals(readFileSync(out))).toBe(true);
    expect(problems).toEqual([]);
  } finally {
    child.kill();
  }
});

test("a file that changes on the disk is shown anew", async ({ page }) => {
  const file = join(folder(), "lantern.mdx");
  copyFileSync(sample("lantern.mdx"), file);
  const { address, child } = await served(file);
  try {
    await page.goto(address);
    await opened(page, "lantern.mdx");
    const out = join(folder(), "edited.mdx");
    galvani("edit", file, "rename-sequence", "Stand", "From outside", "-o", out);
    writeFileSync(file, readFileSync(out));
    await expect(page.locator(".clips")).toContainText("From outside");
  } finally {
    child.kill();
  }
});

test("a model has its textures, and a member its archive", async ({ page }) => {
  const { address, child } = await served(sample("frog.lgp/zgaa"));
  try {
    await page.goto(address);
    await opened(page, "zgaa");
    await expect.poll(() => drawn(page)).toBeGreaterThan(0.02);
  } finally {
    child.kill();
  }
});
