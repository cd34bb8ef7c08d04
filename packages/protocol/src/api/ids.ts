import { z } from "zod";

/** What stands in an address. One that cannot be an id is answered like one that is not there. */
const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const threadParams = z.object({ thread_id: id });
export const messageParams = threadParams.extend({ message_id: id });
export const approvalParams = threadParams.extend({ approval_id: id });
export const blobParams = threadParams.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) });
export const fileParams = z.object({ file_id: id });
export const sandboxParams = z.object({ sandbox_id: id });
export const commandParams = sandboxParams.extend({ command_id: id });
/** What the system takes as a path, an argument or a variable's value. */
// oxlint-disable-next-line no-control-regex -- the one character that it does not take
export const systemText = z.string().regex(/^[^\u0000]*$/, "must not contain a NUL character");

/** A path inside a sandbox. */
export const pathText = systemText
  .min(1)
  .max(4096)
  .meta({ examples: ["notes.txt"] });

/** Of a kernel in a sandbox. */
export const contextName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 of the characters a-z A-Z 0-9 _ -");
export const contextParams = sandboxParams.extend({ context: contextName });

/** The largest of `wholeParam`: all of 15 digits are exact. */
export const mostWhole = 999_999_999_999_999;

/** A whole number in a query. */
export function wholeParam(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .pipe(z.number(message).int(message).min(least, message).max(most, message));
}

export const flagParam = z
  .enum(["true", "false", "1", "0"])
  .transform((value) => value === "true" || value === "1")
  .pipe(z.boolean());
