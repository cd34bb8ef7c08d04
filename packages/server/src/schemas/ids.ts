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
export const contextParams = sandboxParams.extend({ context: z.string().min(1).max(100) });

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
