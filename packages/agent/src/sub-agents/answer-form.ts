import { AtollError } from "@atoll/sandbox";
import type { Tool } from "@atoll/toolkit";
import { z } from "zod";

/** How a sub-agent hands in a value of a given form: by a tool, which every model fills in better than it writes JSON. */
export class AnswerForm {
  readonly tool: Tool;
  readonly #schema: z.ZodType;
  #answer: { value: unknown } | undefined;

  constructor(jsonSchema: Readonly<Record<string, unknown>>) {
    this.#schema = parseSchema(jsonSchema);
    const input = z.object({ answer: this.#schema });
    this.tool = {
      name: "give_answer",
      description: "Hands in the answer and ends your work. Call it once, with the whole answer.",
      input,
      isReadOnly: true,
      run: async (given) => {
        this.#answer = { value: (given as z.infer<typeof input>).answer };
        return { text: "Received.", isError: false };
      },
    };
  }

  /** Undefined until it was handed in. */
  get answer(): { readonly value: unknown } | undefined {
    return this.#answer;
  }

  /** For a model that writes the value as its last message: as it is, or in a fence. */
  takeText(text: string): void {
    for (const value of [text, readFence(text)].flatMap(parseJson)) {
      const parsed = this.#schema.safeParse(value);
      if (parsed.success) this.#answer ??= { value: parsed.data };
    }
  }
}

/** What is in the first fence, or nothing. */
function readFence(text: string): string {
  const opening = /```(?:json)?[^\S\n]*\n/.exec(text);
  if (opening === null) return "";
  const start = opening.index + opening[0].length;
  const end = text.indexOf("\n```", start);
  return end < 0 ? "" : text.slice(start, end);
}

function parseSchema(jsonSchema: Readonly<Record<string, unknown>>): z.ZodType {
  try {
    return z.fromJSONSchema(jsonSchema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AtollError("invalid_argument", `the schema of the answer cannot be used: ${reason}`);
  }
}

/** None when it is not JSON. */
function parseJson(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
