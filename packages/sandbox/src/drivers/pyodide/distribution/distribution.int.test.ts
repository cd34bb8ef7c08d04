import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { distributionFolder, fetchDistribution, packageFolder } from "./distribution.ts";

test("comes from the npm package, and from no server", async () => {
  const fetching = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => fetching.mockRestore());
  await fetchDistribution();
  expect(distributionFolder()).toBe(packageFolder());
  expect(fetching).not.toHaveBeenCalled();
});

test("comes once from the server that is named", async () => {
  const asked: string[] = [];
  const url = await serve(asked);
  await name(`${url}/v1`);
  await fetchDistribution();
  await fetchDistribution();
  expect(asked.toSorted()).toEqual([
    "/v1/package.json",
    "/v1/pyodide-lock.json",
    "/v1/pyodide.asm.mjs",
    "/v1/pyodide.asm.wasm",
    "/v1/pyodide.mjs",
    "/v1/python_stdlib.zip",
  ]);
  const [fetched, given] = await Promise.all(
    [distributionFolder(), packageFolder()].map((folder) => readFile(join(folder, "pyodide.asm.wasm"))),
  );
  expect(given && fetched?.equals(given)).toBe(true);
});

test("says what is missing, at a server and in a folder", async () => {
  const url = await serve([]);
  await name(`${url}/absent/`);
  await expect(fetchDistribution()).rejects.toThrow(/answers 404 for \/absent\/pyodide\.mjs/);
  await name(tmpdir());
  await expect(fetchDistribution()).rejects.toThrow(/where pyodide\.mjs is missing/);
});

async function name(url: string): Promise<void> {
  const cache = await mkdtemp(join(tmpdir(), "atoll-cache-"));
  vi.stubEnv("XDG_CACHE_HOME", cache);
  vi.stubEnv("PYODIDE_INDEX_URL", url);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(cache, { recursive: true, force: true });
  });
}

async function serve(asked: string[]): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    readFile(join(packageFolder(), path.replace("/v1/", ""))).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
