import { chooseModel, openModel } from "@atoll/agent";
import { MockLanguageModelV4 } from "ai/test";

export type Model = Awaited<ReturnType<typeof openModel>>;

/** What a scripted model does in one step. */
export type Step = { readonly call: string; readonly input: object } | { readonly say: string };

/**
 * The model that the environment names: OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, or
 * OPENAI_BASE_URL with OPENAI_MODEL. Without any, one that does what the script says, so that the example runs anywhere.
 */
export async function openModelOr(script: readonly Step[]): Promise<Model> {
  const choice = chooseModel(process.env);
  if (choice.kind === "model") return openModel(choice);
  return scriptModel(script);
}

export function scriptModel(script: readonly Step[]): Model {
  return new MockLanguageModelV4({ modelId: "scripted", doGenerate: script.map(toResult) });
}

type Result = Extract<
  NonNullable<NonNullable<ConstructorParameters<typeof MockLanguageModelV4>[0]>["doGenerate"]>,
  readonly unknown[]
>[number];

function toResult(step: Step, index: number): Result {
  const isCall = "call" in step;
  return {
    content: isCall
      ? [
          {
            type: "tool-call",
            toolCallId: `call_${index}`,
            toolName: step.call,
            input: JSON.stringify(step.input),
          },
        ]
      : [{ type: "text", text: step.say }],
    finishReason: { unified: isCall ? "tool-calls" : "stop", raw: undefined },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    warnings: [],
  };
}
