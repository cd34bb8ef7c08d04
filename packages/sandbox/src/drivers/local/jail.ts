import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PythonEnvironment } from "../../python-environment.ts";
import { guestFolder, wardenArguments } from "../_shared/guest-folder.ts";
import type { Layout } from "../_shared/layout.ts";
import type { Launch } from "../_shared/zygote/zygote.ts";
import { bubblewrapArguments, type JailBind } from "./bubblewrap.ts";
import { findBubblewrap, projectIds, sandboxUsers } from "./requirements.ts";

/** Starts the zygote inside bubblewrap, by way of `atoll_guest/zygote/launch.py`. */
export async function launchInJail(layout: Layout, python: PythonEnvironment): Promise<Launch> {
  const bwrap = await findBubblewrap();
  return async (folder, key) => {
    const binds: JailBind[] = [
      { source: join(guestFolder, "atoll_guest"), target: "/atoll/guest/atoll_guest", writable: false },
      { source: layout.store, target: "/atoll/store", writable: true },
      { source: join(layout.store, "datasets"), target: "/atoll/store/datasets", writable: false },
      { source: folder, target: "/atoll/run", writable: true },
    ];
    const jail = await bubblewrapArguments(python, folder);
    const parked = `sandboxes/.parked-${key}`;
    const settings = { run_folder: "/atoll/run", store: "/atoll/store", parked, new_root: "/newroot" };
    const config = {
      key,
      bwrap,
      runFolder: folder,
      system: jail.system,
      jailUser: layout.owner?.uid ?? null,
      jailGroup: layout.owner?.gid ?? null,
      sandboxUsers: sandboxUsers(),
      projectIds: projectIds(),
      parked,
      arguments: jail.arguments,
      binds: [...binds, ...jail.binds],
      command: [jail.interpreter, ...wardenArguments("/atoll/guest", settings)],
    };
    // Beside the folder, which the jail can write to: it must not choose what starts it.
    const path = `${folder}.json`;
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return [python.executable, "-I", join(guestFolder, "atoll_guest/zygote/launch.py"), path];
  };
}
