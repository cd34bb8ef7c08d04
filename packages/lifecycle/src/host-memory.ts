import { readFile } from "node:fs/promises";
import { freemem } from "node:os";

/** What the host can still give without swapping. */
export async function readAvailableBytes(): Promise<number> {
  const facts = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(facts)?.[1];
  return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024;
}
