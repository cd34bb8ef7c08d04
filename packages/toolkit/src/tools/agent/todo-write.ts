import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";
import { describeTodos, saveTodos, todosSchema } from "./todos.ts";

const input = z.strictObject({ todos: todosSchema.describe("The whole list, in order") });

export const todoWrite: Tool<z.infer<typeof input>> = {
  name: "todo_write",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  async run({ todos }, context) {
    await saveTodos(todos, context);
    return success(describeTodos(todos) || "The list is empty.", { data: todos });
  },
};
