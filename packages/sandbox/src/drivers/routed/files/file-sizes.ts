import { stat } from "node:fs/promises";
import { join, posix } from "node:path";
import type { SandboxHandle } from "../../../contract/sandbox.ts";
import { analyzeCode, type CodeAnalysis } from "../../../routing/analysis.ts";
import { firstPart } from "../../../routing/imports.ts";

const maxModuleBytes = 50_000;
const maxModules = 20;

/** Of the files that the code opens by a path that is written out: bytes, by that path. */
export async function measureFiles(
  paths: readonly string[],
  sizeOf: (inside: string) => Promise<number | undefined>,
): Promise<Map<string, number>> {
  const sizes = await Promise.all(paths.map(async (path) => [path, await sizeOf(path)] as const));
  return new Map(sizes.filter((pair): pair is readonly [string, number] => pair[1] !== undefined));
}

/** Sizes of data sets come from the host: they may be too large to be in the light sandbox. */
export async function sizeInside(
  path: string,
  home: SandboxHandle,
  datasets: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const { workspace, data } = home.info.paths;
  const inside = posix.resolve(workspace, path);
  const [name = "", ...rest] = inside.startsWith(`${data}/`) ? inside.slice(data.length + 1).split("/") : [];
  const source = Object.hasOwn(datasets, name) ? datasets[name] : undefined;
  if (source !== undefined) return (await stat(join(source, ...rest)).catch(() => undefined))?.size;
  const found = await home.files.stat(inside).catch(() => undefined);
  return found?.kind === "file" ? found.sizeBytes : undefined;
}

/** The user's own modules that the code imports, and those that these import. */
export async function readOwnModules(
  analysis: CodeAnalysis,
  home: SandboxHandle,
  isKnown: (module: string) => boolean,
): Promise<Map<string, CodeAnalysis>> {
  const found = new Map<string, CodeAnalysis>();
  const wanted = namesOf(analysis);
  for (let name = wanted.pop(); name !== undefined && found.size < maxModules; name = wanted.pop()) {
    if (found.has(name) || isKnown(name)) continue;
    const source = await readModule(name, home);
    if (source === undefined) continue;
    const inner = analyzeCode(source);
    found.set(name, inner);
    wanted.push(...namesOf(inner));
  }
  return found;
}

function namesOf({ modules }: CodeAnalysis): string[] {
  return modules.map(({ module }) => firstPart(module.replace(/^\.+/, ""))).filter(Boolean);
}

async function readModule(name: string, { files, info }: SandboxHandle): Promise<string | undefined> {
  for (const path of [`${name}.py`, `${name}/__init__.py`]) {
    const inside = `${info.paths.workspace}/${path}`;
    const source = await files.readText(inside, { maxBytes: maxModuleBytes }).catch(() => undefined);
    if (source !== undefined) return source;
  }
  return undefined;
}
