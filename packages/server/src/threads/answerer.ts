import { type ModelChoice, nameModel, type UserCode } from "@atoll/agent";
import type { ThreadSettings } from "../store/contract.ts";
import type { WaitingMessage } from "./message.ts";
import type { RunnerContext } from "./options.ts";

/** Who answers a message: a model, the built-in analyst, or, where it is code, the user. */
export function chooseAnswerer(
  { language }: WaitingMessage,
  settings: ThreadSettings,
  { resolveModel }: Pick<RunnerContext, "resolveModel">,
): { readonly model: ModelChoice | UserCode; readonly name: string } {
  const model = language ? ({ kind: "user", language } as const) : resolveModel(settings);
  return { model, name: nameModel(model) };
}
