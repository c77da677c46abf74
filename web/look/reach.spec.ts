// Whether everybody can use the page: with a screen reader, in the dark, on a phone.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { opened, openSample, start } from "./desk";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What axe finds wrong. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    return (await axe.run()).violations;
  });
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing wrong in the ${colorScheme}`, async ({ browser }) => {
    const page = await browser.newPage({ colorScheme, bypassCSP: true });
    await start(page);
    expect(await violations(page)).toEqual([]);
    await openSample(page, "lantern.mdx");
    for (const tab of ["Findings", "Info", "Tree", "Bytes", "Pose", "Keys", "Edit", "Compare"]) {
      await page.getByRole("tab", { name: tab }).click();
      expect(await violations(page), tab).toEqual([]);
    }
    await page.close();
  });
}

test("a phone shows everything without moving sideways", async ({ browser }) => {
  const page = await browser.newPage({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  await start(page);
  await openSample(page, "lantern.mdx");
  await opened(page, "lantern.mdx");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await page.locator(".play").scrollIntoViewIfNeeded();
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await page.close();
});
