import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { promisify } from "node:util";
import { py } from "../run-code.ts";

export interface Site {
  readonly url: string;
  close(): Promise<void>;
}

/** Has a page, an echo, a package index and a git repository. */
export async function openSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), "atoll-site-"));
  await makeRepository(join(folder, "repository"));
  await makeWheel(join(folder, "simple/atoll-probe"));
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://x").pathname);
    if (path === "/hello") return void response.end("hello");
    if (path === "/echo") return void request.pipe(response);
    if (path === "/authorization") return void response.end(request.headers.authorization ?? "");
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    readFile(file).then(
      (content) => {
        if (file.endsWith(".html")) response.setHeader("content-type", "text/html");
        response.end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await closeServer(server);
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** For git's plain HTTP protocol: nothing but files. */
async function makeRepository(folder: string): Promise<void> {
  const work = `${folder}-work-${randomBytes(4).toString("hex")}`;
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], { cwd: work });
  await mkdir(work, { recursive: true });
  await git("init", "-q");
  await writeFile(join(work, "file.txt"), "of the repository\n");
  await git("add", ".");
  await git("commit", "-q", "-m", "one");
  await git("clone", "-q", "--bare", work, folder);
  await promisify(execFile)("git", ["update-server-info"], { cwd: folder });
}

async function makeWheel(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const name = "atoll_probe-1.0-py3-none-any.whl";
  const code = `
import sys, zipfile
info = "atoll_probe-1.0.dist-info"
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("atoll_probe.py", "word = 'installed'\\n")
    wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: atoll-probe\\nVersion: 1.0\\n")
    wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{info}/RECORD", f"atoll_probe.py,,\\n{info}/METADATA,,\\n{info}/WHEEL,,\\n{info}/RECORD,,\\n")`;
  await promisify(execFile)("python3", ["-c", code, join(folder, name)]);
  await writeFile(join(folder, "index.html"), `<a href="${name}">${name}</a>`);
}

/** Python that gives status and body, or what went wrong, as the proxy has it. */
export function fetching(url: string): string {
  return `
import urllib.request, urllib.error
def fetch(url):
    proxies = urllib.request.getproxies()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": proxies["http"]} if "http" in proxies else {}))
    # Also for its own machine: what counts is what the proxy does.
    urllib.request.proxy_bypass = lambda host: False
    try:
        with opener.open(url, timeout=20) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError as error:
        return str(error)
fetch(${py(url)})`;
}
