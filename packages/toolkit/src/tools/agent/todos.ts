import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import type { ToolContext } from "../../tool.ts";

export const todoSchema = z.strictObject({
  content: z.string().min(1).max(1000),
  status: z.enum(["pending", "in_progress", "completed"]),
});

export const todosSchema = z.array(todoSchema).max(200);

export type Todo = z.infer<typeof todoSchema>;

type Reach = Pick<ToolContext, "sandbox" | "signal">;

/** In the session's folder, so that it lives as long as the thread. */
export async function saveTodos(todos: readonly Todo[], { sandbox, signal }: Reach): Promise<void> {
  await sandbox.files.write(placeOf(sandbox), JSON.stringify(todos, undefined, 2), { signal });
}

/** Code in the sandbox may have touched the file: what is no list of todos counts as none. */
export async function loadTodos({ sandbox, signal }: Reach): Promise<Todo[]> {
  try {
    const text = await sandbox.files.readText(placeOf(sandbox), { maxBytes: 1 << 20, signal });
    return todosSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return [];
    if (error instanceof AtollError && ["not_found", "not_a_file", "too_large"].includes(error.code))
      return [];
    throw error;
  }
}

export function describeTodos(todos: readonly Todo[]): string {
  const marks = { pending: "[ ]", in_progress: "[~]", completed: "[x]" };
  return todos.map(({ content, status }, index) => `${index + 1}. ${marks[status]} ${content}`).join("\n");
}

function placeOf(sandbox: Reach["sandbox"]): string {
  return `${sandbox.info.paths.session}/todos.json`;
}
