import { type ColumnProfile, isTextual } from "@atoll/protocol";
import { expand } from "../language/synonyms.ts";
import { splitName, toStem } from "../language/words.ts";

/** What a column can be used for, judged by its name, type and values. */

function stemsOf(column: ColumnProfile): string[] {
  return splitName(column.name).map((word) => toStem(expand(word)));
}

function isNamedId(column: ColumnProfile): boolean {
  const last = splitName(column.name).at(-1) ?? "";
  return (
    ["id", "uuid", "guid", "编号", "key", "index", "ids"].includes(last) ||
    /(编号|序号|号码|ID)$/.test(column.name)
  );
}

export function isId(column: ColumnProfile, rows: number): boolean {
  if (isNamedId(column)) return true;
  if (column.kind !== "number" || !isWhole(column) || rows < 20) return false;
  const isSequence =
    column.distinct === rows && (column.min === 0 || column.min === 1) && Number(column.max) <= rows;
  return isSequence;
}

const CODE_WORDS = new Set([
  "zip",
  "postcode",
  "postal",
  "phone",
  "latitude",
  "longitude",
  "code",
  "邮编",
  "电话",
]);

export function isYear(column: ColumnProfile): boolean {
  if (column.kind !== "number" || !isWhole(column)) return false;
  const isNamed = stemsOf(column).some((stem) => stem === "year") || /年份|年度|^年$/.test(column.name);
  return isNamed && Number(column.min) >= 1800 && Number(column.max) <= 2200;
}

/** Yes or no, as a boolean or as 0 and 1. */
export function isFlag(column: ColumnProfile): boolean {
  if (column.kind === "boolean") return true;
  return column.kind === "number" && isWhole(column) && column.min === 0 && column.max === 1;
}

export function isMeasure(column: ColumnProfile, rows: number): boolean {
  if (column.kind !== "number" || isId(column, rows) || isYear(column)) return false;
  return !stemsOf(column).some((stem) => CODE_WORDS.has(stem));
}

export function isGroupable(column: ColumnProfile): boolean {
  if (isTextual(column.kind) || column.kind === "boolean") return true;
  if (column.kind !== "number" || !isWhole(column)) return false;
  return (column.distinct ?? Infinity) <= 24 || isNamedId(column);
}

const MONEY =
  /^(amount|price|cost|revenue|sale|sales|spend|spending|salary|fare|income|profit|budget|fee|balance|payment|usd|eur|gbp|expense|turnover|wage|bonus|金额|销售额|价格|单价|工资|收入|费用|支出|薪资|月薪|利润|消费)$/;

export function isMoney(column: ColumnProfile): boolean {
  return (
    /[$€£¥]/.test(column.name) ||
    stemsOf(column).some((stem) => MONEY.test(stem)) ||
    /金额|销售额|价格|工资|收入|费用|薪资|月薪|消费/.test(column.name)
  );
}

const INTENSIVE =
  /^(age|price|rate|ratio|score|rating|temperature|humidity|pressure|percent|percentage|average|mean|salary|wage|height|weight|speed|index|level|grade|gpa|satisfaction|voltage|pm|co|ph|density|latitude|longitude|experience|tenure|size|year|percentile|probability|efficiency|margin|frequency|degree|celsius|fahrenheit|bmi|cholesterol|glucose|concentration|c|f|kg|cm|mm|hpa|pct)$/;
const INTENSIVE_CHINESE =
  /年龄|价格|单价|温度|湿度|评分|满意度|工资|薪资|月薪|率|分数|成绩|身高|体重|得分|气温|年限|指数|月收入|年收入/;

/** Whether its sum means something: amounts do, ages and prices do not. */
export function isAdditive(column: ColumnProfile): boolean {
  if (isFlag(column) || column.name.includes("%")) return false;
  return !stemsOf(column).some((stem) => INTENSIVE.test(stem)) && !INTENSIVE_CHINESE.test(column.name);
}

export function isWhole(column: ColumnProfile): boolean {
  if (/^u?int/i.test(column.dtype)) return true;
  // A whole column with gaps is loaded as floats.
  return (
    column.samples.length > 0 &&
    [column.min, column.max, ...column.samples].every(
      (cell) => cell === null || cell === undefined || Number.isInteger(cell),
    )
  );
}

/** The number that a question means when it names none, e.g. "show me monthly trends". */
export function mainMeasure(columns: readonly ColumnProfile[], rows: number): ColumnProfile | undefined {
  const measures = columns.filter((column) => isMeasure(column, rows) && !isFlag(column));
  return (
    measures.find((column) => isMoney(column) && isAdditive(column)) ??
    measures.find((column) => isMoney(column)) ??
    measures.find((column) => isAdditive(column) && !isWhole(column)) ??
    measures.find((column) => (column.distinct ?? Infinity) > 12) ??
    measures[0]
  );
}

export function mainDate(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const dates = columns.filter((column) => column.kind === "date");
  return dates.find((column) => column.missing === 0) ?? dates[0];
}
