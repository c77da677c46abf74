import { defineConfig } from "vitest/config";

export default defineConfig({
  // It may be served from any folder.
  base: "./",
  build: { target: "es2022", chunkSizeWarningLimit: 1000 },
  worker: { format: "es" },
  test: { include: ["tests/*.test.ts"] },
});
