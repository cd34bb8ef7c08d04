import {
  answer,
  finish,
  reply,
  startScriptedOpenAI,
  toolCall,
} from "../../tests/support/scripted-openai/index.ts";

/**
 * A model without a model, to look at one tool in the page: it answers each message with a call of that tool, then says
 * that it is done. Gives the variables by which the server finds it.
 */
export async function startScriptedModel(tool: string, json: string): Promise<Record<string, string>> {
  const args: unknown = JSON.parse(json);
  const models = await startScriptedOpenAI();
  models.always(({ body }) =>
    body.messages.at(-1)?.role === "tool"
      ? answer(`${tool} has answered.`)
      : reply(toolCall(tool, args), finish("tool_calls")),
  );
  return { OPENAI_BASE_URL: models.baseUrl, ATOLL_MODEL: "openai-compatible:scripted" };
}
