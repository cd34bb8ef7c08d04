import { cpus, loadavg, release, totalmem } from "node:os";
import { MEGABYTE } from "./measure.ts";

/** What the figures were measured on. The load average is that of the moment. */
export function describeMachine() {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? "unknown",
    memory_mb: Math.round(totalmem() / MEGABYTE),
    kernel: release(),
    node: process.version,
    load_average: loadavg().map((load) => Number(load.toFixed(2))),
  };
}

export type Machine = ReturnType<typeof describeMachine>;
