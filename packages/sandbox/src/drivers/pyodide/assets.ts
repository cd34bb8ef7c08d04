import { readFileSync } from "node:fs";
import { join } from "node:path";
import { guestFolder } from "../zygote/guest-folder.ts";
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
  const here = import.meta.dirname;
  return {
    node: process.execPath,
    program: join(here, "inside/main.ts"),
    sources: [
      join(here, "inside"),
      join(here, "../../guest/frames.ts"),
      join(here, "../../guest/bounded-json.ts"),
      // Says that these are ES modules.
      join(here, "../../../package.json"),
    ],
    pyodide: distributionFolder(),
    guest: join(guestFolder, "atoll_guest"),
    wheels: findWheels(),
  };
}

/** Written by `scripts/setup/wheels.mjs` at the root of the repository. */
function findWheels(): Wheel[] {
  const folder = join(import.meta.dirname, "../../../../../.atoll/wheels");
  try {
    const index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as Record<string, string[]>;
    return Object.entries(index).map(([name, modules]) => ({ path: join(folder, name), modules }));
  } catch {
    return [];
  }
}
