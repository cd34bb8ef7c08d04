import type { Turn } from "../history.ts";
import type { DataProfile } from "../tables/profile.ts";
import { compilePlan } from "./code/compile.ts";
import type { AnalystHands, PythonOutcome } from "./hands.ts";
import { interpret } from "./interpret/interpret.ts";
import { findTopic } from "./interpret/topics.ts";
import { hasChinese } from "./language/words.ts";
import type { Language, Plan } from "./plan.ts";
import { noTable, talkAbout } from "./talk.ts";
import { wordAnswer } from "./wording/answer.ts";
import { escapeMarkdown } from "./wording/result.ts";

export interface AnalystContext {
  /** Earlier turns, oldest first. */
  readonly history: readonly Turn[];
  readonly data: DataProfile;
}

/**
 * Answers a question without a model: rules make a plan of it, the plan becomes pandas code, and the words are made
 * from what the run returned. Stops between two words when the signal fires, and keeps what was said.
 */
export async function answerBuiltIn(
  question: string,
  context: AnalystContext,
  hands: AnalystHands,
): Promise<void> {
  const { data, history } = context;
  const isEmpty = data.tables.every((table) => table.variable === undefined || table.columns.length === 0);
  const interpretation = interpret(
    question,
    history.filter(({ isCode }) => !isCode).map((turn) => turn.user),
    data,
  );
  if (interpretation.kind !== "plan") {
    const isTalk = findTopic(question, []) !== undefined && interpretation.kind === "topic";
    const text = isEmpty && !isTalk ? noTable(data, languageOf(question)) : talkAbout(interpretation, data);
    return speak(text, hands);
  }
  const { plan } = interpretation;
  hands.status(plan.language === "zh" ? "内置分析员正在运行代码" : "The built-in analyst runs its code");
  const outcome = await hands.runPython(compilePlan(plan));
  return speak(wordOutcome(plan, outcome), hands);
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
async function speak(text: string, { say, signal }: AnalystHands): Promise<void> {
  const pieces = text.match(/\s*[\u3400-\u9fff]{1,4}|\s*[^\s\u3400-\u9fff]+|\s+$/g) ?? [];
  for (const [position, piece] of pieces.entries()) {
    if (signal.aborted) return;
    say(piece);
    // Lets a stop that has come in reach the signal.
    if (position % 16 === 15) await new Promise((resolve) => setImmediate(resolve));
  }
}

function languageOf(question: string): Language {
  return hasChinese(question) ? "zh" : "en";
}
