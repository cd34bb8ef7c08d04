import type { DataFolder } from "../../support/data-folder.ts";
import type { ReceivedRequest, Reply, ScriptedOpenAI } from "../../support/scripted-openai/index.ts";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { ServerProcess } from "../../support/server-process.ts";

/** A data folder whose servers are killed, and a model for them. */
export interface Bench {
  readonly folder: DataFolder;
  readonly models: ScriptedOpenAI;
  start(): Promise<ServerProcess>;
}

/** What the model says to a message that holds the text; to a tool's result and to all else it says that it is done. */
export function replyTo(replies: Readonly<Record<string, Reply>>): (request: ReceivedRequest) => Reply {
  return ({ body }) => {
    const last = body.messages.at(-1);
    const asked = last?.role === "user" ? JSON.stringify(last.content) : "";
    const found = Object.entries(replies).find(([text]) => asked.includes(text));
    return found?.[1] ?? say("All done.");
  };
}
