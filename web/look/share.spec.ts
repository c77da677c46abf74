// What is given to others, how a model is shown, and what hangs on it.

import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { drawn, drop, opened, openSample, overlay, picture, sample, saved, start } from "./desk";

for (const [kind, head] of [["GIF", "GIF89a"], ["APNG", "\x89PNG"]] as const) {
  test(`a clip becomes a ${kind}`, async ({ page }) => {
    await start(page);
    await openSample(page, "lantern.mdx");
    await page.getByRole("button", { name: "Film" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Kind").selectOption(kind);
    await dialog.getByLabel("Size").selectOption({ index: 0 });
    await dialog.getByLabel("Pictures a second").selectOption("10");
    const film = await saved(page, "Make it");
    expect(film.subarray(0, head.length).toString("latin1")).toBe(head);
    if (kind === "APNG") expect(film.includes("acTL")).toBe(true);
    await expect(dialog).toBeHidden();
  });
}

test("a model is shown in another team's colour", async ({ page }) => {
  await start(page);
  await openSample(page, "lantern.mdx");
  await expect.poll(() => drawn(page)).toBeGreaterThan(0.02);
  const before = await picture(page);
  await page.getByText("Shown as").click();
  const form = page.locator(".look form");
  await form.locator("input[name=team]").fill("1");
  await form.getByRole("button", { name: "Show it so" }).click();
  await expect.poll(async () => (await picture(page)) === before).toBe(false);
  await form.locator("input[name=team]").fill("99");
  await form.getByRole("button", { name: "Show it so" }).click();
  await expect(page.locator(".status")).toContainText("99");
});

for (const [name, things] of [
  ["lantern.mdx", ["Attachments", "Lights", "Cameras", "Collision"]],
  ["walker.msh", ["Collision"]],
] as const) {
  test(`what hangs on ${name} is drawn`, async ({ page }) => {
    const { problems } = await start(page);
    await openSample(page, name);
    await expect.poll(() => drawn(page)).toBeGreaterThan(0.02);
    for (const thing of things) {
      const before = await picture(page);
      await (await overlay(page, thing)).check();
      await expect.poll(async () => (await picture(page)) === before, thing).toBe(false);
    }
    expect(problems).toEqual([]);
  });
}

test("a finding leads to its bytes, its place in the tree and its node", async ({ page }) => {
  await start(page);
  // A bone whose parent is not there.
  const lantern = readFileSync(sample("lantern.mdx"));
  lantern.writeInt32LE(9999, lantern.indexOf("BONE") + 8 + 4 + 84);
  await drop(page, { name: "torn.mdx", bytes: lantern });
  await opened(page, "torn.mdx");
  await expect.poll(() => drawn(page)).toBeGreaterThan(0.02);
  const before = await picture(page);
  await page.locator(".finding", { hasText: "parent" }).first().click();
  await expect(page.locator(".hex .marked")).toHaveCount(4);
  await expect(page.getByLabel("The field of the byte")).toContainText("9999");
  await expect.poll(async () => (await picture(page)) === before).toBe(false);
  await page.getByRole("tab", { name: "Tree" }).click();
  await expect(page.locator(".tree details[open] summary", { hasText: "BONE" }).first()).toBeVisible();
});
