import { createHash, type Hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Where the Python package `atoll_guest` is. */
export const guestFolder = dirname(createRequire(import.meta.url).resolve("@atoll/guest/package.json"));

/** Takes the guest's code into a digest: what runs older code is of no use. */
export async function digestGuest(hash: Hash = createHash("sha256")): Promise<string> {
  const names = await readdir(join(guestFolder, "atoll_guest"), { recursive: true });
  for (const name of names.filter((name) => name.endsWith(".py")).toSorted()) {
    hash.update(name).update(await readFile(join(guestFolder, "atoll_guest", name)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** How long a zygote that nobody uses stays, so that the next program finds it ready. */
const defaultIdleS = 600;

/** The arguments with which an interpreter becomes the warden, given where it finds the guest and its settings. */
export function wardenArguments(guestPath: string, settings: Record<string, unknown>): string[] {
  const start = `import sys; sys.path.insert(0, ${JSON.stringify(guestPath)}); from atoll_guest.zygote.warden import main; main()`;
  const idle_exit_s = Number(process.env["ATOLL_ZYGOTE_IDLE_S"] ?? defaultIdleS);
  return ["-I", "-B", "-X", "utf8", "-c", start, JSON.stringify({ idle_exit_s, ...settings })];
}
