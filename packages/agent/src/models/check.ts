import { type ChosenModel, nameModel } from "./choice.ts";
import { explainFault, type ModelFault } from "./fault.ts";
import { resolveModel } from "./first-model.ts";
import { openModel } from "./open.ts";

export type ModelCheck =
  | { readonly ok: true; readonly model: string; readonly durationMs: number }
  | ({ readonly ok: false } & Pick<ModelFault, "code" | "message" | "hint">);

const TIMEOUT_MS = 20_000;

/** Whether key, address and model work, found out by one tiny call. Rejects only when `signal` aborts. */
export async function checkModel(choice: ChosenModel, signal: AbortSignal): Promise<ModelCheck> {
  const startedAt = performance.now();
  try {
    const resolved = await resolveModel(choice, signal);
    const model = await openModel(resolved);
    await model.doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: "Reply with the word ok." }] }],
      // The least that OpenAI accepts.
      maxOutputTokens: 16,
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return { ok: true, model: nameModel(resolved), durationMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message, hint } = explainFault(error, choice);
    return { ok: false, code, message, hint };
  }
}
