import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import type { ToolContext, ToolOutput } from "../../tool.ts";

const MAX_FILE_BYTES = 1 << 20;

const todosSchema = z
  .array(
    z.strictObject({
      content: z.string().min(1).max(1000),
      status: z.enum(["pending", "in_progress", "completed"]),
    }),
  )
  .max(200);

type Todos = z.infer<typeof todosSchema>;

export const todoWrite = defineTool(import.meta.url, {
  name: "todo_write",
  input: z.strictObject({ todos: todosSchema.describe("The whole list, in order") }),
  isReadOnly: false,
  async run({ todos }, { sandbox, signal }) {
    await sandbox.files.write(todosPath(sandbox), JSON.stringify(todos, undefined, 2), { signal });
    return showTodos(todos);
  },
});

export const todoRead = defineTool(import.meta.url, {
  name: "todo_read",
  input: z.strictObject({}),
  isReadOnly: true,
  run: async (_, context) => showTodos(await loadTodos(context)),
});

/** In the session's folder, so that the list lives as long as the thread. */
function todosPath(sandbox: ToolContext["sandbox"]): string {
  return `${sandbox.info.paths.session}/todos.json`;
}

/** Code in the sandbox can write to the file: if it holds anything but a list of todos, the list is empty. */
async function loadTodos({ sandbox, signal }: ToolContext): Promise<Todos> {
  try {
    const text = await sandbox.files.readText(todosPath(sandbox), { maxBytes: MAX_FILE_BYTES, signal });
    return todosSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return [];
    if (error instanceof AtollError && ["not_found", "not_a_file", "too_large"].includes(error.code))
      return [];
    throw error;
  }
}

function showTodos(todos: Todos): ToolOutput {
  const marks = { pending: "[ ]", in_progress: "[~]", completed: "[x]" };
  const lines = todos.map(({ content, status }, index) => `${index + 1}. ${marks[status]} ${content}`);
  return success(lines.join("\n") || "The list is empty.", { data: todos });
}
