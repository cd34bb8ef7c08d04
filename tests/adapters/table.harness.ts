import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allTools, SandboxSession } from "@atoll/toolkit";
import { caseContext, caseFiles, toolCases } from "@atoll/toolkit/tool-cases";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, callers } from "./callers.harness.ts";

/** In a session the calls of a program are real ones. */
const cases: typeof toolCases = {
  ...toolCases,
  execute_code: {
    good: { code: "from tools import execute_shell\nprint(execute_shell(command='echo 里面'))" },
    says: /^里面$/,
    bad: { code: 5 },
  },
};

/**
 * Every tool, through every library, on one runtime: a call that works, and one whose arguments do not fit. Of those that
 * are named as unsupported: that they say so.
 */
export function describeTable(runtime: string, unsupported: readonly string[] = []): void {
  let dataDir = "";
  let datasets: Record<string, string> = {};
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), `atoll-table-${runtime}-`));
    datasets = await writeDatasets(dataDir);
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

  it("has a row for every tool", () => {
    expect(Object.keys(cases).toSorted()).toEqual(allTools.map(({ name }) => name).toSorted());
  });

  describe.each(Object.entries(callers))(`${runtime}: %s`, (_, open) => {
    let session: SandboxSession;
    let caller: Caller;
    beforeAll(async () => {
      const { agents, mcp, previewUrl } = caseContext as Required<typeof caseContext>;
      session = await SandboxSession.create({ runtime, dataDir, datasets, agents, mcp, previewUrl });
      caller = await open(session);
    });
    afterAll(async () => {
      await caller?.close();
      await session?.destroy();
    });

    it.each(Object.entries(cases))("%s", async (name, { good, says, bad, prepare }) => {
      if (prepare) expect((await session.sandbox.commands.run(prepare)).stderr).toBe("");
      const seen = await caller.call(name, good);
      if (unsupported.includes(name)) {
        expect(seen).toEqual({
          isError: true,
          text: expect.stringContaining("not supported by this runtime"),
        });
      } else {
        expect(seen.text).toMatch(says);
        expect(seen.isError).toBe(false);
      }
      const refused = await caller.call(name, bad);
      expect(refused).toEqual({ isError: true, text: expect.stringMatching(/do not fit|invalid/i) });
    });
  });
}

async function writeDatasets(dataDir: string): Promise<Record<string, string>> {
  const folder = join(dataDir, "given");
  await mkdir(folder);
  const datasets: Record<string, string> = {};
  for (const [index, [name, content]] of Object.entries(caseFiles).entries()) {
    datasets[name] = join(folder, String(index));
    await writeFile(datasets[name], content);
  }
  return datasets;
}
