import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";
import { describeTodos, loadTodos } from "./todos.ts";

const input = z.strictObject({});

export const todoRead: Tool<z.infer<typeof input>> = {
  name: "todo_read",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: true,
  async run(_, context) {
    const todos = await loadTodos(context);
    return success(describeTodos(todos) || "The list is empty.", { data: todos });
  },
};
