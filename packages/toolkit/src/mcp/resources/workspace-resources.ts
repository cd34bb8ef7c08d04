import { guessMime } from "@atoll/std";
import { posix } from "node:path";
import { AtollError, type CallOptions, type FileStat, type Sandbox } from "@atoll/sandbox";
import { ErrorCode, McpError, type Resource } from "@modelcontextprotocol/sdk/types.js";
import { judge } from "../../permissions/judge.ts";
import type { PermissionRule } from "@atoll/protocol";
import type { McpResources } from "./resources.ts";
import { toPath, toUri, URI_TEMPLATE } from "./sandbox-uri.ts";

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_ENTRIES = 1000;
/** Of the protocol: nothing is there. */
const RESOURCE_NOT_FOUND = -32_002;

export interface WorkspaceResourcesOptions {
  /** Called for every use: it may wake a sandbox, or make it. */
  open(): Promise<Sandbox>;
  /** False: there is no sandbox yet, and so no file; listing does not make one. */
  isThere?(): boolean;
  /** Those of the session: what `file_read` may not read without asking is not read here either. */
  rules?(): readonly PermissionRule[];
}

/** The files of a sandbox as resources: the workspace and what runs have made are listed, every other can be read. */
export function createWorkspaceResources(options: WorkspaceResourcesOptions): McpResources {
  const { open, isThere = () => true, rules = () => [] } = options;
  // A rule may speak of the path in either form.
  const permits = (path: string, { info }: Sandbox) =>
    [path, posix.relative(info.paths.workspace, path)].every(
      (file) => judge(rules(), { agent: "main", tool: "file_read", input: { file } }) === "allow",
    );
  return {
    templates: [
      {
        uriTemplate: URI_TEMPLATE,
        name: "file",
        title: "A file of the sandbox",
        description: "By its absolute path, e.g. sandbox:///workspace/report.csv",
      },
    ],
    async list(signal) {
      if (!isThere()) return [];
      const sandbox = await open();
      const { workspace, artifacts, outputs } = sandbox.info.paths;
      const found = new Map<string, FileStat>();
      for (const folder of [workspace, artifacts, outputs])
        for (const stat of await listFiles(sandbox, folder, { signal })) found.set(stat.path, stat);
      return [...found.values()].filter(({ path }) => permits(path, sandbox)).map(describe);
    },
    async read(uri, signal) {
      const path = toPath(uri);
      if (path === undefined) throw notFound(uri);
      const sandbox = await open();
      if (!permits(path, sandbox))
        throw new McpError(
          ErrorCode.InvalidRequest,
          "A rule does not allow to read this file without asking; file_read can ask.",
        );
      const bytes = await sandbox.files.read(path, { signal, maxBytes: MOST_BYTES }).catch(translate(uri));
      const text = decode(bytes);
      const mimeType = guessMime(path) ?? (text === undefined ? "application/octet-stream" : "text/plain");
      const content = text === undefined ? { blob: Buffer.from(bytes).toString("base64") } : { text };
      return [{ uri, mimeType, ...content }];
    },
    async version(uri) {
      const path = toPath(uri);
      if (path === undefined || !isThere()) return undefined;
      const stat = await (await open()).files.stat(path).catch(ignoreAbsent);
      return stat && `${stat.modifiedAt} ${stat.sizeBytes}`;
    },
  };
}

/** Without what is hidden. Of too many, only those at the top. */
async function listFiles(sandbox: Sandbox, folder: string, options: CallOptions): Promise<FileStat[]> {
  const list = (recursive: boolean) =>
    sandbox.files
      .list(folder, { ...options, recursive, maxEntries: MOST_ENTRIES })
      .catch((error: unknown) => {
        if (error instanceof AtollError && error.code === "too_many_entries") return undefined;
        if (error instanceof AtollError && error.code === "not_found") return [];
        throw error;
      });
  const all = (await list(true)) ?? (await list(false)) ?? [];
  return all.filter(({ kind, path }) => kind === "file" && !path.slice(folder.length).includes("/."));
}

function describe({ path, name, sizeBytes, modifiedAt }: FileStat): Resource {
  const mimeType = guessMime(path);
  return {
    uri: toUri(path),
    name,
    description: path,
    size: sizeBytes,
    annotations: { lastModified: modifiedAt },
    mimeType,
  };
}

function translate(uri: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof AtollError)) throw error;
    if (error.code === "not_found") throw notFound(uri);
    throw new McpError(
      error.code === "aborted" ? ErrorCode.RequestTimeout : ErrorCode.InvalidParams,
      error.message,
    );
  };
}

function notFound(uri: string): McpError {
  return new McpError(RESOURCE_NOT_FOUND, "Resource not found", { uri: uri.slice(0, 1000) });
}

function ignoreAbsent(error: unknown): undefined {
  if (!(error instanceof AtollError)) throw error;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
