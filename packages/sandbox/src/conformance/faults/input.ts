import { describe, expect, it } from "vitest";
import { evaluate, runOk } from "../run-code.ts";
import type { Suite } from "../suite.ts";
import { expectUsable } from "./bystander.ts";

const MiB = 1024 * 1024;

export function describeInputFaults({ driver, create, share }: Suite): void {
  describe("input and output that is no text", () => {
    const sandbox = share();

    it("input() finds a closed stdin", async () => {
      expect(await sandbox().python.run("input('name? ')")).toMatchObject({
        status: "error",
        error: { name: "EOFError" },
      });
      expect(await evaluate(sandbox(), "import sys; sys.stdin.read()")).toBe("''");
      await expectUsable(sandbox());
    });

    it("a stdin that the code closes itself does no harm", async () => {
      const fresh = await create();
      await runOk(fresh, "import os, sys\nsys.stdin.close()\nos.close(0)");
      expect((await fresh.python.run("input()")).status).toBe("error");
      await expectUsable(fresh);
    });

    it.runIf(driver.capabilities.shell)("a command finds a closed stdin", async () => {
      expect(await sandbox().commands.run("read line || echo closed")).toMatchObject({
        status: "ok",
        stdout: "closed\n",
      });
    });

    it("binary output arrives in replaced form", async () => {
      const result = await runOk(
        sandbox(),
        "import sys\nsys.stdout.buffer.write(b'<\\xff\\xfe\\x00>'); sys.stdout.flush()",
      );
      expect(result.stdout).toMatch(/^<\uFFFD+\0>$/);
      await expectUsable(sandbox());
    });

    it("control characters arrive as they are", async () => {
      const result = await runOk(sandbox(), "print('\\x1b[31mred\\x1b[0m \\x00\\x07 \\u2028', end='')");
      expect(result.stdout).toBe("\u001b[31mred\u001b[0m \u0000\u0007 \u2028");
    });

    it("a lone surrogate ends in a result", async () => {
      for (const code of [
        "print('\\udc80 \\ud800')",
        "'\\udc80'",
        "raise ValueError('\\ud800')",
        "display({'text/html': '\\ud800'}, raw=True)",
      ]) {
        expect(["ok", "error"]).toContain((await sandbox().python.run(code)).status);
      }
      await expectUsable(sandbox());
    });

    it("source with a lone surrogate or a NUL ends in a result or a refusal", async () => {
      for (const code of ["x = '\ud800'", "x = 1\0", "\ufeffx = 1", "x = 1\r\ny = 2\r"]) {
        const outcome = await sandbox()
          .python.run(code)
          .then(
            (result) => result.status,
            (error: { code: string }) => error.code,
          );
        expect(["ok", "error", "invalid_argument"]).toContain(outcome);
      }
      await expectUsable(sandbox());
    });

    it("a character in two pieces arrives whole", async () => {
      const code =
        "import sys\nfor byte in 'é漢🦜'.encode():\n    sys.stdout.buffer.write(bytes([byte])); sys.stdout.buffer.flush()";
      let streamed = "";
      const result = await runOk(sandbox(), code, { onStdout: (text) => (streamed += text) });
      expect([result.stdout, streamed]).toEqual(["é漢🦜", "é漢🦜"]);
    });

    it("a file that is not UTF-8 can be read as text", async () => {
      await sandbox().files.write("latin1.txt", Uint8Array.from([0x63, 0x61, 0x66, 0xe9]));
      expect(await sandbox().files.readText("latin1.txt")).toBe("caf\uFFFD");
      expect((await sandbox().files.grep("caf", { path: "latin1.txt" })).matches).toHaveLength(1);
    });

    it("50 MB of source end in a result or a refusal", async () => {
      const fresh = await create();
      const code = `text = "${"x".repeat(50 * MiB)}"\nlen(text)`;
      const outcome = await fresh.python.run(code, { timeoutMs: 100_000 }).then(
        (result) =>
          result.status === "ok" ? result.results[0]?.text : (result.error?.name ?? result.status),
        (error: { code: string }) => error.code,
      );
      expect([String(50 * MiB), "too_large", "MemoryError"]).toContain(outcome);
      await expectUsable(fresh);
    });

    it("code nested too deep ends in a result", async () => {
      const result = await sandbox().python.run(`${"(".repeat(100_000)}1${")".repeat(100_000)}`, {
        timeoutMs: 30_000,
      });
      expect(["error", "killed"]).toContain(result.status);
      await expectUsable(sandbox());
    });
  });
}
