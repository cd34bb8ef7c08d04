import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { RunResult } from "./contract/python.ts";
import type { Sandbox } from "./contract/sandbox.ts";
import { hookCalls } from "./hook-calls.ts";

function createHarness() {
  const connection = new PassThrough();
  const target = {
    id: "target",
    info: { id: "target" },
    python: { run: async (code: string) => ({ stdout: code }), contexts: async () => [] },
    files: {
      readText: () => Promise.reject(new Error("gone")),
      readStream: () => new Blob(["content"]).stream(),
      watch: async function* () {
        yield { kind: "created", path: "/a" };
        yield { kind: "created", path: "/b" };
      },
    },
    ports: { connect: async () => connection },
    metrics: async () => ({ cpuMs: 1 }),
  } as unknown as Sandbox;
  const events: string[] = [];
  const hooked = hookCalls({ id: "first", info: { id: "first" } } as Sandbox, {
    async beforeCall({ method, isChange }) {
      events.push(`${isChange ? "change" : "read"} ${method}`);
      return {
        sandbox: target,
        end: (error) => void events.push(error ? `failed: ${String(error)}` : "ended"),
      };
    },
    info: () => target.info,
  });
  return { target, hooked, events, connection };
}

describe("hookCalls", () => {
  it("sends each call to the sandbox of `beforeCall`, and reports its end", async () => {
    const { hooked, events } = createHarness();
    expect((await hooked.python.run("1")).stdout).toBe("1");
    await hooked.python.contexts();
    await hooked.metrics();
    expect(events).toEqual([
      "change python.run",
      "ended",
      "read python.contexts",
      "ended",
      "read metrics",
      "ended",
    ]);
    expect([hooked.id, hooked.info.id]).toEqual(["first", "target"]);
  });

  it("reports the error of a failed call and throws it", async () => {
    const { hooked, events } = createHarness();
    await expect(hooked.files.readText("a")).rejects.toThrow("gone");
    expect(events).toEqual(["read files.readText", "failed: Error: gone"]);
  });

  it("ends a stream when it was read, and a watch when its reader stops", async () => {
    const { hooked, events } = createHarness();
    const chunks: string[] = [];
    for await (const chunk of hooked.files.readStream("a")) chunks.push(Buffer.from(chunk).toString());
    expect([chunks.join(""), events]).toEqual(["content", ["read files.readStream", "ended"]]);
    for await (const { path } of hooked.files.watch(".")) {
      expect([path, events.slice(2)]).toEqual(["/a", ["read files.watch"]]);
      break;
    }
    expect(events.slice(2)).toEqual(["read files.watch", "ended"]);
  });

  it("ends a connection to a port when it is closed", async () => {
    const { hooked, events, connection } = createHarness();
    expect(await hooked.ports.connect(80)).toBe(connection);
    expect(events).toEqual(["read ports.connect"]);
    connection.destroy();
    await expect.poll(() => events).toEqual(["read ports.connect", "ended"]);
  });

  it("wraps only runs of Python without `beforeCall`", async () => {
    const { target } = createHarness();
    const results: RunResult[] = [];
    const hooked = hookCalls(target, {
      async aroundPythonRun(run, { context }) {
        expect(context).toBe("other");
        const result = await run();
        results.push(result);
        return result;
      },
    });
    const result = await hooked.python.run("2", { context: "other" });
    expect(results).toEqual([result]);
    expect([hooked.files, await hooked.python.contexts()]).toEqual([target.files, []]);
  });
});
