import { chmod, rm, writeFile } from "node:fs/promises";
import type { Home } from "./container-folders.ts";
import { isGvisor, type Shape } from "./container-config.ts";
import { buildStatShim } from "./stat-shim-library.ts";

const library = { name: "stat-shim.so", target: "/usr/lib/atoll-stat-shim.so" };
const preloaded = { name: "ld.so.preload", target: "/etc/ld.so.preload" };

/** A file beside a sandbox's folders on the host, and where its container has it. */
export interface ShimMount {
  readonly name: string;
  readonly target: string;
}

/**
 * coreutils look at files with `AT_NO_AUTOMOUNT`, which the gVisor of Debian 12 refuses in `statx` and `newfstatat`
 * alike, so that `ls -l` and `stat` fail. Nothing in a container is ever mounted automatically: a library of two
 * functions leaves the flag out, and the loader puts it before the C library of every program, whatever its environment.
 * On other processors than x86-64 these commands go on to fail.
 */
export function statShimMounts({ runtime }: Shape): readonly ShimMount[] {
  return isGvisor(runtime) && process.arch === "x64" ? [library, preloaded] : [];
}

export async function writeStatShim(home: Home, shape: Shape): Promise<void> {
  for (const { name } of statShimMounts(shape)) {
    // A new file each time: a container before may still have the last one mapped.
    await rm(home.path(name), { force: true });
    const content = name === library.name ? buildStatShim() : `${library.target}\n`;
    await writeFile(home.path(name), content, { flag: "wx" });
    // Whatever the umask is: the sandbox's user reads it.
    await chmod(home.path(name), 0o644);
  }
}
