import { join } from "node:path";
import type { Driver } from "../../contract/driver.ts";
import { findPython } from "../../python-environment.ts";
import { defineZygoteDriver } from "../_shared/zygote/driver.ts";
import { guestFolder, wardenArguments } from "../_shared/guest-folder.ts";

/** No isolation at all: code runs as the user of this process, in folders of its own. `auto` never takes it. */
export const hostDriver: Driver = defineZygoteDriver({
  name: "host",
  capabilities: {
    isolation: false,
    shell: true,
    pty: true,
    pause: true,
    snapshot: true,
    ports: true,
    // What one run leaves could not be kept from the next.
    ephemeral: false,
    attach: true,
    network: [],
    memoryLimit: "process",
    diskLimit: "watched",
  },
  async unavailableBecause() {
    if (process.platform === "win32") return "it needs Unix sockets and fork, and this is Windows";
    await findPython();
    return undefined;
  },
  owner: () => undefined,
  paths(layout, id) {
    const folder = layout.sandbox(id);
    return {
      workspace: join(folder, "workspace"),
      session: join(folder, "session"),
      artifacts: join(folder, "session/artifacts"),
      data: layout.datasets(id),
      outputs: join(folder, "outputs"),
    };
  },
  env: (python) => ({
    PATH: [python.venv && join(python.venv, "bin"), process.env["PATH"]].filter(Boolean).join(":"),
  }),
  launcher: async (layout, python) => async (folder, key) => {
    const parked = `sandboxes/.parked-${key}`;
    const settings = { run_folder: folder, store: layout.store, parked, new_root: null };
    const fonts = python.mplConfigDir ? [`ATOLL_MPLCONFIG=${python.mplConfigDir}`] : [];
    return ["/usr/bin/env", ...fonts, python.executable, ...wardenArguments(guestFolder, settings)];
  },
});
