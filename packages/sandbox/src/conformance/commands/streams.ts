import { describe, expect, it } from "vitest";
import { runOk, startWaiting, waitFor } from "../run-code.ts";
import type { Suite } from "../suite.ts";

export function describeStreams({ driver, create, share }: Suite): void {
  describe("output streams", () => {
    const sandbox = share();

    it("deliver stdout while the run goes on", async () => {
      // `startWaiting` resolves only once output has arrived, and the run ends only after that.
      const run = await startWaiting(sandbox(), { before: "print('early')", after: "print('late')" });
      expect((await run.release()).stdout).toBe("early\nat the gate\nlate\n");
    });

    it("whose listener throws fail their run, stop it, and leave the sandbox usable", async () => {
      const onStdout = () => {
        throw new Error("the listener's own fault");
      };
      const code = "print('x', flush=True)\nimport time\ntime.sleep(600)";
      await expect(sandbox().python.run(code, { onStdout })).rejects.toThrow("the listener's own fault");
      expect((await runOk(sandbox(), "1 + 1")).results[0]?.text).toBe("2");
    });

    it("that a hostile kernel fills with nonsense show that it is nonsense", async () => {
      const code = `
import gc
channels = [each for each in gc.get_objects() if type(each).__name__ == "BlockingChannel"]
channels[0].send({"op": "result", "waits": False}, b"{ no JSON")`;
      expect((await runOk(sandbox(), code)).results).toMatchObject([
        { text: expect.stringMatching(/cannot be shown/) },
      ]);
      expect((await runOk(sandbox(), "len(channels) > 0")).results[0]?.text).toBe("True");
    });

    it("deliver text that has no line end", async () => {
      const arrived = Promise.withResolvers<void>();
      const gate = `${sandbox().info.paths.workspace}/no-line-end`;
      const code = `print("50%", end="", flush=True)\n${waitFor(gate)}`;
      const result = sandbox().python.run(code, {
        timeoutMs: 30_000,
        onStdout: (text) => text.startsWith("50%") && arrived.resolve(),
      });
      await Promise.race([arrived.promise, result]);
      await sandbox().files.write(gate, "");
      expect(await result).toMatchObject({ status: "ok", stdout: "50%at the gate\n" });
    });

    it.each([
      ["stderr", "import sys; print('early', file=sys.stderr, flush=True)"],
      ["displayed values", "display('early')"],
    ])("deliver %s while the run goes on", async (kind, before) => {
      const arrived = Promise.withResolvers<void>();
      const gate = `${sandbox().info.paths.workspace}/gate of ${kind}`;
      const result = sandbox().python.run(`${before}\n${waitFor(gate)}`, {
        timeoutMs: 30_000,
        onStderr: () => arrived.resolve(),
        onResult: () => arrived.resolve(),
      });
      await Promise.race([arrived.promise, result]);
      await sandbox().files.write(gate, "");
      expect((await result).status).toBe("ok");
    });

    it("keep prints and displayed values in order", async () => {
      const events: string[] = [];
      await runOk(sandbox(), "for n in range(3):\n    print('print', n)\n    display(n)\n'end'", {
        onStdout: (text) => events.push(...text.split("\n").filter(Boolean)),
        onResult: (output) => events.push(`show ${output.text}`),
      });
      expect(events).toEqual(["print 0", "show 0", "print 1", "show 1", "print 2", "show 2", "show 'end'"]);
    });

    it("add up to the result", async () => {
      const seen = { stdout: "", stderr: "", results: [] as unknown[] };
      const code =
        "import sys\nfor n in range(500):\n    print('é' * 50)\n    print('ü', file=sys.stderr)\ndisplay(1)\n2";
      const result = await runOk(sandbox(), code, {
        onStdout: (text) => (seen.stdout += text),
        onStderr: (text) => (seen.stderr += text),
        onResult: (output) => seen.results.push(output),
      });
      expect(seen).toEqual({ stdout: result.stdout, stderr: result.stderr, results: result.results });
      expect(result.stdout).toBe(`${"é".repeat(50)}\n`.repeat(500));
    });

    it.runIf(driver.capabilities.shell)("carry what child processes and C code write", async () => {
      const code =
        "import os, subprocess\nos.system('echo child')\nsubprocess.run(['sh', '-c', 'echo oops >&2'])\nos.write(1, b'raw\\n');";
      const result = await runOk(sandbox(), code);
      expect(result.stdout.split("\n")).toEqual(expect.arrayContaining(["child", "raw"]));
      expect(result.stderr).toContain("oops");
    });

    it("do not carry output into the next run", async () => {
      await runOk(sandbox(), "import sys; sys.stdout.write('no line end')");
      expect(await runOk(sandbox(), "1")).toMatchObject({ stdout: "", stderr: "" });
    });

    it("are cut at the cap, each by itself, and say so", async () => {
      const code = "import sys; print('o' * 5000); print('e', file=sys.stderr)";
      const result = await runOk(sandbox(), code, { maxOutputBytes: 1000 });
      expect(result.truncated).toEqual({ stdout: true, stderr: false, results: false });
      expect(result.stdout).toMatch(/^o{100,1000}$/);
      expect(result.stderr).toBe("e\n");
      expect((await runOk(sandbox(), "print('o' * 5000)")).truncated.stdout).toBe(false);
    });

    it("keep within the cap while streaming too", async () => {
      let bytes = 0;
      const count = (text: string): void => void (bytes += Buffer.byteLength(text));
      await runOk(sandbox(), "for _ in range(100):\n    print('x' * 1000)", {
        maxOutputBytes: 2000,
        onStdout: count,
      });
      expect(bytes).toBeLessThanOrEqual(2000);
    });

    it("are not cut within a character", async () => {
      const { stdout } = await runOk(sandbox(), "print('€' * 1000)", { maxOutputBytes: 1000 });
      expect(stdout).toMatch(/^€+$/);
    });

    it("obey the sandbox's own limit", async () => {
      const limited = await create({ limits: { outputBytes: 2000 } });
      const result = await runOk(limited, "print('o' * 5000)");
      expect(result.truncated.stdout).toBe(true);
      expect(result.stdout.length).toBeLessThanOrEqual(2000);
      expect(result.notices.join()).toMatch(/output/i);
    });

    it("cut an enormous displayed value and say so", async () => {
      const result = await sandbox().python.run("'x' * 50_000_000");
      expect(result).toMatchObject({ status: "ok", truncated: { results: true } });
      expect(JSON.stringify(result.results).length).toBeLessThan(50_000_000);
    });
  });
}
