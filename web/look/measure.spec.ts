// How large the page is and what it takes, in Chromium. What is told here goes by the machine; only sizes are held.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { openSample, start } from "./desk";

const BUILT = join(import.meta.dirname, "../dist");

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

test("the page is small", () => {
  const packed = (isWanted: (path: string) => boolean) =>
    files(BUILT).filter(isWanted).reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0);
  const code = packed((path) => !path.endsWith(".wasm"));
  const wasm = packed((path) => path.endsWith(".wasm"));
  console.log(`the page's own code: ${code} bytes compressed, the library: ${wasm}`);
  expect(code).toBeLessThan(1 << 20);
  expect(wasm).toBeLessThan(3 << 20);
});

test("what our own work of a frame takes is told", async ({ page }) => {
  await start(page);
  await openSample(page, "walker.msh");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.locator("main .count")).toContainText("sampled in");
  console.log(await page.locator("main .count").textContent());
});
