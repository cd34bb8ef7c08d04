import { AtollError, type FileStat, type Sandbox, type SandboxPaths } from "@atoll/sandbox";
import { posix } from "node:path";
import type { z } from "zod";
import {
  contentQuery,
  fileListSchema,
  fileSchema,
  filesWrittenSchema,
  folderQuery,
  listQuery,
  moveBody,
  pathQuery,
  removedSchema,
  writeQuery,
  zipQuery,
} from "@atoll/protocol/schemas";
import { tooLarge } from "../../store/data-folder/hashed-file.ts";
import { type BodyLimits, readChunks } from "../api/body.ts";
import { describeContent } from "../content/content-types.ts";
import { receiveForm } from "../uploads/receive-form.ts";
import { answerContent, rangedStatuses } from "../content/ranged.ts";
import { zipFolders } from "../content/zip.ts";
import type { HttpContext } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import { isTooLarge } from "../uploads/attach-files.ts";
import { noRoom, type Room } from "../uploads/quota.ts";
import { etagOf, toWireFile } from "../wire.ts";
import { type RouteContext, uploadLimits } from "../api/route-context.ts";
import { uploadForm } from "../uploads/routes.ts";

/** Whose files: the routes are the same for a thread and for a program's sandbox. */
export interface FilesOwner<Params extends z.ZodType> {
  readonly prefix: string;
  readonly tag: string;
  /** Goes into the operation ids: `Thread`, `Sandbox`. */
  readonly noun: string;
  readonly params: Params;
  use<Result>(
    params: z.output<Params>,
    signal: AbortSignal,
    work: (sandbox: Sandbox) => Promise<Result>,
  ): Promise<Result>;
  /** What may be written into it now; absent: as much as an upload may hold. */
  room?(params: z.output<Params>): Promise<Room | undefined>;
}

const binary = { type: "string", format: "binary" };

/** Everything goes through the guest, in the sandbox's own view: a link made inside cannot lead out. */
export function addFileRoutes<Params extends z.ZodType>(
  { api, config }: RouteContext,
  { prefix, tag, noun, params, use, room = async () => undefined }: FilesOwner<Params>,
): void {
  /** Refuses what there is no room for before it is written whole. */
  const withinRoom = async <Result>(
    owner: z.output<Params>,
    receive: (limits: BodyLimits) => Promise<Result>,
  ): Promise<Result> => {
    const limits = uploadLimits(config);
    const found = await room(owner);
    if (!found) return receive(limits);
    try {
      return await receive({ ...limits, maxBytes: Math.min(limits.maxBytes, found.freeBytes) });
    } catch (error) {
      throw isTooLarge(error) ? noRoom(found) : error;
    }
  };
  const errors = [
    "not_found",
    "permission_denied",
    "not_a_folder",
    "sandbox_paused",
    "sandbox_dead",
    "runtime_unavailable",
  ] as const;
  const contentPath = `${prefix}/files/content`;

  api.add(
    {
      method: "get",
      path: `${prefix}/files`,
      operationId: `list${noun}Files`,
      tag,
      summary: "List a folder",
      params,
      query: listQuery,
      result: fileListSchema,
      errors: [...errors, "too_many_entries"],
    },
    ({ params, query, signal }) =>
      use(params, signal, async ({ files, info }) => {
        const path = query.path ?? info.paths.workspace;
        const found = await files.list(path, { recursive: query.recursive ?? false, signal });
        return { path, files: found.map(toWireFile) };
      }),
  );

  api.add(
    {
      method: "get",
      path: contentPath,
      operationId: `read${noun}File`,
      tag,
      summary: "Read a file, or a range of it",
      params,
      query: contentQuery,
      otherResults: {
        "*/*": "The content, or the range asked for; its own type where it is harmless to show",
      },
      otherStatuses: rangedStatuses,
      errors: [...errors, "not_a_file", "range_not_satisfiable"],
      hasHead: true,
    },
    ({ c, params, query, signal }) =>
      use(params, signal, ({ files }) =>
        answerFile(c, files, query.path, { isDownload: query.download ?? false, signal }),
      ),
  );

  api.add(
    {
      method: "put",
      path: contentPath,
      operationId: `write${noun}File`,
      tag,
      summary: "Write a file in one step; missing folders are made",
      params,
      query: writeQuery,
      rawBody: { type: "application/octet-stream", schema: binary },
      result: fileSchema,
      errors: [...errors, "not_a_file", "changed", "too_large", "disk_full", "request_timeout"],
      curl: "--data-binary @notes.txt",
    },
    ({ c, params, query, signal }) =>
      use(params, signal, async ({ files }) => {
        if (query.expected_etag !== undefined)
          await refuseChanged(files, query.path, query.expected_etag, signal);
        return withinRoom(params, async (limits) =>
          toWireFile(await files.write(query.path, readChunks(c, limits), { signal })),
        );
      }),
  );

  api.add(
    {
      method: "delete",
      path: contentPath,
      operationId: `delete${noun}File`,
      tag,
      summary: "Remove a file, or a folder with all it holds",
      params,
      query: pathQuery,
      result: removedSchema,
      errors,
    },
    ({ params, query, signal }) =>
      use(params, signal, async ({ files, info }) => {
        refuseRoot(query.path, info.paths);
        await files.stat(query.path, { signal });
        await files.remove(query.path, { signal });
        return { removed: true };
      }),
  );

  api.add(
    {
      method: "post",
      path: `${prefix}/files`,
      operationId: `upload${noun}Files`,
      tag,
      summary: "Upload files into a folder",
      params,
      query: folderQuery,
      rawBody: uploadForm,
      result: filesWrittenSchema,
      errors: [
        ...errors,
        "bad_request",
        "too_large",
        "disk_full",
        "unsupported_media_type",
        "request_timeout",
      ],
      curl: "-F files=@notes.txt",
    },
    ({ c, params, query, signal }) =>
      use(params, signal, async ({ files, info }) => {
        const folder = query.path ?? info.paths.workspace;
        const sink = {
          receive: (name: string, content: AsyncIterable<Uint8Array>, limits: { maxBytes: number }) =>
            files.write(posix.join(folder, safeFileName(name)), cutAt(content, limits.maxBytes), { signal }),
          discard: ({ path }: FileStat) => files.remove(path),
        };
        const { kept, refused } = await withinRoom(params, (limits) => receiveForm(c, limits, sink, signal));
        if (refused[0]) throw refused[0].error;
        return { files: kept.map(toWireFile) };
      }),
  );

  api.add(
    {
      method: "post",
      path: `${prefix}/files/move`,
      operationId: `move${noun}File`,
      tag,
      summary: "Move or rename a file or folder",
      params,
      body: moveBody,
      result: fileSchema,
      errors: [...errors, "already_exists"],
      example: { from: "notes.txt", to: "archive/notes.txt" },
    },
    ({ params, body, signal }) =>
      use(params, signal, async ({ files, info }) => {
        refuseRoot(body.from, info.paths);
        await files.move(body.from, body.to, { overwrite: body.overwrite ?? false, signal });
        return toWireFile(await files.stat(body.to, { signal }));
      }),
  );

  api.add(
    {
      method: "get",
      path: `${prefix}/files.zip`,
      operationId: `zip${noun}Files`,
      tag,
      summary: "Download a folder as a zip",
      params,
      query: zipQuery,
      otherResults: { "application/zip": "The folder; links are left out" },
      errors: [...errors, "too_many_entries"],
      curl: "-OJ",
    },
    ({ c, params, query, signal }) =>
      use(params, signal, async ({ files, info }) => {
        const folder = query.path ?? info.paths.workspace;
        const isAll = query.all ?? false;
        const name = isAll ? "files" : posix.basename(folder) || "files";
        const headers = describeContent(`${name}.zip`, { isDownload: true });
        if (c.req.method === "HEAD") return new Response(null, { headers });
        const { workspace, data, artifacts } = info.paths;
        const folders = isAll ? [workspace, data, artifacts] : [folder];
        return new Response(await zipFolders(files, folders, signal), { headers });
      }),
  );
}

/** Somebody may write between this look and the write; nobody who works by hand does. */
async function refuseChanged(
  files: Sandbox["files"],
  path: string,
  expected: string,
  signal: AbortSignal,
): Promise<void> {
  const stat = await statFile(files, path, signal).catch((error: unknown) => {
    if (error instanceof AtollError && error.code === "not_found") return undefined;
    throw error;
  });
  if (stat && etagOf(stat) === expected) return;
  throw new ApiError("changed", `${path} ${stat ? "has changed" : "is gone"} since it was read`);
}

/** A file of a sandbox, or a range of it. */
export async function answerFile(
  c: HttpContext,
  files: Sandbox["files"],
  path: string,
  { isDownload, signal }: { isDownload: boolean; signal: AbortSignal },
): Promise<Response> {
  const stat = await statFile(files, path, signal);
  return answerContent(c, {
    sizeBytes: stat.sizeBytes,
    etag: etagOf(stat),
    modifiedAt: new Date(stat.modifiedAt),
    headers: {
      ...describeContent(posix.basename(path), { isDownload }),
      "cache-control": "private, no-cache",
    },
    open: ({ start, end }) => files.readStream(stat.path, { offset: start, length: end - start + 1, signal }),
  });
}

async function* cutAt(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

const maxLinks = 16;

/** A folder that the sandbox itself is made of cannot go: what is in it would, and then the rest would fail. */
function refuseRoot(path: string, paths: SandboxPaths): void {
  const whole = posix.resolve(paths.workspace, path);
  if (whole !== "/" && !Object.values(paths).includes(whole)) return;
  throw new ApiError("permission_denied", `${path} is a folder of the sandbox itself`, {
    hint: "Name what is in it.",
  });
}

/** What a link leads to, inside the sandbox, is as good as the file itself. */
async function statFile(files: Sandbox["files"], path: string, signal: AbortSignal): Promise<FileStat> {
  let stat = await files.stat(path, { signal });
  for (let link = 0; link < maxLinks && stat.kind === "symlink"; link += 1) {
    const target = posix.resolve(posix.dirname(stat.path), stat.linkTarget ?? "");
    stat = await files.stat(target, { signal });
  }
  if (stat.kind === "file") return stat;
  throw new ApiError("not_a_file", `${path} is a ${stat.kind}, not a regular file`);
}

function safeFileName(name: string): string {
  const last =
    name
      .split(/[/\\]/)
      .at(-1)
      ?.replaceAll(/\p{Cc}/gu, "_")
      .trim() ?? "";
  return last === "" || last === "." || last === ".." ? "file" : last;
}
