import { writeFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Everything is a separate file: the page's policy allows nothing inline. */
export default defineConfig(({ mode }) => ({
  base: "/ui/",
  plugins: [react(), ...(mode === "development" ? [reloadOnBuild()] : [])],
  build: {
    outDir: "dist",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    chunkSizeWarningLimit: 6000,
    rolldownOptions: { input: ["index.html", "chart.html", "html.html"] },
  },
}));

const reloadScript = `let known;
setInterval(async () => {
  const answer = await fetch("/ui/build.txt", { cache: "no-store" }).catch(() => undefined);
  if (!answer?.ok) return;
  const build = await answer.text();
  known ??= build;
  if (build !== known) location.reload();
}, 1000);
`;

/** For `npm run dev`: an open page polls for a new build and reloads itself. */
function reloadOnBuild(): Plugin {
  return {
    name: "reload-on-build",
    transformIndexHtml: {
      order: "post",
      handler: (_, { path }) =>
        path === "/index.html"
          ? [{ tag: "script", attrs: { type: "module", src: "/ui/reload.js" }, injectTo: "head" }]
          : [],
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "reload.js", source: reloadScript });
    },
    // Last, when all files are written.
    writeBundle({ dir = "dist" }) {
      writeFileSync(join(dir, "build.txt"), String(Date.now()));
      console.log(`page: built at ${new Date().toLocaleTimeString()}`);
    },
  };
}
