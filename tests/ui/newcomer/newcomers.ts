import { answer, finish, reply, type Stream, toolCall } from "../../support/scripted-openai/index.ts";

/** A new user, their file, and the page's texts in their language. */
export interface Newcomer {
  readonly language: "en" | "zh";
  /** What the first screen says about the data. */
  readonly sample: RegExp;
  /** A suggested question that yields a chart, and a word of its answer. */
  readonly starter: RegExp;
  readonly answer: string;
  readonly csv: {
    readonly name: string;
    readonly text: string;
    readonly expected: string;
  };
  /** A question about the file. */
  readonly question: string;
  /** The model's scripted replies; absent for the built-in analyst. */
  readonly replies?: readonly Stream[];
  readonly labels: Readonly<
    Record<
      "starters" | "message" | "attach" | "wholeTable" | "table" | "close" | "savePng" | "more" | "notebook",
      string
    >
  >;
}

export const english: Newcomer = {
  language: "en",
  sample: /transactions\.csv is loaded: 6,218 rows, 6 columns/,
  starter: /^Show the monthly trend of amount$/,
  answer: "2025-08 (24,584.38)",
  csv: {
    name: "harvest.csv",
    text: makeCsv("orchard,fruit,kilograms", ["North", "South", "East"], ["Apple", "Pear"]),
    expected: "Apple",
  },
  question: "Total kilograms by fruit as a bar chart",
  labels: {
    starters: "Suggested questions",
    message: "Message",
    attach: "Attach files",
    wholeTable: "Full table",
    table: "Full table",
    close: "Close",
    savePng: "Save as PNG",
    more: "More",
    notebook: "Export as notebook",
  },
};

/** The same with a model that writes its own code. */
export const englishWithModel: Newcomer = {
  ...english,
  answer: "The best month is August 2025.",
  replies: [
    runPlot("df.groupby(df.date.dt.to_period('M').astype(str)).amount.sum()"),
    answer("The best month is August 2025."),
    runPlot("pd.read_csv('/data/harvest.csv').groupby('fruit').kilograms.sum()"),
    answer("Apples are ahead."),
  ],
};

function runPlot(totals: string): Stream {
  const code = `import pandas as pd\nimport matplotlib.pyplot as plt\ntotals = ${totals}\ntotals.plot.bar()\nplt.show()\ntotals.reset_index()`;
  return reply(toolCall("execute_python", { code }), finish("tool_calls"));
}

export const chinese: Newcomer = {
  language: "zh",
  sample: /已载入 transactions\.csv：6,218 行，6 列/,
  starter: /^每月 amount 趋势$/,
  answer: "2025-08 (24,584.38)",
  csv: {
    name: "收成.csv",
    text: makeCsv("果园,水果,公斤", ["北园", "南园", "东园"], ["苹果", "梨"]),
    expected: "苹果",
  },
  question: "各水果的公斤总和，用柱状图",
  labels: {
    starters: "推荐问题",
    message: "消息",
    attach: "添加文件",
    wholeTable: "完整表格",
    table: "完整表格",
    close: "关闭",
    savePng: "保存为 PNG",
    more: "更多",
    notebook: "导出为笔记本",
  },
};

function makeCsv(head: string, places: readonly string[], kinds: readonly string[]): string {
  const rows = Array.from({ length: 60 }, (_, at) =>
    [places[at % places.length], kinds[at % kinds.length], 10 + ((at * 7) % 23)].join(","),
  );
  return `${head}\n${rows.join("\n")}\n`;
}
