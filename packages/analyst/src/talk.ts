import type { DataProfile } from "@atoll/protocol";
import type { Interpretation } from "./interpret/interpret.ts";
import type { Language } from "./plan.ts";
import { suggestQuestions } from "./suggest.ts";
import { escapeMarkdown } from "./wording/result.ts";

/** Answers that need no run: greetings, help, no table, not understood. */

export function talkAbout(
  interpretation: Exclude<Interpretation, { kind: "plan" }>,
  data: DataProfile,
): string {
  const { language } = interpretation;
  if (interpretation.kind === "not-understood") return notUnderstood(interpretation, data);
  const isChinese = language === "zh";
  const who = isChinese
    ? "我是内置分析员：不使用语言模型，按固定规则把问题变成 pandas 代码并在沙箱中运行。"
    : "I am the built-in analyst: no language model, but rules that turn a question into pandas code and run it in your sandbox.";
  switch (interpretation.topic) {
    case "thanks":
      return isChinese ? "不客气。还可以继续提问。" : "You are welcome. Ask on whenever you like.";
    case "greeting":
      return join(
        isChinese ? `你好！${who}` : `Hello! ${who}`,
        loaded(data, language),
        examples(data, language),
      );
    case "help":
      return join(
        who,
        loaded(data, language),
        examples(data, language),
        abilities(language),
        modelHint(language),
      );
    case "model":
      return join(who, modelHint(language));
  }
}

export function noTable(data: DataProfile, language: Language): string {
  if (data.lacks) return join(cannotRead(data.lacks, language), modelHint(language));
  const problems = data.others
    .slice(0, 5)
    .map(
      (file) =>
        `- ${escapeMarkdown(file.name)}${file.problem === undefined ? "" : `: ${escapeMarkdown(file.problem)}`}`,
    );
  if (language === "zh") {
    return join(
      "我是内置分析员，但这个会话里还没有可用的表格。请上传 CSV、TSV、JSON、Excel 或 Parquet 文件。",
      problems.length > 0 ? `这些文件不能作为表格读取：\n\n${problems.join("\n")}` : "",
      modelHint(language),
    );
  }
  return join(
    "I am the built-in analyst, and this thread has no table yet that I could answer from. Upload a CSV, TSV, JSON, Excel or Parquet file.",
    problems.length > 0 ? `These files are not loaded as tables:\n\n${problems.join("\n")}` : "",
    modelHint(language),
  );
}

function cannotRead(lacks: NonNullable<DataProfile["lacks"]>, language: Language): string {
  const [name, runtime] = [escapeMarkdown(lacks.package), escapeMarkdown(lacks.runtime)];
  return language === "zh"
    ? `我是内置分析员，用 ${name} 读取表格并作答，但此沙箱的运行环境 ${runtime} 没有 ${name}，因此不能读取任何表格。普通的 Python 代码可以运行。\n\n要使用 ${name}，请以 \`SANDBOX_RUNTIME=local\` 或 \`docker\` 启动服务器，或用 \`PYODIDE_INDEX_URL\` 指定包含它的 Pyodide 发行版。`
    : `I am the built-in analyst and answer from tables with ${name}, which the runtime of this sandbox, ${runtime}, does not have: no table can be read here. Plain Python works.\n\nTo have ${name}, start the server with \`SANDBOX_RUNTIME=local\` or \`docker\`, or let \`PYODIDE_INDEX_URL\` name a Pyodide distribution that contains it.`;
}

function notUnderstood(
  { language, reason, words }: Extract<Interpretation, { kind: "not-understood" }>,
  data: DataProfile,
): string {
  const quoted = words.slice(0, 5).map((word) => `“${escapeMarkdown(word)}”`);
  const list = quoted.join(language === "zh" ? "、" : ", ");
  const why = {
    en: {
      words:
        list === ""
          ? "I am the built-in analyst and did not understand this question."
          : `I am the built-in analyst and did not understand this question: ${list} means nothing to me here.`,
      unmatched: `I do not find ${list} in any column of this data, so I did not answer rather than leave it out.`,
      "no-date": `This needs a date (${list}), but the table has no column with dates.`,
      beyond:
        "That is more than the built-in analyst can do: it sums, counts, compares and charts, but it does not predict, explain or write.",
    },
    zh: {
      words:
        list === ""
          ? "我是内置分析员，没有理解这个问题。"
          : `我是内置分析员，没有理解这个问题：不明白 ${list}。`,
      unmatched: `数据的任何列里都没有找到 ${list}，因此没有作答。`,
      "no-date": `这需要日期（${list}），但表中没有日期列。`,
      beyond: "这超出了内置分析员的能力：它能汇总、计数、比较和作图，但不能预测、解释或写作。",
    },
  };
  return join(why[language][reason], examples(data, language), modelHint(language));
}

function loaded(data: DataProfile, language: Language): string {
  const tables = data.tables
    .slice(0, 5)
    .map(
      (table) =>
        `${escapeMarkdown(table.name)} (${table.rows.toLocaleString("en-US")} × ${table.columns.length})`,
    );
  if (tables.length === 0) return "";
  return language === "zh" ? `已载入：${tables.join("、")}。` : `Loaded: ${tables.join(", ")}.`;
}

function examples(data: DataProfile, language: Language): string {
  const questions = suggestQuestions(data, language).map((question) => `- ${escapeMarkdown(question)}`);
  if (questions.length === 0) return "";
  return `${language === "zh" ? "对这份数据可以问：" : "With this data you can ask me, for example:"}\n\n${questions.join("\n")}`;
}

function abilities(language: Language): string {
  return language === "zh"
    ? "也能理解：排名、占比、趋势、增长、分布、相关性、对比、筛选、缺失值、重复、离群值，以及追问（“那按城市呢？”“只看…”“用饼图”）。"
    : "I also understand rankings, shares, trends, growth, distributions, correlations, comparisons, filters, missing values, duplicates, outliers, and follow-ups such as “and by city?”, “only …” or “as a pie chart”.";
}

function modelHint(language: Language): string {
  return language === "zh"
    ? "要回答任意问题，请设置语言模型：在 `.env` 中写入 `OPENAI_API_KEY` 或 `ATOLL_MODEL`，或在设置中选择。"
    : "For any other question, set a model: `OPENAI_API_KEY` or `ATOLL_MODEL` in `.env`, or choose one in the settings.";
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
