import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { NewThread } from "@atoll/client";
import type { EventStream } from "../../support/event-stream.ts";
import { finish, reply, type ScriptedOpenAI, text, toolCalls } from "../../support/scripted-openai/index.ts";
import type { ServerProcess } from "../../support/server-process.ts";
import type { ThreadUser } from "../../support/thread-user.ts";

/** A data folder that outlives its servers, and a model for them. */
export interface Bench {
  readonly path: string;
  readonly models: ScriptedOpenAI;
  start(): Promise<ServerProcess>;
}

/** Shell commands are asked about, everything else is allowed. */
export const askForShell: NewThread = { approval_rules: [{ tool: "execute_shell", permission: "ask" }] };

const note = (letter: string) => ({
  name: "execute_python",
  args: { code: `_ = open('notes.txt', 'a').write('${letter}')` },
});

/** Says a word, writes a letter, asks for a command, and writes another letter: all in one step. */
export const threeCalls = reply(
  text("Looking."),
  toolCalls(note("x"), { name: "execute_shell", args: { command: "cat notes.txt" } }, note("y")),
  finish("tool_calls"),
);

/** Sends a message and waits until its run waits for the user. */
export async function sendUntilAsked(
  user: ThreadUser,
  message: string,
): Promise<{ stream: EventStream; approvalId: string; runId: string }> {
  const stream = await user.send(message);
  const { approval_id: approvalId } = await stream.until("approval");
  const { run_id: runId } = await stream.until("run_started");
  return { stream, approvalId, runId };
}

/** Makes it as if the time of every question of the thread had passed while no server ran. */
export function letTimePass(dataDir: string, threadId: string): void {
  const database = new DatabaseSync(join(dataDir, "server/atoll.db"));
  try {
    // Without a checksum nothing is checked, so that the change does not count as damage.
    database
      .prepare(
        `UPDATE events SET checksum = NULL, payload = json_set(payload, '$.expires_at', '2020-01-01T00:00:00.000Z')
         WHERE type = 'approval' AND thread_key = (SELECT key FROM threads WHERE id = ?)`,
      )
      .run(threadId);
  } finally {
    database.close();
  }
}
