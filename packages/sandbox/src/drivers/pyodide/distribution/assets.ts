import { readFileSync } from "node:fs";
import { join } from "node:path";
import { guestFolder } from "../../_shared/guest-folder.ts";
import { distributionFolder } from "./distribution.ts";

/** What the process of a sandbox reads while it starts, and nothing else. */
export interface Assets {
  readonly node: string;
  /** The program, and what it imports. */
  readonly program: string;
  readonly sources: readonly string[];
  readonly pyodide: string;
  readonly guest: string;
  /** Packages that set-up has fetched. */
  readonly wheels: readonly Wheel[];
}

export interface Wheel {
  readonly path: string;
  /** That it can be imported by. */
  readonly modules: readonly string[];
}

export function findAssets(): Assets {
  const source = join(import.meta.dirname, "../../..");
  const inside = join(source, "drivers/pyodide/inside");
  return {
    node: process.execPath,
    program: join(inside, "main.ts"),
    sources: [
      inside,
      join(source, "guest/wire/frames.ts"),
      join(source, "guest/wire/bounded-json.ts"),
      // Says that these are ES modules.
      join(source, "../package.json"),
    ],
    pyodide: distributionFolder(),
    guest: join(guestFolder, "atoll_guest"),
    wheels: findWheels(),
  };
}

/** Written by `scripts/setup/wheels.mjs` at the root of the repository. */
function findWheels(): Wheel[] {
  const folder = join(import.meta.dirname, "../../../../../../.atoll/wheels");
  try {
    const index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as Record<string, string[]>;
    return Object.entries(index).map(([name, modules]) => ({ path: join(folder, name), modules }));
  } catch {
    return [];
  }
}
