import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Every part is a file of its own: the page's policy allows nothing inline. */
export default defineConfig({
  base: "/ui/",
  plugins: [react()],
  build: {
    outDir: "dist",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    chunkSizeWarningLimit: 6000,
    rolldownOptions: { input: ["index.html", "chart.html", "html.html"] },
  },
  server: { proxy: { "^/(?!ui)": "http://127.0.0.1:8000" } },
});
