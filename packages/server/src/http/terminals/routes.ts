import type { Command } from "@atoll/sandbox";
import {
  removedSchema,
  terminalDoneSchema,
  terminalInputBody,
  terminalListSchema,
  terminalParams,
  terminalQuery,
  terminalSchema,
  terminalSizeBody,
  threadParams,
} from "@atoll/protocol/schemas";
import { showTerminal } from "./show-terminal.ts";
import {
  findTerminal,
  listTerminals,
  openTerminal,
  type Terminal,
} from "../../terminals/thread-terminals.ts";
import { ApiError } from "../errors/api-error.ts";
import { makeFrame } from "../sse/frames.ts";
import { lastEventId } from "../sse/last-event-id.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

const tag = "Desk";
const errors = ["not_found", "sandbox_dead"] as const;

/** Shells in a thread's sandbox, for a person. */
export function addTerminalRoutes({ api, services, channels }: RouteContext): void {
  const { threadSandboxes } = services;
  /** A terminal ends with its sandbox: one that rests has none, and is not woken to say so. */
  const find = async (threadId: string, terminalId: string): Promise<Command> => {
    const { id } = requireThread(services, threadId);
    if (threadSandboxes.state(id) === "cold") throw noTerminal();
    return findTerminal(await services.openSandbox(id), terminalId);
  };

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/terminals",
      operationId: "openTerminal",
      tag,
      summary: "Open a terminal in the thread's sandbox",
      description:
        "A bash in /workspace. It ends with the sandbox, and keeps it awake only while somebody follows its output.",
      params: threadParams,
      body: terminalSizeBody,
      result: terminalSchema,
      status: 201,
      errors: ["not_found", "busy", "not_supported", "runtime_unavailable"],
      example: { cols: 80, rows: 24 },
    },
    async ({ params, body }) => {
      const { id } = requireThread(services, params.thread_id);
      const sandbox = await services.openSandbox(id);
      const terminalId = await openTerminal(sandbox, body);
      return { terminal_id: terminalId, started_at: new Date().toISOString(), is_running: true };
    },
  );

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/terminals",
      operationId: "listTerminals",
      tag,
      summary: "The thread's terminals; none when its sandbox rests",
      params: threadParams,
      result: terminalListSchema,
      errors,
    },
    async ({ params }) => {
      const { id } = requireThread(services, params.thread_id);
      if (threadSandboxes.state(id) === "cold") return { terminals: [] };
      return { terminals: (await listTerminals(await services.openSandbox(id))).map(toWire) };
    },
  );

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/terminals/{terminal_id}/output",
      operationId: "followTerminal",
      tag,
      summary: "What a terminal writes, as server-sent events",
      description:
        "`output` has `offset` and `data` (base64); its id is the offset after it, to go on from there with `after` or `Last-Event-ID`. The last 512 KiB are kept. `exit` ends the stream; `error` tells that the sandbox is gone.",
      params: terminalParams,
      query: terminalQuery,
      otherResults: { "text/event-stream": "Events `output`, then `exit`, or `error`" },
      errors: [...errors, "shutting_down"],
      curl: "-N",
    },
    async ({ c, params, query }) => {
      const command = await find(params.thread_id, params.terminal_id);
      return channels.start(c, async (channel) => {
        const letRest = threadSandboxes.keepAwake(params.thread_id);
        try {
          await showTerminal(command, channel, lastEventId(c) ?? query.after ?? 0);
        } catch (error) {
          channel.send(makeFrame("error", channels.describe(error)));
        } finally {
          letRest();
        }
      });
    },
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/terminals/{terminal_id}/input",
      operationId: "writeTerminal",
      tag,
      summary: "Type into a terminal",
      description: "Requests at the same time may arrive in any order: send the next when this has answered.",
      params: terminalParams,
      body: terminalInputBody,
      result: terminalDoneSchema,
      errors: [...errors, "timeout"],
      example: { data: "ls\n" },
    },
    async ({ params, body, signal }) => {
      await (await find(params.thread_id, params.terminal_id)).write(body.data, { signal });
      return { terminal_id: params.terminal_id };
    },
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/terminals/{terminal_id}/size",
      operationId: "resizeTerminal",
      tag,
      summary: "Tell a terminal its size",
      params: terminalParams,
      body: terminalSizeBody,
      result: terminalDoneSchema,
      errors,
      example: { cols: 120, rows: 40 },
    },
    async ({ params, body, signal }) => {
      await (await find(params.thread_id, params.terminal_id)).resize(body, { signal });
      return { terminal_id: params.terminal_id };
    },
  );

  api.add(
    {
      method: "delete",
      path: "/thread/{thread_id}/terminals/{terminal_id}",
      operationId: "closeTerminal",
      tag,
      summary: "End a terminal and everything it started",
      params: terminalParams,
      result: removedSchema,
      errors,
    },
    async ({ params, signal }) => {
      await (await find(params.thread_id, params.terminal_id)).kill({ signal });
      return { removed: true };
    },
  );
}

function toWire({ terminalId, startedAt, isRunning }: Terminal) {
  return { terminal_id: terminalId, started_at: startedAt, is_running: isRunning };
}

function noTerminal(): ApiError {
  return new ApiError("not_found", "the thread's sandbox rests, and its terminals have ended", {
    hint: "Open a new one: POST /thread/{thread_id}/terminals.",
  });
}
