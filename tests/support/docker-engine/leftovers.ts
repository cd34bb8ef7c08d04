import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { engineName, ENGINE_NAME_PREFIX } from "./engine.ts";

const GROUPS = "/sys/fs/cgroup";

/** Of an engine that no longer runs: a daemon that is ended while it starts a container leaves parts of it behind. */
export function removeLeftovers(folder: string): void {
  endShims(folder);
  unmount(folder);
  // Also those of keepers that were killed: a keeper that lives has a socket of its group's name.
  const alive = readFileSync("/proc/net/unix", "utf8");
  const isOver = (name: string) => name === engineName(folder) || !alive.includes(`@${name}`);
  for (const controller of readdirSync(GROUPS)) {
    const place = join(GROUPS, controller);
    if (!existsSync(join(place, "cgroup.procs"))) continue;
    for (const name of readdirSync(place))
      if (name.startsWith(ENGINE_NAME_PREFIX) && isOver(name)) removeGroup(join(place, name));
  }
}

/** They are told where the engine's containerd is, and that is in its folder. */
function endShims(folder: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      if (words[0]?.includes("containerd-shim") && words.some((word) => word.startsWith(`${folder}/`)))
        process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}

function unmount(folder: string): void {
  const places = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((place) => place.startsWith(`${folder}/`));
  if (places.length > 0) execFileSync("umount", ["--lazy", ...places], { stdio: "ignore" });
}

/** With the containers in it; one in which something still ends is removed by the next keeper. */
function removeGroup(path: string): void {
  try {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) removeGroup(join(path, entry.name));
    for (const pid of readFileSync(join(path, "cgroup.procs"), "utf8").split("\n").filter(Boolean))
      process.kill(Number(pid), "SIGKILL");
    rmdirSync(path);
  } catch {
    // Busy, or gone.
  }
}
