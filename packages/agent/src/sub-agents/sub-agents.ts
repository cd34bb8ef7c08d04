import { allTools, type SubAgentOrder, type SubAgentReport, type SubAgents, type Tool } from "@atoll/toolkit";
import type { RunEvent } from "@atoll/protocol";
import { Conversation } from "../loop/conversation.ts";
import { type LoopEnd, runLoop } from "../loop/loop.ts";
import type { ModelRun } from "../loop/model-run.ts";
import type { RunRecord } from "../loop/record.ts";
import type { SandboxAccess } from "../loop/sandbox-access.ts";
import { userMessage } from "../prompt/messages.ts";
import { describeSandbox, sandboxFactsOf } from "../prompt/system.ts";
import { describeData } from "@atoll/analyst";
import { AnswerForm } from "./answer-form.ts";

/** Whoever works for another starts no further agents. */
const starters = ["task", "browser_tool"];
const MAX_REMINDERS = 2;

/**
 * Agents that work for that of a run, as a part of one of its calls: same model, sandbox, approvals and stop, but a
 * conversation, tools and steps of their own.
 */
export function createSubAgents(
  run: ModelRun,
  access: SandboxAccess,
  tools: readonly Tool[],
  callId: string,
): SubAgents {
  return {
    async run(order, { signal }) {
      const form = order.answerSchema && new AnswerForm(order.answerSchema);
      const offered = [...chooseTools(tools, order), ...(form ? [form.tool] : [])];
      const errand = startErrand(run, order, callId, AbortSignal.any([run.request.signal, signal]), form);
      const end = await pursue(errand, access, offered, form);
      return report(errand.record, end, form);
    },
  };
}

function chooseTools(tools: readonly Tool[], { tools: wanted }: SubAgentOrder): Tool[] {
  if (wanted) return allTools.filter(({ name }) => wanted.includes(name));
  return tools.filter(({ name }) => !starters.includes(name));
}

function startErrand(
  run: ModelRun,
  order: SubAgentOrder,
  callId: string,
  signal: AbortSignal,
  form: AnswerForm | undefined,
): ModelRun {
  const { agents: _, ...own } = run;
  const { request, limits } = own;
  return {
    ...own,
    request: {
      ...request,
      signal,
      takeSteering: () => [],
      // Handing in the answer does nothing that anybody could mind.
      approve: (call, options) =>
        call.tool === form?.tool.name
          ? Promise.resolve({ decision: "allow" })
          : request.approve(call, options),
    },
    conversation: new Conversation(writeRole(order, run), [], order.task),
    record: run.record.nested((event) => tellAsPart(event, order.agent)),
    limits: { ...limits, maxSteps: order.maxSteps },
    agent: order.agent,
    parentCallId: callId,
    isDone: () => form?.answer !== undefined,
  };
}

function writeRole(
  { role, agent, answerSchema }: SubAgentOrder,
  { request }: Pick<ModelRun, "request">,
): string {
  return [
    role,
    ...(answerSchema
      ? ["When you are done, call give_answer: it is the only way to hand in the answer."]
      : []),
    `# The sandbox\n${describeSandbox(sandboxFactsOf(request))}`,
    ...(agent === "task" ? [`# The data\n${describeData(request.data)}`] : []),
  ].join("\n\n");
}

function tellAsPart(event: RunEvent, agent: string): RunEvent {
  return event.type === "status" ? { ...event, text: `${agent}: ${event.text}` } : event;
}

/** A model that forgets to hand in its answer is reminded. */
async function pursue(
  errand: ModelRun,
  access: SandboxAccess,
  tools: readonly Tool[],
  form: AnswerForm | undefined,
): Promise<LoopEnd> {
  for (let reminders = 0; ; reminders += 1) {
    const end = await runLoop(errand, access, tools);
    form?.takeText(errand.record.lastWords);
    const isOver = !form || form.answer !== undefined || reminders === MAX_REMINDERS;
    if (isOver || end.kind !== "completed") return end;
    errand.conversation.add(userMessage("[The answer is missing. Call give_answer with it.]"));
  }
}

function report(record: RunRecord, end: LoopEnd, form: AnswerForm | undefined): SubAgentReport {
  const steps = record.modelCalls;
  const said = record.lastWords.trim();
  const partly = said === "" ? "" : `\nWhat it had said until then:\n${said}`;
  if (end.kind === "stopped") return { text: `The agent was stopped.${partly}`, isError: true, steps };
  if (end.kind === "failed") {
    return { text: `The agent failed: ${end.complaint.message}${partly}`, isError: true, steps };
  }
  if (!form) return { text: said || "(It said nothing.)", isError: said === "", steps };
  if (!form.answer) {
    return {
      text: `The agent gave no answer of the form that was asked for.${partly}`,
      isError: true,
      steps,
    };
  }
  const { value } = form.answer;
  return { text: JSON.stringify(value, null, 1), isError: false, data: value, steps };
}
