import type { NewThread } from "@atoll/client";
import type { ScriptedOpenAI } from "../../support/scripted-openai/index.ts";
import { finish, reply, type Stream, toolCall } from "../../support/scripted-openai/index.ts";
import type { ThreadUser } from "../../support/thread-user.ts";

/** A running server whose model says what the test tells it to. */
export interface Bench {
  readonly models: ScriptedOpenAI;
  newThread(thread?: NewThread): Promise<ThreadUser>;
}

/** The model asks for a run of this code. */
export function python(code: string): Stream {
  return reply(toolCall("execute_python", { code }), finish("tool_calls"));
}

export const modelName = "openai-compatible:scripted";

export function modelEnvironment(models: ScriptedOpenAI): Record<string, string> {
  return { OPENAI_BASE_URL: models.baseUrl, ATOLL_MODEL: modelName };
}
