import type { DataProfile } from "@atoll/protocol";
import { compilePlan } from "./code/compile.ts";
import { interpret } from "./interpret/interpret.ts";
import { findTopic } from "./interpret/topics.ts";
import { MAX_QUESTION_CHARS } from "./language/tokens.ts";
import { hasChinese } from "./language/words.ts";
import type { Language, Plan } from "./plan.ts";
import { noTable, talkAbout } from "./talk.ts";

/** What the analyst does about a message: something to say, or code to run and words to put before its answer. */
export type MessageReading =
  | { readonly kind: "talk"; readonly text: string }
  | { readonly kind: "plan"; readonly plan: Plan; readonly code: string; readonly notice: string };

/** Reads a message in the light of the user's earlier ones. Takes long for wide tables: `analystThread` does it off the event loop. */
export function readMessage(question: string, earlier: readonly string[], data: DataProfile): MessageReading {
  const interpretation = interpret(question, earlier, data);
  if (interpretation.kind === "plan") {
    const { plan } = interpretation;
    return { kind: "plan", plan, code: compilePlan(plan), notice: wordCut(question, plan.language) };
  }
  const isEmpty = data.tables.every((table) => table.variable === undefined || table.columns.length === 0);
  const isTalk = findTopic(question, []) !== undefined && interpretation.kind === "topic";
  const text = isEmpty && !isTalk ? noTable(data, languageOf(question)) : talkAbout(interpretation, data);
  return { kind: "talk", text };
}

function wordCut(question: string, language: Language): string {
  if (question.length <= MAX_QUESTION_CHARS) return "";
  return language === "zh"
    ? `我只读了消息的前 ${MAX_QUESTION_CHARS} 个字符。\n\n`
    : `I read only the first ${MAX_QUESTION_CHARS.toLocaleString("en-US")} characters of the message.\n\n`;
}

function languageOf(question: string): Language {
  return hasChinese(question) ? "zh" : "en";
}
