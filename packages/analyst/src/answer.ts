import type { DataProfile } from "@atoll/protocol";
import type { AnalystActions, PythonOutcome } from "./analyst-context.ts";
import { hasChinese } from "./language/words.ts";
import type { Plan } from "./plan.ts";
import type { MessageReading } from "./read-message.ts";
import { AnalystTimeout, analystThread } from "./thread/analyst-thread.ts";
import { wordAnswer } from "./wording/answer.ts";
import { escapeMarkdown } from "./wording/result.ts";

/** What the analyst needs of an earlier turn. */
interface AnalystTurn {
  readonly user: string;
  /** The user ran this text as code: it is not a question. */
  readonly isCode?: boolean;
}

export interface AnalystContext {
  /** Earlier turns, oldest first. */
  readonly history: readonly AnalystTurn[];
  readonly data: DataProfile;
}

/**
 * Answers a question without a model: rules make a plan of it, the plan becomes pandas code, and the words are made
 * from what the run returned. Stops between two words when the signal fires, and keeps what was said.
 */
export async function answerBuiltIn(
  question: string,
  { data, history }: AnalystContext,
  actions: AnalystActions,
): Promise<void> {
  const earlier = history.filter(({ isCode }) => !isCode).map((turn) => turn.user);
  const reading = await readOffTheLoop(question, earlier, data);
  if (reading.kind === "talk") return speak(reading.text, actions);
  const { plan, code, notice } = reading;
  actions.status(plan.language === "zh" ? "内置分析员正在运行代码" : "The built-in analyst runs its code");
  const outcome = await actions.runPython(code);
  return speak(notice + wordOutcome(plan, outcome), actions);
}

async function readOffTheLoop(
  question: string,
  earlier: readonly string[],
  data: DataProfile,
): Promise<MessageReading> {
  try {
    return await analystThread.read(question, earlier, data);
  } catch (error) {
    if (!(error instanceof AnalystTimeout)) throw error;
    const text = hasChinese(question)
      ? "我没能及时读懂这个问题：数据的列或取值太多。请缩短问题，或减少文件。"
      : "I could not read this question in time: the data has too many columns or values. Ask a shorter question, or use fewer files.";
    return { kind: "talk", text };
  }
}

function wordOutcome(plan: Plan, { run, results }: PythonOutcome): string {
  const isChinese = plan.language === "zh";
  if (run.status === "ok")
    return wordAnswer(
      plan,
      results.flatMap((result) => result.table ?? []),
    );
  if (run.status === "timeout")
    return isChinese
      ? "代码运行超时，因此没有结果。请缩小问题范围，例如加上时间段。"
      : "The code took too long and was stopped, so there is no result. A narrower question may help, e.g. one with a period.";
  if (run.status === "killed")
    return isChinese ? "代码运行被中止，因此没有结果。" : "The run was ended before it had a result.";
  const error =
    run.error === undefined
      ? isChinese
        ? "未知错误"
        : "an unknown error"
      : `${escapeMarkdown(run.error.name)}: ${escapeMarkdown(run.error.value)}`;
  return isChinese
    ? `代码运行失败，因此没有结果（${error}）。`
    : `My code failed, so I have no result: ${error}.`;
}

/** Word by word, as a model speaks. */
async function speak(text: string, { say, signal }: AnalystActions): Promise<void> {
  const pieces = text.match(/\s*[\u3400-\u9fff]{1,4}|\s*[^\s\u3400-\u9fff]+|\s+$/g) ?? [];
  for (const [position, piece] of pieces.entries()) {
    if (signal.aborted) return;
    say(piece);
    // Lets a stop that has come in reach the signal.
    if (position % 16 === 15) await new Promise((resolve) => setImmediate(resolve));
  }
}
