import type { AnswerLimits } from "../request.ts";

export const defaultAnswerLimits: AnswerLimits = {
  maxSteps: 20,
  maxToolOutputChars: 12_000,
  maxRetries: 4,
  // A model that thinks without showing it may be silent for minutes.
  stallTimeoutMs: 180_000,
  retryBaseMs: 500,
};
