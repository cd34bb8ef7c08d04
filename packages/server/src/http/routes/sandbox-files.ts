import type { FileStat, Sandbox, SandboxPaths } from "@atoll/sandbox";
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
} from "../../schemas/files.ts";
import { readChunks } from "../body.ts";
import { describeContent } from "../content/content-types.ts";
import { receiveForm } from "../content/uploads.ts";
import { answerContent, rangedStatuses } from "../content/ranged.ts";
import { zipFolder } from "../content/zip.ts";
import { ApiError } from "../errors/api-error.ts";
import { toWireFile } from "../wire.ts";
import { type RouteContext, uploadLimits } from "./route-context.ts";

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
}

const binary = { type: "string", format: "binary" };

/** Everything goes through the guest, in the sandbox's own view: a link made inside cannot lead out. */
export function addFileRoutes<Params extends z.ZodType>(
  { api, config }: RouteContext,
  { prefix, tag, noun, params, use }: FilesOwner<Params>,
): void {
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
      otherResults: { "application/octet-stream": "The content, or the range asked for" },
      otherStatuses: rangedStatuses,
      errors: [...errors, "not_a_file", "range_not_satisfiable"],
      hasHead: true,
    },
    ({ c, params, query, signal }) =>
      use(params, signal, async ({ files }) => {
        const stat = await statFile(files, query.path, signal);
        return answerContent(c, {
          sizeBytes: stat.sizeBytes,
          etag: `"${Date.parse(stat.modifiedAt).toString(36)}-${stat.sizeBytes.toString(36)}"`,
          modifiedAt: new Date(stat.modifiedAt),
          headers: {
            ...describeContent(posix.basename(query.path), { isDownload: query.download ?? false }),
            "cache-control": "private, no-cache",
          },
          open: ({ start, end }) =>
            files.readStream(stat.path, { offset: start, length: end - start + 1, signal }),
        });
      }),
  );

  api.add(
    {
      method: "put",
      path: contentPath,
      operationId: `write${noun}File`,
      tag,
      summary: "Write a file in one step; missing folders are made",
      params,
      query: pathQuery,
      rawBody: { type: "application/octet-stream", schema: binary },
      result: fileSchema,
      errors: [...errors, "not_a_file", "too_large", "disk_full", "request_timeout"],
      curl: "--data-binary @notes.txt",
    },
    ({ c, params, query, signal }) =>
      use(params, signal, async ({ files }) =>
        toWireFile(await files.write(query.path, readChunks(c, uploadLimits(config)), { signal })),
      ),
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
      rawBody: {
        type: "multipart/form-data",
        schema: {
          type: "object",
          properties: { files: { type: "array", items: binary } },
          required: ["files"],
        },
      },
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
          receive: (name: string, content: AsyncIterable<Uint8Array>) =>
            files.write(posix.join(folder, safeFileName(name)), content, { signal }),
          discard: ({ path }: FileStat) => files.remove(path),
        };
        const { kept, refused } = await receiveForm(c, uploadLimits(config), sink, signal);
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
      curl: `-d '{"from": "notes.txt", "to": "archive/notes.txt"}'`,
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
      query: folderQuery,
      otherResults: { "application/zip": "The folder; links are left out" },
      errors: [...errors, "too_many_entries"],
      curl: "-OJ",
    },
    ({ c, params, query, signal }) =>
      use(params, signal, async ({ files, info }) => {
        const folder = query.path ?? info.paths.workspace;
        const headers = describeContent(`${posix.basename(folder) || "files"}.zip`, { isDownload: true });
        if (c.req.method === "HEAD") return new Response(null, { headers });
        return new Response(await zipFolder(files, folder, signal), { headers });
      }),
  );
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
