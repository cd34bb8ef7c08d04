import type { ColumnProfile } from "@atoll/protocol";
import type { Filter, Group, Language, Measure, Plan } from "../plan.ts";
import { splitName, toStem } from "../language/words.ts";
import { isFlag } from "../schema/roles.ts";
import { formatNumber } from "./numbers.ts";

/** How plans' parts are called in answers and charts. */

const ENGLISH = {
  sum: "total",
  mean: "average",
  median: "median",
  min: "lowest",
  max: "highest",
  std: "standard deviation of",
  distinct: "number of different",
} as const;
const CHINESE = {
  sum: "总",
  mean: "平均",
  median: "中位",
  min: "最低",
  max: "最高",
  std: "标准差：",
  distinct: "不同",
} as const;

/** A column's name as one reads it: `unit_price` → unit price. */
export function columnTerm(column: ColumnProfile): string {
  const name = column.name.trim();
  if (!/^[\w\s]+$/.test(name)) return name;
  const words = splitName(name);
  const unit = words.length > 1 ? UNITS[words.at(-1) ?? ""] : undefined;
  return unit === undefined ? words.join(" ") : `${words.slice(0, -1).join(" ")} (${unit})`;
}

const UNITS: Readonly<Record<string, string>> = {
  usd: "USD",
  eur: "EUR",
  gbp: "GBP",
  cny: "CNY",
  c: "°C",
  f: "°F",
  kg: "kg",
  cm: "cm",
  km: "km",
  ms: "ms",
  pct: "%",
  hpa: "hPa",
};

/** The same without its unit, as one says it in a question. */
export function spokenTerm(column: ColumnProfile): string {
  return columnTerm(column).replace(/ \([^()]*\)$/, "");
}

export function measureTerm({ aggregate, column }: Measure, plan: Plan): string {
  const { language } = plan;
  if (aggregate === "count" || column === undefined)
    return language === "zh" ? "记录数" : `number of ${rowsTerm(plan)}`;
  const term = columnTerm(column);
  if (aggregate === "rate") return language === "zh" ? `${term}比例` : `share of ${flagTerm(column)}`;
  if (language === "zh")
    return aggregate === "distinct"
      ? `不同${term}数`
      : aggregate === "median"
        ? `${term}中位数`
        : aggregate === "std"
          ? `${term}标准差`
          : `${CHINESE[aggregate]}${term}`;
  if (aggregate === "distinct") return `number of different ${plural(term)}`;
  return term.startsWith(ENGLISH[aggregate]) ? term : `${ENGLISH[aggregate]} ${term}`;
}

/** `is_remote` → remote. */
export function flagTerm(column: ColumnProfile): string {
  return columnTerm(column).replace(/^(is|has|was|are) (?=.)/, "");
}

/** "transactions", if that is what the table is called; else rows. */
export function rowsTerm(plan: Plan): string {
  const noun = plan.source.nouns.find((word) => /^[a-z]{3,}$/.test(word) && !GENERIC.has(word));
  const isPlural =
    noun !== undefined && splitName(plan.source.name).some((word) => word !== noun && toStem(word) === noun);
  return isPlural && plan.source.join === undefined ? plural(noun) : "rows";
}

const GENERIC = new Set(["data", "dataset", "table", "sheet", "file", "export", "csv"]);

export function groupTerm(group: Group, language: Language): string {
  if (group.kind === "time" || group.kind === "cycle") {
    const unit = group.kind === "time" ? group.grain : group.cycle;
    return language === "zh"
      ? CHINESE_UNITS[unit]
      : unit === "month-of-year"
        ? "month of the year"
        : unit === "hour"
          ? "hour of the day"
          : unit;
  }
  return columnTerm(group.column);
}

const CHINESE_UNITS = {
  day: "日",
  week: "周",
  month: "月",
  quarter: "季度",
  year: "年",
  weekday: "星期",
  hour: "小时",
  "month-of-year": "月份",
} as const;

export function filterTerm(filter: Filter, language: Language): string {
  const name = isFlag(filter.column) ? flagTerm(filter.column) : columnTerm(filter.column);
  const isChinese = language === "zh";
  switch (filter.kind) {
    case "equals": {
      const values = filter.values
        .map((value) => (isFlag(filter.column) ? yesNo(value, isChinese) : String(value)))
        .join(isChinese ? "、" : " or ");
      return `${name} ${filter.isNegated ? (isChinese ? "不是" : "is not") : isChinese ? "为" : "is"} ${values}`;
    }
    case "contains":
      return isChinese
        ? `${name} ${filter.isNegated ? "不含" : "包含"}“${filter.text}”`
        : `${name} ${filter.isNegated ? "does not contain" : "contains"} “${filter.text}”`;
    case "compare":
      return `${name} ${filter.operator} ${formatNumber(filter.value)}`;
    case "between":
      return isChinese
        ? `${name} 在 ${formatNumber(filter.low)} 与 ${formatNumber(filter.high)} 之间`
        : `${name} between ${formatNumber(filter.low)} and ${formatNumber(filter.high)}`;
    case "missing":
      return isChinese
        ? `${name} ${filter.isNegated ? "不为空" : "为空"}`
        : `${name} is ${filter.isNegated ? "not " : ""}missing`;
    case "period":
      return isChinese
        ? `${filter.isNegated ? "除 " : ""}${filter.period.labelZh}`
        : `${filter.isNegated ? "not in " : ""}${filter.period.label}`;
  }
}

export function filtersTerm(filters: readonly Filter[], language: Language): string {
  return filters.map((filter) => filterTerm(filter, language)).join(language === "zh" ? "，" : ", ");
}

/** The parts of a chart's title. */
export function chartWords(plan: Plan): { subject: string; split: string; filters: string } {
  const [measure] = plan.measures;
  const subject = capital(
    plan.isShare === true ? shareTerm(plan) : measureTerm(measure ?? { aggregate: "count" }, plan),
  );
  const groups = plan.groups.map((group) => groupTerm(group, plan.language));
  const split =
    groups.length === 0 ? "" : plan.language === "zh" ? groups.join("、") : `by ${groups.join(" and ")}`;
  return { subject, split, filters: filtersTerm(plan.filters, plan.language) };
}

function shareTerm(plan: Plan): string {
  const term = measureTerm(plan.measures[0] ?? { aggregate: "count" }, plan);
  return plan.language === "zh" ? `${term}占比` : `share of ${term.replace(/^number of /, "")}`;
}

export function plural(word: string): string {
  if (/(ed|\))$/.test(word)) return `values of ${word}`;
  if (!/[a-z]$/.test(word) || /[^s]s$/.test(word)) return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (word.endsWith("person")) return `${word.slice(0, -6)}people`;
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function yesNo(value: unknown, isChinese: boolean): string {
  const isYes = value === true || value === 1;
  if (isChinese) return isYes ? "是" : "否";
  return isYes ? "true" : "false";
}
