import { AtollError, type Command, type CommandChunk, type Commands } from "@atoll/sandbox";
import type { Experimental_SandboxProcess, Experimental_SandboxSession } from "ai";

type Spawn = Experimental_SandboxSession["spawn"];
type SpawnOptions = Parameters<Spawn>[0];

/** How much unread output is kept. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** Commands in the background as the AI SDK's processes. An abort kills one, and its `wait` rejects with the reason. */
export function createSpawn(commands: Commands): Spawn {
  // The process has an input when it was asked for: types cannot say that of one function.
  return ((options: SpawnOptions) => spawnProcess(commands, options)) as unknown as Spawn;
}

async function spawnProcess(
  commands: Commands,
  { command, workingDirectory, env, abortSignal, stdin = false }: SpawnOptions,
): Promise<Experimental_SandboxProcess> {
  abortSignal?.throwIfAborted();
  const started = await commands.spawn(command, {
    cwd: workingDirectory,
    env,
    stdin,
    maxOutputBytes: MAX_UNREAD_BYTES,
  });
  const kill = () => unlessEnded(started.kill());
  const onAbort = () => void kill().catch(() => {});
  abortSignal?.addEventListener("abort", onAbort, { once: true });
  if (abortSignal?.aborted) onAbort();
  const ended = started.wait().finally(() => abortSignal?.removeEventListener("abort", onAbort));
  // A caller that does not wait must not get an unhandled rejection.
  ended.catch(() => {});
  return {
    pid: started.pid,
    stdout: streamOf(started, "stdout"),
    stderr: streamOf(started, "stderr"),
    async wait() {
      const { exitCode } = await ended;
      abortSignal?.throwIfAborted();
      return { exitCode };
    },
    kill,
    ...(stdin ? { stdin: inputOf(started) } : {}),
  };
}

/** Each stream is followed separately: an unread one does not hold up the other. Lost output is an error, not a gap. */
function streamOf(command: Command, wanted: CommandChunk["stream"]): ReadableStream<Uint8Array> {
  const over = new AbortController();
  let read = 0;
  const chunks = command.follow({ signal: over.signal })[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await chunks.next();
          if (done) return controller.close();
          if (value.stream !== wanted) continue;
          if (value.offset !== read) throw lost(wanted);
          read += value.bytes.length;
          return controller.enqueue(value.bytes);
        }
      },
      async cancel() {
        over.abort();
        await chunks.return?.(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function lost(stream: string): AtollError {
  const message = `more than ${MAX_UNREAD_BYTES} bytes of ${stream} were waiting unread: read sooner, or write to a file`;
  return new AtollError("too_large", message);
}

function inputOf(command: Command): WritableStream<Uint8Array> {
  return new WritableStream({
    write: (bytes) => command.write(bytes),
    close: () => unlessEnded(command.closeStdin()),
    abort: () => unlessEnded(command.closeStdin()),
  });
}

/** One that has ended needs no end. */
async function unlessEnded(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AtollError && error.code === "not_found")) throw error;
  }
}
