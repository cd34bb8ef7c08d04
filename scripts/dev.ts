// `npm run dev`: the server, restarted when its sources change, and the page, rebuilt and reloaded when its own do. One
// Ctrl-C ends both. The server serves the page as usual, with the same policy and the same cookies.
//   npm run dev -- --call file_list '{"path": "/data"}'    a scripted model calls this tool at every message
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { RestartingProcess } from "./dev/restarting-process.ts";
import { startScriptedModel } from "./dev/scripted-model.ts";
import { watchSources } from "./dev/watch-sources.ts";

const root = resolve(import.meta.dirname, "..");
const devDir = join(root, ".atoll/dev");
const pageDir = join(devDir, "page");
/** How long a server may take to save the variables of its threads. */
const GRACE_MS = 20_000;

/** A change of the guest's Python needs another zygote, which a new server starts. */
const SOURCES = ["std", "protocol", "sandbox", "lifecycle", "toolkit", "analyst", "agent", "server"]
  .map((name) => join(root, "packages", name, "src"))
  .concat(join(root, "packages/guest/atoll_guest"));

const {
  values: { call },
  positionals: [args = "{}"],
} = parseArgs({ options: { call: { type: "string" } }, allowPositionals: true });

const env = {
  // Keeps unfinished code away from the threads of `npm start`.
  ATOLL_DATA_DIR: join(devDir, "data"),
  // Long enough for the next server to find the zygote, and soon gone after the last one.
  ATOLL_ZYGOTE_IDLE_S: "5",
  ...process.env,
  ...(call === undefined ? {} : await startScriptedModel(call, args)),
};

rmSync(pageDir, { recursive: true, force: true });
const page = startPage();
const server = new RestartingProcess({
  command: [process.execPath, join(import.meta.dirname, "dev/server.ts"), pageDir],
  options: { cwd: root, env },
  graceMs: GRACE_MS,
  say: (text) => console.log(`server: ${text}`),
});
const stopWatching = watchSources(SOURCES, (path) => server.restart(`${path} has changed`));
endOnSignal();

function startPage() {
  const endWithParent = join(import.meta.dirname, "dev/end-with-parent.ts");
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const output = ["--outDir", pageDir, "--no-emptyOutDir", "--minify", "false", "--clearScreen", "false"];
  const build = [vite, "build", "--watch", "--mode", "development", "--logLevel", "warn", ...output];
  const child = spawn(process.execPath, ["--import", endWithParent, ...build], {
    cwd: join(root, "packages/web"),
    // Shows React's own warnings too.
    env: { ...process.env, NODE_ENV: "development" },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.once("exit", (code) => {
    if (code !== null && code !== 0) console.error(`page: vite has ended (${code}); start npm run dev again`);
  });
  return child;
}

function endOnSignal(): void {
  let signals = 0;
  const end = async () => {
    signals += 1;
    // A second Ctrl-C does not wait.
    if (signals > 1) return server.kill();
    stopWatching();
    page.kill();
    await server.stop();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end());
}
