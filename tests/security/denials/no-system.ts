import { evaluateJson, type Suite } from "@atoll/sandbox/conformance";
import { describe, expect, it } from "vitest";

/** Where there is no operating system inside, there is nothing of one to be used or seen. */
export function describeNoSystem({ share }: Suite): void {
  describe("without a system:", () => {
    const sandbox = share();
    const tryAll = (attempts: readonly string[]) =>
      evaluateJson<Record<string, string>>(sandbox(), tryEach(attempts));
    const notRefused = async (attempts: readonly string[]): Promise<string[]> =>
      Object.entries(await tryAll(attempts))
        .filter(([, outcome]) => outcome === "done")
        .map(([attempt]) => attempt);

    it("(the probe sees what succeeds)", async () => {
      const own = ["os.getpid()", "open('/tmp/own', 'w').close()"];
      expect(await notRefused(own)).toEqual(own);
    });

    it("no process or thread can be started", async () => {
      const attempts = [
        "os.fork()",
        "os.execv('/bin/sh', ['sh'])",
        "os.posix_spawn('/bin/sh', ['sh'], {})",
        "subprocess.run(['true'])",
        "threading.Thread(target=print).start()",
        "multiprocessing.Process(target=print).start()",
      ];
      expect(await notRefused(attempts)).toEqual([]);
      expect(await evaluateJson(sandbox(), "import os; print(os.system('true'))")).not.toBe(0);
    });

    it("no process of the host is to be seen", async () => {
      const code =
        "import json, os; print(json.dumps(os.listdir('/proc') if os.path.exists('/proc') else []))";
      const seen = await evaluateJson<string[]>(sandbox(), code);
      expect(seen.filter((name) => /^\d+$/.test(name))).toEqual([]);
    });

    it("no function outside the interpreter can be found or loaded", async () => {
      const attempts = [
        "ctypes.CDLL(None).system(b'true')",
        "ctypes.CDLL(None).syscall(39)",
        "ctypes.CDLL(None).emscripten_run_script(b'0')",
        "ctypes.pythonapi.emscripten_run_script_int(b'0')",
        "ctypes.CDLL('libc.so.6')",
      ];
      expect(await notRefused(attempts)).toEqual([]);
    });

    it("nothing but its own folders can be written to", async () => {
      const places = ["/etc/x", "/lib/x", "/lib/atoll/x", "/dev/x", "/proc/x", "/data/x", "/x", "/home/x"];
      expect(await notRefused(places.map((path) => `open('${path}', 'w')`))).toEqual([]);
    });
  });
}

function tryEach(attempts: readonly string[]): string {
  return `
import ctypes, json, multiprocessing, os, subprocess, threading
def outcome(attempt):
    try:
        eval(attempt)
        return "done"
    except Exception as error:
        return type(error).__name__
print(json.dumps({attempt: outcome(attempt) for attempt in json.loads(${JSON.stringify(JSON.stringify(attempts))})}))`;
}
