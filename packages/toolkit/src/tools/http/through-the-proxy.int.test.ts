import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EgressSite, openEgressSite } from "../../../../../tests/support/egress-site/index.ts";
import { openSession, type TestSession } from "../../tool-call.harness.ts";

/** A package index and a git server that want a credential, which the proxy on the host has and the sandbox does not. */
describe("through the proxy", () => {
  let site: EgressSite;
  let session: TestSession;
  beforeAll(async () => {
    site = await openEgressSite();
    session = await openSession(
      {},
      {
        network: { allow: ["code.test"] },
        egress: {
          addresses: { "code.test": site.url },
          credentials: [{ host: "code.test", value: site.secret }],
          env: { PIP_INDEX_URL: "http://code.test/simple/", PIP_TRUSTED_HOST: "code.test" },
        },
      },
    );
  });
  afterAll(async () => {
    await session?.close();
    await site?.close();
  });
  const text: TestSession["text"] = (...given) => session.text(...given);

  it("pip_install installs from an index that wants a credential", async () => {
    expect(await text("pip_install", { packages: ["atoll-probe"] })).toContain(
      "Successfully installed atoll-probe",
    );
    expect(await text("execute_python", { code: "import atoll_probe; atoll_probe.word" })).toBe(
      "'installed'",
    );
    expect(site.asked).toContain("GET /simple/atoll-probe/atoll_probe-1.0-py3-none-any.whl");
  });

  it("git_clone, git_commit and git_push work with a repository that wants one", async () => {
    await text("git_clone", { url: "https://code.test/git/project.git", path: "project" });
    expect(await text("file_read", { file: "project/file.txt" })).toContain("of the repository");
    await text("file_write", { file: "project/new.txt", content: "from inside\n" });
    await text("git_commit", { path: "project", message: "from inside" });
    expect(await text("git_push", { path: "project" })).toMatch(/main -> main|HEAD -> main/);
    const { stdout } = await promisify(execFile)("git", ["log", "--format=%s", "main"], {
      cwd: site.repository,
    });
    expect(stdout).toBe("from inside\none\n");
    expect(await text("git_status", { path: "project" })).toContain("main...origin/main");
  });

  it("no secret is anywhere inside: variables, files, processes, git's settings", async () => {
    const word = site.secret.replace("Bearer ", "");
    const pattern = `[${word[0]}]${word.slice(1)}`;
    const { stdout, exitCode } = await session.sandbox.commands.run(
      `env; git -C project config --list --show-origin; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'; grep -rs -e '${pattern}' /workspace /session /tmp /dev/shm /etc; true`,
    );
    expect([exitCode, stdout.includes(word)]).toEqual([0, false]);
    // The places were really looked at.
    expect(stdout).toMatch(/ATOLL_CREDENTIAL_HOSTS=code\.test/);
    expect(stdout).toMatch(/remote\.origin\.url=http/);
    expect(await text("env_get", {})).not.toContain(word);
  });

  it("what the policy does not allow is refused, with words that say what to do", async () => {
    for (const [tool, input] of [
      ["git_clone", { url: "https://elsewhere.test/x.git" }],
      ["pip_install", { packages: ["https://elsewhere.test/x-1.0-py3-none-any.whl"] }],
    ] as const)
      expect(await session.call(tool, input)).toMatchObject({
        isError: true,
        text: expect.stringContaining("The sandbox's network policy does not allow this"),
      });
  });
});
