import { z } from "zod";
import { columnProfileSchema, dataProfileSchema, tableProfileSchema } from "../events/data-profile.ts";
import {
  codeRunSchema,
  imageSchema,
  runErrorSchema,
  runEventSchemas,
  tableSchema,
  timingsSchema,
  usageSchema,
} from "../events/run-events.ts";
import { errorSchema } from "./error.ts";
import { storedEventSchema, threadEventSchema } from "../events/thread-events.ts";

/** The names that shapes have in the OpenAPI document and so in the generated client. */
export const schemaNames = z.registry<{ id: string }>();

const taken = new Set<string>();

/** Gives a shape its name, and gives it back. Two shapes of one name would be one in the document. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  if (taken.has(id)) throw new Error(`two schemas are named ${id}`);
  taken.add(id);
  schemaNames.add(schema, { id });
  return schema;
}

named("ApiError", errorSchema);
named("CodeRun", codeRunSchema);
named("Column", columnProfileSchema);
named("TableProfile", tableProfileSchema);
named("DataProfile", dataProfileSchema);
named("Image", imageSchema);
named("RunError", runErrorSchema);
named("Table", tableSchema);
named("Timings", timingsSchema);
named("Usage", usageSchema);
named("ThreadEvent", threadEventSchema);
named("StoredEvent", storedEventSchema);

for (const event of [...threadEventSchema.options, ...runEventSchemas]) {
  const name = `${toPascalCase(event.shape.type.value)}Event`;
  if (!schemaNames.has(event)) named(name, event);
}

function toPascalCase(snake: string): string {
  return snake.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
