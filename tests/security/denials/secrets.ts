import { randomBytes } from "node:crypto";
import { access, readdir, rm, stat, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { evaluateJson, py, runOk, type Suite } from "@atoll/sandbox/conformance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probe, probeByCommand, probeOnHost } from "./probe.ts";

const projectRoot = join(import.meta.dirname, "../../..");
const name = `.atoll-canary-${randomBytes(8).toString("hex")}`;
const token = `canary ${randomBytes(16).toString("hex")}`;

export function describeSecretDenials({ share, create, dataDir }: Suite, secret: string): void {
  describe("reading what is not its own", () => {
    const sandbox = share();
    const places: [string, () => string][] = [
      ["the host's home", homedir],
      ["the project's folder", () => projectRoot],
      ["the host's temporary folder", tmpdir],
      ["the folder of all sandboxes", dataDir],
    ];

    beforeAll(() =>
      Promise.all(places.map(([, folder]) => writeFile(join(folder(), name), token, { mode: 0o644 }))),
    );
    afterAll(() => Promise.all(places.map(([, folder]) => rm(join(folder(), name), { force: true }))));

    it.each(places)("a file in %s", async (_, folder) => {
      const args = { path: join(folder(), name), token };
      expect(await probe(sandbox(), "canary_search", args)).toEqual([]);
      expect(await probeOnHost("canary_search", args)).toContain(args.path);
    });

    it("any of these files, wherever in the whole file system it might be", async () => {
      const args = { path: join(homedir(), name), token, walk: true };
      expect(await probe(sandbox(), "canary_search", args)).toEqual([]);
    });

    it("a file in another sandbox", async () => {
      const victim = await create();
      const path = `${victim.info.paths.artifacts}/${name}`;
      const { artifactMap } = await runOk(victim, `open(${py(path)}, 'w').write(${py(token)})`);
      await victim.files.write(name, token);
      const hostPath = artifactMap[path] ?? join(dataDir(), victim.id, name);
      const own = join(
        dataDir(),
        victim.info.driver,
        "store/sandboxes",
        victim.id,
        "session/artifacts",
        name,
      );
      for (const place of [hostPath, own])
        expect(await probe(sandbox(), "canary_search", { path: place, token })).toEqual([]);
      expect(await sandbox().files.exists(name)).toBe(false);
    });

    it("/etc/shadow", async () => {
      expect(await opened(["/etc/shadow", "/etc/shadow-", "/etc/gshadow"])).toEqual([]);
      const code = await sandbox()
        .files.readText("/etc/shadow")
        .then(
          () => "read",
          (error: { code: string }) => error.code,
        );
      expect(["permission_denied", "not_found"]).toContain(code);
    });

    it("any other file of the system that only root may read", async () => {
      const files = await listFiles("/etc");
      const modes = await Promise.all(files.map(async (path) => [path, (await stat(path)).mode] as const));
      const closed = modes.filter(([, mode]) => (mode & 0o004) === 0).map(([path]) => path);
      expect(closed).not.toEqual([]);
      expect(await opened(closed)).toEqual([]);
    });

    it("the project's own files", async () => {
      const files = ["package.json", "package-lock.json", ".git/HEAD", ".git/config"].map((file) =>
        join(projectRoot, file),
      );
      expect(await opened(files)).toEqual([]);
      await access(join(projectRoot, "package.json"));
    });

    it("a secret of the server's environment, in its own environment, in /proc or in memory", async () => {
      const args = { reversed: [...secret].toReversed().join("") };
      const fresh = await create();
      for (const search of fresh.info.capabilities.shell ? [probe, probeByCommand] : [probe]) {
        const { found, searchedBytes } = await search<{ found: string[]; searchedBytes: number }>(
          fresh,
          "secret_search",
          args,
        );
        expect(found).toEqual([]);
        // Where a process may not look into its own memory, neither may the test.
        expect(searchedBytes).toBeGreaterThanOrEqual(0);
      }
      const onHost = await probeOnHost<{ found: string[] }>("secret_search", args);
      expect(onHost.found).toContain("environment variable ATOLL_TEST_SECRET");
      expect(onHost.found.join()).toContain("memory");
    });

    it("any variable of the server's environment by its value", async () => {
      const env = Object.values(
        await evaluateJson<Record<string, string>>(
          sandbox(),
          "import json, os; print(json.dumps(dict(os.environ)))",
        ),
      );
      const hosts = Object.entries(process.env).filter(([key, value]) => isTelling(key, value));
      expect(hosts.filter(([, value]) => env.includes(value ?? "")).map(([key]) => key)).toEqual([]);
    });

    it("the host's user and home in the environment", async () => {
      const env = await sandbox().env.list();
      const seen = await evaluateJson<Record<string, string>>(
        sandbox(),
        "import json, os; print(json.dumps(dict(os.environ)))",
      );
      for (const [key, value] of Object.entries({ ...env, ...seen })) {
        expect([key, value.includes(homedir()) || value.includes(projectRoot)]).toEqual([key, false]);
      }
    });

    const opened = async (paths: readonly string[]): Promise<string[]> => {
      const code = `
import json
def opens(path):
    try:
        open(path, "rb").read(1)
        return True
    except OSError:
        return False
print(json.dumps([path for path in json.loads(${py(JSON.stringify(paths))}) if opens(path)]))`;
      return evaluateJson(sandbox(), code);
    };
  });
}

/** Values that could only come from this host: not a language, a shell or a number. */
function isTelling(key: string, value: string | undefined): boolean {
  return (
    value !== undefined && value.length >= 12 && !/^(LANG|LC_.*|TZ|TERM|SHELL|PATH|EDITOR|PAGER)$/.test(key)
  );
}

/** All files below a folder that this process may look into. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}
