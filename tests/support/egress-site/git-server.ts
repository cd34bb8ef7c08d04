import { execFile, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** A bare repository with one commit on `main`, which may be pushed to. */
export async function makeRepository(folder: string): Promise<string> {
  const work = `${folder}-work`;
  const git = (cwd: string, ...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], { cwd });
  await mkdir(work, { recursive: true });
  await git(work, "init", "-q", "-b", "main");
  await writeFile(join(work, "file.txt"), "of the repository\n");
  await git(work, "add", ".");
  await git(work, "commit", "-q", "-m", "one");
  await git(dirname(folder), "clone", "-q", "--bare", work, folder);
  await git(folder, "config", "http.receivepack", "true");
  return folder;
}

/** Git's own program for it, behind the interface that web servers have had since 1993. */
export function serveGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://x");
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REMOTE_USER: "somebody",
      REQUEST_METHOD: request.method ?? "GET",
      PATH_INFO: url.pathname.replace(/^\/git/, ""),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      HTTP_GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      // Of a body whose length is not known, all up to its end.
      ...(request.headers["content-length"] ? { CONTENT_LENGTH: request.headers["content-length"] } : {}),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => {});
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.once("close", () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf("\r\n\r\n");
    const lines = output.subarray(0, end).toString().split("\r\n");
    const headers = lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
    const status = headers.find(([name]) => name === "Status")?.[1];
    const others = headers.filter(([name]) => name !== "Status" && name !== "");
    response
      .writeHead(Number(status?.slice(0, 3) ?? 200), Object.fromEntries(others))
      .end(output.subarray(end + 4));
  });
}
