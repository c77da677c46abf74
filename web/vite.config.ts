import { defineConfig } from "vitest/config";

export default defineConfig({
  // It may be served from any folder.
  base: "./",
  // The folder itself stays: the command is built with what lies in it.
  build: { target: "es2022", chunkSizeWarningLimit: 1000, emptyOutDir: false },
  worker: { format: "es" },
  test: { include: ["tests/*.test.ts"] },
});
