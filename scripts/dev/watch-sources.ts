import { watch } from "node:fs";
import { join, relative } from "node:path";

/** Editors write a file in several steps, and git writes many: all of that is one change. */
const QUIET_MS = 200;

/** Reports changes that come close together once, with the first path. Returns a function that stops watching. */
export function watchSources(folders: readonly string[], onChange: (path: string) => void): () => void {
  let first: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, name) => {
      if (name === null || !isSource(name)) return;
      first ??= relative(process.cwd(), join(folder, name));
      clearTimeout(timer);
      timer = setTimeout(() => {
        const path = first ?? name;
        first = undefined;
        onChange(path);
      }, QUIET_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Excludes tests, and what Python and editors write beside sources. */
function isSource(name: string): boolean {
  return /\.(ts|mjs|js|py|md|txt|json)$/.test(name) && !/\.test\.ts$|__pycache__|(^|\/)[.#]/.test(name);
}
