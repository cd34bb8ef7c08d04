import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);
const node = (...args: string[]) => run(process.execPath, args, { timeout: 170_000 });

describe("ownFaults", () => {
  it("keeps a program alive whose Chromium was taken over and says what playwright does not expect", async () => {
    const { stdout } = await node(join(import.meta.dirname, "hostile-peer.harness.ts"));
    const { lies, ends } = JSON.parse(stdout) as { lies: number; ends: Record<string, number> };
    expect(lies).toBeGreaterThan(90);
    expect(ends["ended"]).toBeGreaterThan(10);
    expect(Object.keys(ends).toSorted()).toEqual(["connected", "ended"]);
  });

  it.each(["Promise.reject(new Error('own fault'))", "setImmediate(() => { throw new Error('own fault') })"])(
    "leaves a fault of the program itself alone: %s",
    async (fault) => {
      const guard = join(import.meta.dirname, "peer-faults.ts");
      const program = `const { ownFaults } = await import(${JSON.stringify(guard)}); ownFaults(() => {}); ${fault}; setTimeout(() => {}, 60_000);`;
      await expect(node("--input-type=module", "-e", program)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining("own fault"),
      });
    },
  );
});
