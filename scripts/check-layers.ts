// Checks who imports whom: `node scripts/check-layers.ts`, a part of `npm test`.
import { existsSync, globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative, resolve } from "node:path";

/** What each package may import of the others. Every package has its row here, or the check fails. */
const LAYERS: Record<string, string[]> = {
  guest: [],
  std: [],
  protocol: ["std"],
  sandbox: ["guest", "std", "protocol"],
  lifecycle: ["guest", "std", "protocol", "sandbox"],
  toolkit: ["guest", "std", "protocol", "sandbox", "lifecycle"],
  analyst: ["guest", "std", "protocol", "sandbox", "lifecycle", "toolkit"],
  agent: ["guest", "std", "protocol", "sandbox", "lifecycle", "toolkit", "analyst"],
  server: ["guest", "std", "protocol", "sandbox", "lifecycle", "toolkit", "analyst", "agent"],
  client: ["protocol"],
  web: ["client", "protocol", "std"],
  // The command line runs tools on this machine, and looks after its data folder: it is no mere client.
  cli: ["client", "sandbox", "toolkit", "server"],
};

/**
 * The folders of a package's `src`, and the files beside them, in layers: each may import the layers above its own. Every
 * folder has its place here, or the check fails. Tests and their harnesses may import all of their package.
 */
const FOLDERS: Record<string, string[][]> = {
  server: [
    ["schemas", "limits", "metrics", "constant-time.ts", "last-resort.ts"],
    ["config"],
    ["store"],
    ["api-sandboxes", "browsers", "doctor", "export", "models.ts", "readiness"],
    ["shares", "tables", "terminals", "uploads"],
    ["threads", "network"],
    ["sessions", "trash"],
    ["cluster"],
    ["http"],
    ["compose"],
    ["start.ts"],
    ["index.ts", "main.ts"],
  ],
};

/** The one folder outside its package that a package's tests may reach by a relative path. */
const TEST_SUPPORT = "tests/support/";
const SCOPE = "@atoll/";
const OUTSIDE_PACKAGES = ["bench", "examples", "scripts", "tests"];

if (import.meta.main) {
  const faults = findLayerFaults(resolve(import.meta.dirname, ".."));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

/** One sentence for each import that the table, or a package.json, does not allow. */
export function findLayerFaults(root: string, layers = LAYERS, folders = FOLDERS): string[] {
  const packages = globSync("packages/*/package.json", { cwd: root }).map((path) => path.split("/")[1] ?? "");
  const unknown = packages
    .filter((name) => !(name in layers))
    .map((name) => `packages/${name}: not in the table of scripts/check-layers.ts`);
  const sources = [...packages.map((name) => `packages/${name}`), ...OUTSIDE_PACKAGES].flatMap((folder) =>
    listSources(root, folder),
  );
  return [...unknown, ...sources.flatMap((file) => checkFile(root, file, layers, folders))];
}

function checkFile(
  root: string,
  file: string,
  layers: Record<string, string[]>,
  folders: Record<string, string[][]>,
): string[] {
  const owner = ownerOf(file);
  return listImports(readFileSync(join(root, file), "utf8")).flatMap((specifier) => {
    const fault = specifier.startsWith(".")
      ? checkRelative(root, file, specifier, folders)
      : specifier.startsWith(SCOPE)
        ? checkPackage(root, owner, specifier, layers)
        : checkThirdParty(root, file, specifier);
    return fault ? [`${file}: imports ${specifier}, ${fault}`] : [];
  });
}

function checkRelative(
  root: string,
  file: string,
  specifier: string,
  folders: Record<string, string[][]>,
): string | undefined {
  const target = relative(root, resolve(root, file, "..", specifier));
  if (ownerOf(target) === ownerOf(file)) return checkFolder(file, target, folders);
  if (isTest(file) && target.startsWith(TEST_SUPPORT)) return undefined;
  return "which is outside its package: import the package by name";
}

/** Whether a file may import another one of its package, by the layers of the package's folders. */
function checkFolder(file: string, target: string, folders: Record<string, string[][]>): string | undefined {
  const layers = folders[ownerOf(file) ?? ""];
  const from = folderOf(file);
  const to = folderOf(target);
  if (!layers || from === undefined || to === undefined || from === to || isTest(file)) return undefined;
  const layerOf = (folder: string) => layers.findIndex((layer) => layer.includes(folder));
  const unknown = [from, to].find((folder) => layerOf(folder) === -1);
  if (unknown !== undefined) return `but ${unknown} has no layer in scripts/check-layers.ts`;
  return layerOf(to) < layerOf(from) ? undefined : `which the layers do not allow to ${from}`;
}

/** The folder below `src` that a file is in; of a file beside those folders, its own name. */
function folderOf(file: string): string | undefined {
  const [, , src, name] = file.split("/");
  return src === "src" ? name : undefined;
}

function checkPackage(
  root: string,
  owner: string | undefined,
  specifier: string,
  layers: Record<string, string[]>,
) {
  const [name = "", ...rest] = specifier.slice(SCOPE.length).split("/");
  const subpath = [".", ...rest].join("/");
  if (!isExported(root, name, subpath)) return "which that package does not export";
  if (owner === undefined || owner === name) return undefined;
  if (!layers[owner]?.includes(name)) return `which the layers do not allow to ${owner}`;
  return readManifest(root, owner).dependencies?.[SCOPE + name]
    ? undefined
    : `which packages/${owner}/package.json does not declare`;
}

function checkThirdParty(root: string, file: string, specifier: string): string | undefined {
  if (isBuiltin(specifier) || specifier.startsWith("#")) return undefined;
  const owner = ownerOf(file);
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const own = owner === undefined ? {} : readManifest(root, owner);
  const shared = readManifest(root);
  const declared = { ...own.dependencies, ...own.peerDependencies, ...own.optionalDependencies };
  if (owner === undefined || isTest(file) || file.endsWith(".config.ts")) {
    Object.assign(declared, own.devDependencies, shared.devDependencies, shared.dependencies);
  }
  return name in declared
    ? undefined
    : `which ${owner ? `packages/${owner}/` : ""}package.json does not declare`;
}

function listSources(root: string, folder: string): string[] {
  return globSync(`${folder}/**/*.{ts,tsx,mts,mjs,js}`, {
    cwd: root,
    exclude: (name) => /node_modules|^dist$/.test(name),
  });
}

/** The specifiers of static and dynamic imports and re-exports, outside comments and template strings. */
export function listImports(source: string): string[] {
  const code = source
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
    .replaceAll(/`(?:\\[\s\S]|[^`\\])*`/g, "``");
  const pattern =
    /(?:^|;)\s*(?:import|export)\s[\w\s{},*$]*?from\s*["']([^"']+)["']|(?:^|;)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;
  return [...code.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

function ownerOf(file: string): string | undefined {
  const [folder, name] = file.split("/");
  return folder === "packages" ? name : undefined;
}

function isTest(file: string): boolean {
  return /\.(test|harness)\.tsx?$/.test(file);
}

interface Manifest {
  exports?: string | Record<string, unknown>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

function readManifest(root: string, name?: string): Manifest {
  const path = join(root, name ? `packages/${name}` : "", "package.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/** Without `exports` a package holds no code for others, only files: its package.json leads there. */
function isExported(root: string, name: string, subpath: string): boolean {
  const { exports } = readManifest(root, name);
  if (exports === undefined) return subpath === "./package.json";
  return typeof exports === "string" ? subpath === "." : subpath in exports;
}
