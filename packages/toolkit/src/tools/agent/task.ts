import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import { defineTool, readModelText } from "../../define-tool.ts";
import { notSupported } from "../abilities.ts";

const input = z.strictObject({
  description: z.string().trim().min(1).max(200).describe("The task in a few words, for the user"),
  prompt: z.string().trim().min(1).describe("All that the agent needs to know, and what it has to report"),
  max_steps: z.int().min(1).max(50).default(20).describe("Model calls that it may take"),
});

const role = readModelText(import.meta.url, "task-role.md");

export const task = defineTool(import.meta.url, {
  name: "task",
  input,
  isReadOnly: false,
  async run({ prompt, max_steps }, { agents, signal, maxOutputChars }) {
    if (!agents) throw notSupported("this session has no model for a further agent");
    const order = { agent: "task", role, task: prompt, maxSteps: max_steps } as const;
    const { text, isError, steps } = await agents.run(order, { signal, maxOutputChars });
    if (signal.aborted) throw new AtollError("aborted", "the agent was stopped");
    return { text, isError, data: { report: text, steps } };
  },
});
