import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./cache-folder.ts";

/** What an interpreter is started from. */
const files = [
  "pyodide.mjs",
  "pyodide.asm.mjs",
  "pyodide.asm.wasm",
  "python_stdlib.zip",
  "pyodide-lock.json",
  "package.json",
];
const patienceMs = 120_000;

/** Pyodide's files: of the npm package, or of the copy that `PYODIDE_INDEX_URL` names. */
export function distributionFolder(): string {
  const named = process.env["PYODIDE_INDEX_URL"];
  if (!named) return packageFolder();
  if (isRemote(named))
    return join(cacheFolder(), createHash("sha256").update(named).digest("hex").slice(0, 16));
  return named.startsWith("file:") ? fileURLToPath(named) : named;
}

export function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
}

/** A copy on a server is fetched once, and only where `PYODIDE_INDEX_URL` names one. */
export async function fetchDistribution(): Promise<void> {
  const named = process.env["PYODIDE_INDEX_URL"] ?? "";
  const folder = distributionFolder();
  const missing = files.filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 0) return;
  if (!isRemote(named)) throw new Error(`PYODIDE_INDEX_URL names ${folder}, where ${missing[0]} is missing`);
  const fresh = `${folder}.${randomUUID()}`;
  try {
    await mkdir(fresh, { recursive: true, mode: 0o755 });
    for (const name of files) await writeFile(join(fresh, name), await fetchFile(named, name));
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function fetchFile(index: string, name: string): Promise<Uint8Array> {
  const url = new URL(name, index.endsWith("/") ? index : `${index}/`);
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) }).catch((cause: unknown) => {
    throw new Error(`PYODIDE_INDEX_URL: ${name} cannot be fetched from ${url.host}`, { cause });
  });
  if (!response.ok)
    throw new Error(`PYODIDE_INDEX_URL: ${url.host} answers ${response.status} for ${url.pathname}`);
  return new Uint8Array(await response.arrayBuffer());
}

function isRemote(named: string): boolean {
  return /^https?:\/\//.test(named);
}
