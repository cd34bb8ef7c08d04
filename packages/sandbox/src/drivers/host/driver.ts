import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Driver } from "../../contract/driver.ts";
import type { Capabilities, SandboxHandle, SandboxInfo, SandboxPaths } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { findPython } from "../../python-environment.ts";
import { guestFolder } from "../guest-folder.ts";
import { insideEnv } from "../inside.ts";
import { Layout } from "../layout.ts";
import { checkCreateOptions, checkId, findDataDir, type SandboxSpec } from "../options.ts";
import { attachResident, listResidents, refuseIfAlive } from "../residents.ts";

const capabilities: Capabilities = {
  isolation: false,
  shell: true,
  pty: true,
  pause: true,
  snapshot: true,
  ports: true,
  attach: true,
  network: [],
  memoryLimit: "process",
};

/** No isolation at all: code runs as the user of this process, in folders of its own. `auto` never takes it. */
export const hostDriver: Driver = {
  name: "host",
  capabilities,
  async unavailableBecause() {
    if (process.platform === "win32") return "it needs Unix sockets and fork, and this is Windows";
    const python = await findPython();
    return python.missing.includes("IPython") ? `${python.executable} has no IPython: run \`npm start\` once` : undefined;
  },
  async create(options) {
    const spec = checkCreateOptions(options, capabilities);
    if (spec.mode === "ephemeral") {
      throw new AtollError("not_supported", `the host runtime has no ephemeral mode: its runs would not be apart`);
    }
    const reason = await hostDriver.unavailableBecause();
    if (reason) throw new AtollError("runtime_unavailable", `the host runtime cannot run here: ${reason}`);
    return create(spec);
  },
  attach: async (id, options = {}) => attachResident(layoutOf(options.dataDir), checkId(id), options),
  list: async (options = {}) => listResidents(layoutOf(options.dataDir)),
};

function layoutOf(dataDir?: string): Layout {
  return new Layout(findDataDir(dataDir), hostDriver.name);
}

async function create(spec: SandboxSpec): Promise<SandboxHandle> {
  const layout = layoutOf(spec.dataDir);
  if (spec.isNamed) await refuseIfAlive(layout, spec.id);
  await layout.prepare();
  await layout.placeDatasets(spec.id, spec.datasets);
  const paths = pathsOf(layout, spec.id);
  const info: SandboxInfo = {
    id: spec.id,
    driver: hostDriver.name,
    mode: spec.mode,
    createdAt: new Date().toISOString(),
    limits: spec.limits,
    capabilities,
    paths,
    labels: spec.labels,
  };
  try {
    await startGuest(layout, spec, info);
    return await attachResident(layout, spec.id);
  } catch (error) {
    if (!spec.isNamed) await layout.remove(spec.id, false);
    throw error;
  }
}

function pathsOf(layout: Layout, id: string): SandboxPaths {
  const folder = layout.sandbox(id);
  return {
    workspace: join(folder, "workspace"),
    session: join(folder, "session"),
    artifacts: join(folder, "session/artifacts"),
    data: layout.datasets(id),
    outputs: join(folder, "outputs"),
  };
}

/** Waits for the guest's word that it listens; should it end instead, its log says why. */
async function startGuest(layout: Layout, spec: SandboxSpec, info: SandboxInfo): Promise<void> {
  const python = await findPython();
  const folder = layout.sandbox(spec.id);
  const { paths } = info;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const log = openSync(join(folder, "guest.log"), "w", 0o600);
  const bin = python.venv ? `${python.venv}/bin:` : "";
  const params = {
    id: spec.id,
    limits: spec.limits,
    env: { ...insideEnv(paths), PATH: `${bin}${process.env["PATH"] ?? "/usr/bin:/bin"}`, ...spec.env },
    paths,
    orphanTimeoutMs: spec.orphanTimeoutMs,
    folder,
    info,
  };
  const code = `import sys; sys.path.insert(0, ${JSON.stringify(guestFolder)}); from atoll_guest.host import main; main()`;
  const child = spawn(python.executable, ["-I", "-X", "utf8", "-c", code, JSON.stringify(params)], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", log, log, "pipe"],
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", ...(python.mplConfigDir ? { ATOLL_MPLCONFIG: python.mplConfigDir } : {}) },
  });
  closeSync(log);
  const ready = child.stdio[3] as unknown as Socket;
  const word = await new Promise<string>((resolve) => {
    ready.once("data", (chunk) => resolve(String(chunk)));
    ready.once("close", () => resolve(""));
    child.once("error", () => resolve(""));
  });
  ready.destroy();
  child.unref();
  if (word !== "ready") {
    const words = await readFile(join(folder, "guest.log"), "utf8").catch(() => "");
    throw new AtollError("runtime_unavailable", `the guest did not start: ${words.trim().split("\n").slice(-5).join("\n")}`);
  }
}
