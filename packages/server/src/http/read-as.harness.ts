import type { z } from "zod";

/** The body of an answer, which has to be what its schema says. */
export async function readAs<Schema extends z.ZodType>(
  schema: Schema,
  response: Response | Promise<Response>,
): Promise<z.output<Schema>> {
  return schema.parse(await (await response).json());
}
