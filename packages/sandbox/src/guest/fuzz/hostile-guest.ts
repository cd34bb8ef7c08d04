import { createServer, type Server, type Socket } from "node:net";
import { FrameDecoder } from "../wire/frames.ts";
import { Choices, frameOf, mutateBytes, mutateJson } from "./mutations.ts";

const stat = {
  path: "/workspace/a",
  name: "a",
  kind: "symlink",
  sizeBytes: 1,
  mode: 420,
  modifiedAt: "2025-11-15T12:00:00.000Z",
  linkTarget: "b",
};
const run = {
  status: "error",
  exitCode: 1,
  truncated: { stdout: false, stderr: false, results: false },
  error: { name: "E", value: "v", traceback: "t" },
  durationMs: 1.5,
  kernelRestarted: false,
  notices: ["n"],
  artifacts: [{ path: "/workspace/a", sizeBytes: 1, hash: "00", mime: "text/plain", change: "new" }],
};
const command = { ...run, commandId: "c1", signal: "SIGTERM" };
const row = ["workspace", "a", "file", 420, 1, 5, "1.1", null];

/** A sound reply to each call that the fuzz makes. */
const replies: Readonly<Record<string, unknown>> = {
  state: { state: "running" },
  "python.run": run,
  "python.contexts": [{ name: "default", isBusy: false, executionCount: 1 }],
  "python.variables": {},
  "python.snapshot": {
    path: "/s",
    sizeBytes: 1,
    saved: ["x"],
    lost: [{ name: "y", type: "t", reason: "r" }],
    durationMs: 1,
  },
  "files.stat": stat,
  "files.list": [stat, stat],
  "files.open": { stat, end: 3 },
  "files.glob": ["/workspace/a"],
  "files.grep": {
    matches: [{ path: "/a", line: 1, text: "t", before: ["b"], after: ["a"] }],
    truncated: false,
  },
  "trees.scan": { fingerprint: "f", entries: [row], skipped: [["session", "b", "why"]] },
  "commands.run": command,
  "commands.list": [
    { commandId: "c1", pid: 5, command: ["ls"], isRunning: true, keepsAwake: true, startedAt: "now" },
  ],
  metrics: {
    cpuMs: 1,
    memoryBytes: 1,
    memoryLimitBytes: 1,
    processes: 1,
    diskBytes: 1,
    diskLimitBytes: 1,
    uptimeMs: 1,
  },
  "processes.list": [
    { pid: 1, parentPid: 0, name: "n", commandLine: "n", state: "S", residentBytes: 1, cpuMs: 1 },
  ],
  "ports.list": [8000],
  "env.get": { HOME: "/" },
};
const value = {
  isMain: true,
  text: "t",
  json: [1],
  table: { columns: [], rows: [], totalRows: 0, totalColumns: 0 },
};
const events: readonly (readonly [string, unknown, unknown])[] = [
  ["stdout", {}, "out"],
  ["stderr", { offset: 5 }, "err"],
  ["result", {}, value],
  ["page", {}, { variables: [], total: 0 }],
  ["change", { kind: "created", path: "/a" }, ""],
  ["nonsense", { x: 1 }, "x"],
];

/** Speaks the protocol on a Unix socket, as a guest that wants to hurt who connects to it. */
export class HostileGuest {
  readonly #server: Server;
  readonly #choices: Choices;
  readonly #sockets = new Set<Socket>();
  /** Those that it has sent. */
  frames = 0;
  isHonest = false;

  constructor(seed: number) {
    this.#choices = new Choices(seed);
    this.#server = createServer((socket) => this.#serve(socket));
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve) => this.#server.listen(path, resolve));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    const decoder = new FrameDecoder();
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("data", (chunk) => {
      for (const { header } of decoder.push(chunk))
        if (header["cancel"] !== true) this.#answer(socket, header as { id: number; method: string });
    });
  }

  #answer(socket: Socket, { id, method }: { id: number; method: string }): void {
    const choices = this.#choices;
    const done = { id, done: replies[method] ?? null };
    if (this.isHonest) {
      if (method === "python.variables")
        socket.write(
          frameOf(JSON.stringify({ id, event: "page" }), Buffer.from('{"variables":[],"total":0}')),
        );
      socket.write(frameOf(JSON.stringify(done), Buffer.from("abc")));
      return;
    }
    for (let n = choices.below(4); n > 0; n--) this.#sendEvent(socket, id);
    const failure = { id, error: { code: "not_found", message: "m" } };
    const answer = choices.below(6) === 0 ? failure : done;
    const frame = frameOf(mutateJson(answer, choices), Buffer.from("abc"));
    const isRaw = choices.below(12) === 0;
    this.#send(socket, isRaw ? mutateBytes(frame, choices) : frame);
    // A call that is never answered would wait for its time-out: every one has an end.
    this.#send(socket, frameOf(JSON.stringify(choices.below(2) === 0 ? failure : done), Buffer.from("abc")));
    if (isRaw || choices.below(12) === 0) socket.end();
  }

  #sendEvent(socket: Socket, id: number): void {
    const choices = this.#choices;
    const [event, data, body] = choices.of(events);
    const content = typeof body === "string" ? body : mutateJson(body, choices);
    const header = mutateJson({ id, event, data }, choices);
    this.#send(socket, frameOf(header, Buffer.from(content)));
  }

  #send(socket: Socket, frame: Buffer): void {
    this.frames++;
    if (!socket.destroyed) socket.write(frame);
  }
}
