import { AtollApiError } from "@atoll/client";
import type { Texts } from "../i18n/en.ts";

/** Uses the server's message if there is one. */
export function describeError(error: unknown, texts: Texts): string {
  if (error instanceof AtollApiError) return [error.message, error.hint].filter(Boolean).join(" ");
  return error instanceof Error ? `${texts.somethingFailed}: ${error.message}` : texts.somethingFailed;
}
