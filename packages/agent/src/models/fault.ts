import { APICallError } from "@ai-sdk/provider";
import { type ChosenModel, nameModel, providers } from "./choice.ts";
import { NoModelError } from "./first-model.ts";
import { scrub } from "./scrub.ts";

/** Why a model call failed, in words for the user. */
export interface ModelFault {
  readonly code:
    | "model_auth"
    | "model_not_found"
    | "model_rate_limited"
    | "model_unavailable"
    | "model_context_too_long"
    | "model_refused"
    | "model_error";
  readonly message: string;
  readonly hint: string;
  /** The same call may succeed a little later. */
  readonly isRetryable: boolean;
  readonly retryAfterMs?: number;
}

/** A stream that stays open and says nothing. */
export class StallError extends Error {
  override readonly name = "StallError";
}

export function explainFault(error: unknown, choice: ChosenModel): ModelFault {
  const { statusCode, said, headers } = readError(error);
  const facts = { choice, said: scrub(said, choice.apiKey), statusCode };
  if (error instanceof NoModelError) return notFound(facts);
  if (statusCode !== 429 && isTooLong(said)) return tooLong(facts);
  if (
    statusCode === 401 ||
    statusCode === 403 ||
    /api[ _-]?key not valid|invalid.{0,10}api[ _-]?key/i.test(said)
  ) {
    return wrongKey(facts);
  }
  if (statusCode === 404 || /model_not_found|model .{0,80}(not found|does not exist)/i.test(said)) {
    return notFound(facts);
  }
  if (statusCode === 429 || /rate_limit|too many requests|resource_exhausted/i.test(said)) {
    return rateLimited(facts, readRetryAfter(headers));
  }
  if (statusCode === undefined || statusCode === 408 || statusCode === 409 || statusCode >= 500) {
    return unavailable(facts, error, readRetryAfter(headers));
  }
  return {
    code: "model_error",
    message: `${nameModel(choice)} refused the request (${statusCode})${quote(facts.said)}`,
    hint: "Check the model's name and whether it can call tools, or choose another model.",
    isRetryable: false,
  };
}

interface Facts {
  choice: ChosenModel;
  /** What the provider wrote, without keys. */
  said: string;
  statusCode: number | undefined;
}

function wrongKey({ choice, statusCode }: Facts): ModelFault {
  return {
    code: "model_auth",
    message: `${choice.provider} refused the key${statusCode ? ` (${statusCode})` : ""}.`,
    hint: `Set ${providers[choice.provider].keyVariable} to a valid key, in the settings or the environment.`,
    isRetryable: false,
  };
}

function notFound({ choice, statusCode }: Facts): ModelFault {
  const what = choice.model ? `does not know the model "${choice.model}"` : "names no model";
  return {
    code: "model_not_found",
    message: `${choice.provider} ${what}${statusCode ? ` (${statusCode})` : ""}.`,
    hint: `Choose another model, e.g. ATOLL_MODEL=${choice.provider}:${providers[choice.provider].defaultModel || "name"}, and check the address.`,
    isRetryable: false,
  };
}

function rateLimited({ choice, said }: Facts, retryAfterMs: number | undefined): ModelFault {
  const isOutOfCredit = /insufficient_quota|billing|credit/i.test(said);
  return {
    code: "model_rate_limited",
    message: isOutOfCredit
      ? `The account at ${choice.provider} has no credit left.`
      : `${choice.provider} takes no more requests at the moment.`,
    hint: isOutOfCredit
      ? "Check the plan and billing of the account, or choose another model."
      : "Wait a little and send the message again, or choose another model.",
    isRetryable: !isOutOfCredit,
    retryAfterMs,
  };
}

function tooLong({ choice }: Facts): ModelFault {
  return {
    code: "model_context_too_long",
    message: `The conversation is too long for ${nameModel(choice)}.`,
    hint: "Start a new thread, ask for less output, or choose a model with a larger context.",
    isRetryable: false,
  };
}

function unavailable(facts: Facts, error: unknown, retryAfterMs: number | undefined): ModelFault {
  const where = facts.choice.baseUrl ? ` at ${hostOf(facts.choice.baseUrl)}` : "";
  const what =
    error instanceof StallError
      ? "stopped sending in the middle of an answer"
      : facts.statusCode === undefined
        ? isConnectFailure(error)
          ? "cannot be reached"
          : "broke off its answer"
        : `has a problem (${facts.statusCode})`;
  return {
    code: "model_unavailable",
    message: `${facts.choice.provider}${where} ${what}.`,
    hint: facts.choice.baseUrl
      ? "Check that the model server runs and that OPENAI_BASE_URL is its address."
      : "Check the network, send the message again, or choose another model.",
    isRetryable: true,
    retryAfterMs,
  };
}

function isTooLong(said: string): boolean {
  return /context[_ ]length|context window|maximum context|prompt is too long|input (is )?too long|too many tokens|(token count|tokens?) .{0,40}exceed|exceeds? .{0,40}(context|token limit)|reduce the length/i.test(
    said,
  );
}

function isConnectFailure(error: unknown): boolean {
  if (APICallError.isInstance(error)) return error.statusCode === undefined;
  return error instanceof TypeError && /fetch failed/i.test(error.message);
}

function readError(error: unknown) {
  if (APICallError.isInstance(error)) {
    const said = `${error.message} ${error.responseBody ?? ""}`;
    // A stream that breaks has the status of its beginning, 200.
    const statusCode =
      error.statusCode !== undefined && error.statusCode >= 400 ? error.statusCode : undefined;
    return { statusCode, said, headers: error.responseHeaders };
  }
  // An error in the middle of a stream comes as the provider's own object or text.
  const object = typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
  const code = [object["statusCode"], object["code"], object["status"]].find(
    (value) => typeof value === "number" && value >= 400 && value < 600,
  ) as number | undefined;
  const said =
    error instanceof Error ? error.message : typeof error === "string" ? error : JSON.stringify(error);
  return { statusCode: code, said: said ?? "", headers: undefined };
}

/** In seconds or as a date, or in milliseconds under OpenAI's own name. */
function readRetryAfter(headers: Record<string, string> | undefined): number | undefined {
  const ms = Number.parseFloat(headers?.["retry-after-ms"] ?? "");
  if (ms >= 0) return ms;
  const text = headers?.["retry-after"];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  const delay = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "its address";
}

function quote(said: string): string {
  return said === "" ? "." : `: ${said}`;
}
