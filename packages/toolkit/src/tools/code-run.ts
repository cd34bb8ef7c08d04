import { z } from "zod";

export const timeoutSeconds = z
  .number()
  .positive()
  .max(600)
  .optional()
  .describe("Stops it after this time; at most 600");

export function timeoutOptions(seconds: number | undefined): { timeoutMs?: number } {
  return seconds === undefined ? {} : { timeoutMs: seconds * 1000 };
}

export const runStatus = z.enum(["ok", "error", "timeout", "killed"]);
