import { defineConfig } from "@playwright/test";

const PORT = 4173;

export default defineConfig({
  testDir: "look",
  timeout: 180_000,
  // Pictures are drawn by the processor: one page at a time is fast enough.
  workers: 1,
  reporter: "list",
  outputDir: "test-results",
  snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
  expect: { timeout: 60_000, toHaveScreenshot: { maxDiffPixelRatio: 0.02, threshold: 0.25 } },
  use: {
    baseURL: `http://127.0.0.1:${PORT}/`,
    viewport: { width: 1000, height: 640 },
    launchOptions: {
      executablePath: "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        // Where the processor draws, drawing is slow, not stuck.
        "--disable-gpu-watchdog",
        "--use-gl=angle",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
      ],
    },
  },
  webServer: {
    command: `npx vite preview --host 127.0.0.1 --port ${PORT} --strictPort`,
    url: `http://127.0.0.1:${PORT}/`,
    timeout: 120_000,
  },
});
