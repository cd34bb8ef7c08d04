import { beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../contract/sandbox.ts";
import { py } from "../run-code.ts";
import { describeInside, type Suite } from "../suite.ts";
import { expectUsable } from "./bystander.ts";

/** What user code writes on the kernel's own way to its supervisor. */
export function describeForgedFrames({ driver, share }: Suite): void {
  const { hasProcesses } = describeInside(driver);
  const forge = hasProcesses ? forgeOnSocket : forgeOnDevice;

  describe("a kernel that forges frames", () => {
    const shared = share();
    beforeEach(() => shared().python.restart());

    it.each<readonly [string, string]>([
      ["an exit code that is no number", "done({'count': 1, 'exitCode': float('nan')})"],
      ["an endless exit code", 'done(b\'{"count":1,"exitCode":1e999}\')'],
      ["an exit code of 4,000 digits", "done({'count': 1, 'exitCode': 10**4000})"],
      ["a count that is an object", "done({'count': {}})"],
      ["a count that is negative", "done({'count': -1})"],
      ["a null traceback", "done({'count': 1, 'error': {'name': 'E', 'value': 'v', 'traceback': None}})"],
      ["an error that is a list", "done({'count': 1, 'error': [1]})"],
      [
        "an error of 3 MiB",
        "done({'count': 1, 'error': {'name': 'E', 'value': 'v' * 3145728, 'traceback': ''}})",
      ],
      ...(hasProcesses ? [["a field that nobody knows", "done({'count': 1, 'died': 0})"] as const] : []),
      ["a header nested 200,000 deep", "done(b'{\"count\":' + b'[' * 200000 + b']' * 200000 + b'}')"],
      ["a header that is no object", "send(b'[]')"],
      ["a header that is no JSON", "send(b'{\"op\"')"],
      ["a header that is no UTF-8", 'send(b\'{"op":"\\xff"}\')'],
      ["a frame of 4 GiB", "raw(b'\\xff' * 8)"],
      ["text where frames should be", "raw(b'GET / HTTP/1.1\\r\\n\\r\\n')"],
    ])("with %s is replaced, and the result says why", async (_, attack) => {
      const sandbox = shared();
      const result = await sandbox.python.run(`${forge}\n${attack}\nimport time; time.sleep(60)`, {
        timeoutMs: 30_000,
      });
      expect(result).toMatchObject({
        status: "killed",
        kernelRestarted: true,
        error: { name: "KernelDied" },
      });
      expect(Number.isSafeInteger(result.exitCode)).toBe(true);
      expect(result.error?.value).toMatch(/protocol/);
      await expectUsable(sandbox);
    });

    it("of a wrong count before its own death does not hold up what comes next", async () => {
      const sandbox = shared();
      await sandbox.python.run(`${forge}\ndone({'count': {}})\nimport os; os._exit(1)`);
      await expectUsable(sandbox);
      expect(await sandbox.python.contexts()).toMatchObject([{ executionCount: expect.any(Number) }]);
    });

    it("of a value nested 200,000 deep shows what of it can be shown", async () => {
      const sandbox = shared();
      const deep = `b'{"isMain":true,"text":"seen","json":' + b'[' * 200000 + b']' * 200000 + b'}'`;
      const result = await sandbox.python.run(`${forge}\nshow(${deep})`, { timeoutMs: 30_000 });
      expect(() => JSON.stringify(result)).not.toThrow();
      await expectUsable(sandbox);
    });

    it("of values without end keeps to what a run may show", async () => {
      const sandbox = shared();
      const result = await sandbox.python.run(`${forge}\nfor _ in range(60_000): show(b'{"isMain":false}')`, {
        timeoutMs: 120_000,
      });
      expect(result.results.length).toBeLessThan(40_000);
      expect(result.truncated.results).toBe(true);
      await expectUsable(sandbox);
    });

    it("without a pause does not keep its supervisor from stopping it", async () => {
      const sandbox = shared();
      const result = await sandbox.python.run(`${forge}\nwhile True: show(b'{"isMain":false}')`, {
        timeoutMs: 2000,
      });
      expect(["timeout", "killed"]).toContain(result.status);
      await expectUsable(sandbox);
    });

    it.runIf(hasProcesses)("and never reads what it asked for is replaced", async () => {
      const sandbox = shared();
      const code = `${forge}\nwhile True: send({'op': 'result', 'waits': True}, b'{}')`;
      const result = await sandbox.python.run(code, { timeoutMs: 30_000 });
      expect(result).toMatchObject({ status: "killed", error: { value: expect.stringMatching(/protocol/) } });
      await expectUsable(sandbox);
    });

    it("while somebody looks at its variables is replaced", async () => {
      const sandbox = shared();
      await armVariables(sandbox, forge);
      await expect(sandbox.python.variables()).rejects.toMatchObject({ name: "AtollError" });
      await expectUsable(sandbox);
    });
  });
}

/** From then on whoever asks for the size of this variable gets a forged answer. */
async function armVariables(sandbox: Sandbox, forge: string): Promise<void> {
  const trap =
    "class Trap:\n    def __sizeof__(self): done(b'{\"reply\":[[[]]]}'); import time; time.sleep(60)\ntrap = Trap()";
  await sandbox.python.run(`${forge}\n${trap}\n${py("armed")}`);
}

const shared = `
import json, os, struct
def encode(header, body=b""):
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack(">II", len(head), len(body)) + head + body
def send(header, body=b""): raw(encode(header, body))
`;

const forgeOnSocket = `${shared}
def raw(data):
    view = memoryview(data)
    while view: view = view[os.write(3, view):]
def done(fields):
    if isinstance(fields, bytes): send(b'{"op":"done",' + fields[1:])
    else: send({"op": "done", **fields})
def show(body): send({"op": "result", "waits": False}, body)
`;

const forgeOnDevice = `${shared}
import gc
channel = next(each for each in gc.get_objects() if type(each).__name__ == "BlockingChannel")
device = channel._devices
def raw(data): device.send(data)
def done(fields):
    text = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
    send(b'{"id":' + str(channel._current.id).encode() + b',"done":' + text + b'}')
def show(body): send({"id": channel._current.id, "event": "result", "data": {}}, body)
`;
