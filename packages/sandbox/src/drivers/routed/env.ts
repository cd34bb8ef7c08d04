import type { Env } from "../../contract/system.ts";
import type { TreeContent, Trees } from "../../contract/trees.ts";
import { keyOf } from "./files/tree-difference.ts";
import type { Pair } from "./pair.ts";
import type { LightCapacity } from "./files/shared-files.ts";

/** Both sandboxes' environment; the heavy one gets what was set before it started. */
export function createRoutedEnv(pair: Pair): {
  env: Env;
  changes(): Readonly<Record<string, string | null>>;
} {
  const changed: Record<string, string | null> = {};
  return {
    changes: () => changed,
    env: {
      get: async (name, options) => ((await pair.startedHeavy()) ?? pair.light).env.get(name, options),
      list: async (options) => ((await pair.startedHeavy()) ?? pair.light).env.list(options),
      async set(values, options) {
        await pair.each((handle) => handle.env.set(values, options));
        Object.assign(changed, values);
      },
    },
  };
}

export function createRoutedTrees(pair: Pair, { fileBytes, totalBytes }: LightCapacity): Trees {
  const isLarge = (entries: readonly TreeContent[]) => {
    const sizes = entries.map(({ sizeBytes }) => sizeBytes);
    return (
      sizes.some((bytes) => bytes > fileBytes) ||
      sizes.reduce((sum, bytes) => sum + bytes, 0) > totalBytes / 2
    );
  };
  return {
    scan: async (options) => (await pair.home()).trees.scan(options),
    pack: async (files, options) => (await pair.home()).trees.pack(files, options),
    async unpack(given, options) {
      const entries = [...given];
      const home = isLarge(entries) ? await pair.heavy() : await pair.home();
      try {
        const refused = await home.trees.unpack(entries, options);
        if (refused.length === 0 || pair.hasHeavy) return refused;
        // Linux takes names that the light sandbox has no way to write. Folders come along for their times.
        const keys = new Set(refused.map(keyOf));
        const rest = entries.filter((entry) => entry.kind === "folder" || keys.has(keyOf(entry)));
        return await (await pair.heavy()).trees.unpack(rest, options);
      } finally {
        pair.touched();
      }
    },
  };
}
