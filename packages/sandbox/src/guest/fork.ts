import type {
  CreateOptions,
  ForkOptions,
  ForkReport,
  LostVariable,
  SandboxHandle,
} from "../contract/sandbox.ts";
import { isTransientContext } from "../contract/python.ts";
import type { TreeContent, TreeEntry, TreeRefusal } from "../contract/trees.ts";
import { insideEnv } from "../drivers/_shared/inside-env.ts";
import { AtollError } from "../errors.ts";

const smallFileBytes = 1024 * 1024;
const copyBytes = 16 * 1024 * 1024;

/**
 * A second sandbox with the files and variables of the first. Everything is copied through the two guests: names that
 * share a file would show the changes of one sandbox in the other. What still runs in the first goes on meanwhile.
 */
export async function forkSandbox(
  source: SandboxHandle,
  create: (options: CreateOptions) => Promise<SandboxHandle>,
  options: ForkOptions = {},
): Promise<{ target: SandboxHandle; report: ForkReport }> {
  const { signal } = options;
  const snapshots = await saveContexts(source, signal);
  const env = { ...(await ownEnv(source)), ...options.env };
  const { limits, labels, network = "none" } = source.info;
  const target = await create({ limits, labels, ...(network !== "none" && { network }), ...options, env });
  try {
    const skipped = await copyFiles(source, target, signal);
    const variables = await restoreContexts(source, target, snapshots, signal);
    return { target, report: { ...variables, skippedFiles: skipped } };
  } catch (error) {
    await target.destroy();
    throw error;
  }
}

interface Saved {
  readonly context: string;
  readonly path?: string;
}

async function saveContexts(source: SandboxHandle, signal?: AbortSignal): Promise<Saved[]> {
  const saved: Saved[] = [];
  for (const { name: context } of await source.python.contexts({ ...(signal && { signal }) })) {
    if (isTransientContext(context)) continue;
    try {
      const { path } = await source.snapshot({ context, ...(signal && { signal }) });
      saved.push({ context, path });
    } catch (error) {
      // Its kernel ended by itself: there is nothing to copy.
      if (!(error instanceof AtollError && error.code === "not_found")) throw error;
      saved.push({ context });
    }
  }
  return saved;
}

async function restoreContexts(
  source: SandboxHandle,
  target: SandboxHandle,
  saved: readonly Saved[],
  signal?: AbortSignal,
): Promise<Pick<ForkReport, "restored" | "lost">> {
  const restored: string[] = [];
  const lost: LostVariable[] = [];
  for (const { context, path } of saved) {
    const isDefault = context === "default";
    if (!isDefault) await target.python.createContext({ name: context });
    if (path === undefined) continue;
    const copy = target.info.paths.session + path.slice(source.info.paths.session.length);
    await target.files.write(copy, source.files.readStream(path), { ...(signal && { signal }) });
    const back = await target.restore({ context, path: copy, ...(signal && { signal }) });
    const name = (variable: string) => (isDefault ? variable : `${context}/${variable}`);
    restored.push(...back.restored.map(name));
    lost.push(...back.lost.map((variable) => ({ ...variable, name: name(variable.name) })));
  }
  return { restored, lost };
}

async function copyFiles(
  source: SandboxHandle,
  target: SandboxHandle,
  signal?: AbortSignal,
): Promise<readonly TreeRefusal[]> {
  const { entries = [], skipped } = await source.trees.scan({ ...(signal && { signal }) });
  return [...skipped, ...(await copyEntries(source, target, entries, signal))];
}

/** Puts these entries of one sandbox into the place of what another has there. Says what could not be copied. */
export async function copyEntries(
  source: SandboxHandle,
  target: SandboxHandle,
  entries: readonly TreeEntry[],
  signal?: AbortSignal,
): Promise<readonly TreeRefusal[]> {
  const call = { ...(signal && { signal }) };
  const refused: TreeRefusal[] = [];
  const whole: TreeContent[] = [];
  for (const part of inParts(entries.filter(isSmallFile))) {
    const contents = await source.trees.pack(part, call);
    const made = part.flatMap((entry, at) => {
      const content = contents[at];
      if (content) return [{ ...entry, content }];
      refused.push({ root: entry.root, path: entry.path, reason: "it changed while it was copied" });
      return [];
    });
    refused.push(...(await target.trees.unpack(made, call)));
  }
  for (const entry of entries.filter((entry) => !isSmallFile(entry))) {
    const path = `${source.info.paths[entry.root]}/${entry.path}`;
    whole.push(entry.kind === "file" ? { ...entry, content: () => source.files.readStream(path) } : entry);
  }
  // Folders come last, since the modes of some may close them.
  return [...refused, ...(await target.trees.unpack(whole, call))];
}

function isSmallFile({ kind, sizeBytes }: TreeEntry): boolean {
  return kind === "file" && sizeBytes <= smallFileBytes;
}

/** Of a size that may be held in memory. */
function* inParts(entries: readonly TreeEntry[]): Generator<TreeEntry[]> {
  let part: TreeEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (part.length > 0 && bytes + entry.sizeBytes > copyBytes) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(entry);
    bytes += entry.sizeBytes;
  }
  if (part.length > 0) yield part;
}

/** What was given or set, without what every sandbox has and what names its own folders. */
async function ownEnv(source: SandboxHandle): Promise<Record<string, string>> {
  const given = insideEnv(source.info.paths);
  const entries = Object.entries(await source.env.list());
  return Object.fromEntries(entries.filter(([name, value]) => given[name] !== value));
}
