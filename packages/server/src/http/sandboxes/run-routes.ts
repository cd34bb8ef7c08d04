import { AtollError, type Command, type SandboxHandle } from "@atoll/sandbox";
import {
  commandBody,
  commandListSchema,
  commandOutputSchema,
  commandParams,
  commandResultSchema,
  outputQuery,
  pythonBody,
  pythonResultSchema,
  removedSchema,
  sandboxParams,
  toWireOutput,
} from "@atoll/protocol/schemas";
import { makeFrame } from "../sse/frames.ts";
import { toWireRun } from "../wire.ts";
import type { RouteContext } from "../api/route-context.ts";

const tag = "Sandboxes";
const errors = ["not_found", "busy", "not_supported", "sandbox_dead", "sandbox_paused"] as const;

/** Running code and commands. Whoever asked and goes away ends what it started, unless that is in the background. */
export function addSandboxRunRoutes({ api, services, channels }: RouteContext): void {
  const { apiSandboxes } = services;

  api.add(
    {
      method: "post",
      path: "/sandboxes/{sandbox_id}/python",
      operationId: "runPython",
      tag,
      summary: "Run Python in a live kernel",
      description:
        "Variables stay for the next run of the same context. With `Accept: text/event-stream` its `output` and `result` come live, and `code_run` at the end.",
      params: sandboxParams,
      body: pythonBody,
      result: pythonResultSchema,
      otherResults: { "text/event-stream": "Events `output`, `result`, `code_run`, or `error`" },
      errors,
      example: { code: "6 * 7" },
    },
    ({ c, params, body, signal }) => {
      const options = {
        copyArtifacts: false,
        context: body.context,
        timeoutMs: body.timeout_ms,
      };
      return apiSandboxes.use(params.sandbox_id, async (sandbox) => {
        if (!c.req.header("accept")?.includes("text/event-stream")) {
          return toWireRun(await sandbox.python.run(body.code, { ...options, signal }));
        }
        return channels.start(c, async (channel) => {
          const run = sandbox.python.run(body.code, {
            ...options,
            signal: channel.signal,
            onStdout: (text) => channel.send(makeFrame("output", { stream: "stdout", text })),
            onStderr: (text) => channel.send(makeFrame("output", { stream: "stderr", text })),
            onResult: (result) => channel.send(makeFrame("result", toWireOutput(result))),
          });
          await run.then(
            (result) => channel.send(makeFrame("code_run", toWireRun(result))),
            (error: unknown) => channel.send(makeFrame("error", channels.describe(error))),
          );
        });
      });
    },
  );

  api.add(
    {
      method: "post",
      path: "/sandboxes/{sandbox_id}/commands",
      operationId: "runCommand",
      tag,
      summary: "Run a command, to its end or in the background",
      params: sandboxParams,
      body: commandBody,
      result: commandResultSchema,
      errors,
      example: { command: "ls -l" },
    },
    ({ params, body, signal }) => {
      const { command, cwd, env, timeout_ms: timeoutMs, stdin, background } = body;
      const options = {
        cwd,
        env,
        timeoutMs,
      };
      return apiSandboxes.use(params.sandbox_id, async ({ commands }) => {
        if (background)
          return startCommand(
            await commands.spawn(command, { ...options, stdin: stdin !== undefined }),
            stdin,
          );
        const result = await commands.run(command, {
          ...options,
          signal,
          stdin,
        });
        return {
          command_id: result.commandId,
          status: result.status,
          exit_code: result.exitCode,
          signal: result.signal,
          stdout: result.stdout,
          stderr: result.stderr,
          truncated: result.truncated,
          duration_ms: result.durationMs,
          notices: [...result.notices],
        };
      });
    },
  );

  api.add(
    {
      method: "get",
      path: "/sandboxes/{sandbox_id}/commands",
      operationId: "listCommands",
      tag,
      summary: "The commands in the background, also those that have ended",
      params: sandboxParams,
      result: commandListSchema,
      errors,
    },
    ({ params, signal }) =>
      apiSandboxes.use(params.sandbox_id, async ({ commands }) => ({
        commands: (await commands.list({ signal })).map((each) => ({
          command_id: each.commandId,
          pid: each.pid,
          command: typeof each.command === "string" ? each.command : [...each.command],
          is_running: each.isRunning,
          exit_code: each.exitCode,
          started_at: each.startedAt,
        })),
      })),
  );

  const withCommand = <Result>(id: string, commandId: string, work: (command: Command) => Promise<Result>) =>
    apiSandboxes.use(id, async ({ commands }: SandboxHandle) => work(await commands.get(commandId)));

  api.add(
    {
      method: "get",
      path: "/sandboxes/{sandbox_id}/commands/{command_id}",
      operationId: "getCommandOutput",
      tag,
      summary: "What a command in the background wrote, from the given offsets on",
      params: commandParams,
      query: outputQuery,
      result: commandOutputSchema,
      errors,
    },
    ({ params, query, signal }) =>
      withCommand(params.sandbox_id, params.command_id, async (command) => {
        const { stdout, stderr, isRunning } = await command.output({
          signal,
          stdoutOffset: query.stdout_offset,
          stderrOffset: query.stderr_offset,
        });
        const part = ({ offset, bytes, text }: typeof stdout) => ({
          offset,
          next_offset: offset + bytes.length,
          text,
        });
        return {
          command_id: params.command_id,
          is_running: isRunning,
          stdout: part(stdout),
          stderr: part(stderr),
        };
      }),
  );

  api.add(
    {
      method: "delete",
      path: "/sandboxes/{sandbox_id}/commands/{command_id}",
      operationId: "killCommand",
      tag,
      summary: "End a command and everything it started",
      params: commandParams,
      result: removedSchema,
      errors,
    },
    ({ params, signal }) =>
      withCommand(params.sandbox_id, params.command_id, async (command) => {
        await command.kill({ signal });
        return { removed: true };
      }),
  );
}

async function startCommand(command: Command, stdin: string | undefined) {
  if (stdin !== undefined) await giveInput(command, stdin);
  return {
    command_id: command.commandId,
    pid: command.pid,
    status: "running" as const,
    stdout: "",
    stderr: "",
  };
}

/** A command may end, or close its stdin, before all of it is written: it has started all the same. */
async function giveInput(command: Command, stdin: string): Promise<void> {
  try {
    await command.write(stdin);
    await command.closeStdin();
  } catch (error) {
    if (!(error instanceof AtollError && error.code === "invalid_argument")) throw error;
  }
}
