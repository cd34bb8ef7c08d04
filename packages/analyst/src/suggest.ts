import { type ColumnProfile, type DataProfile, isTextual } from "@atoll/protocol";
import { interpret } from "./interpret/interpret.ts";
import { hasChinese } from "./language/words.ts";
import type { Language } from "./plan.ts";
import { isAdditive, isFlag, isId, isMeasure, mainDate, mainMeasure } from "./schema/roles.ts";
import { listSources, type Source } from "./schema/source.ts";
import { flagTerm, plural, spokenTerm } from "./wording/terms.ts";

const MAX_QUESTIONS = 6;

/** Questions made of the table's own columns and values, each of which the analyst understands. */
export function suggestQuestions(data: DataProfile, language?: Language): string[] {
  const sources = listSources(data);
  const [source] = sources;
  if (source === undefined) return [];
  const isChinese =
    language === "zh" ||
    (language === undefined &&
      source.columns.filter((column) => hasChinese(column.name)).length > source.columns.length / 2);
  const joined = sources.find((each) => each.join !== undefined);
  const ideas = [
    ...(isChinese ? chineseIdeas(source) : englishIdeas(source)),
    ...(joined === undefined || isChinese ? [] : joinIdeas(joined)),
  ];
  return Iterator.from(ideas)
    .map((idea) => (isChinese ? spaceWords(idea) : idea))
    .filter((idea) => interpret(idea, [], data).kind === "plan")
    .take(MAX_QUESTIONS)
    .toArray();
}

/** Chinese and Latin words stand apart, as they do in print. */
function spaceWords(text: string): string {
  return text
    .replaceAll(/(\p{Script=Han})(?=[A-Za-z0-9])/gu, "$1 ")
    .replaceAll(/([A-Za-z0-9_])(?=\p{Script=Han})/gu, "$1 ");
}

interface Parts {
  readonly group?: ColumnProfile;
  readonly second?: ColumnProfile;
  readonly measure?: ColumnProfile;
  readonly other?: ColumnProfile;
  readonly flag?: ColumnProfile;
  readonly date?: ColumnProfile;
  readonly value?: string;
}

function partsOf(source: Source): Parts {
  const { columns, rows } = source;
  const measure = mainMeasure(columns, rows);
  const isFit = (column: ColumnProfile): boolean =>
    isTextual(column.kind) && !isId(column, rows) && (column.distinct ?? 99) >= 2;
  const groups = columns
    .filter((column) => isFit(column) && (column.distinct ?? 99) <= Math.max(60, rows / 20))
    .toSorted((one, other) => fitness(one) - fitness(other));
  const other = columns.find((column) => column !== measure && isMeasure(column, rows) && !isFlag(column));
  const flag = columns.find((column) => isFlag(column));
  const date = mainDate(columns);
  const [group, second] = groups;
  const value = group?.values?.find((each) => /^[\p{L}][\p{L}\p{N} ]{2,24}$/u.test(each));
  return {
    ...(group && { group }),
    ...(second && { second }),
    ...(measure && { measure }),
    ...(other && { other }),
    ...(flag && { flag }),
    ...(date && { date }),
    ...(value !== undefined && { value }),
  };
}

/** A dozen values make a better chart than two or a hundred. */
function fitness(column: ColumnProfile): number {
  return Math.abs((column.distinct ?? 99) - 10);
}

function englishIdeas(source: Source): string[] {
  const { group, second, measure, other, flag, date, value } = partsOf(source);
  const term = (column: ColumnProfile): string => spokenTerm(column);
  const total =
    measure === undefined
      ? "number of rows"
      : `${isAdditive(measure) ? "total" : "average"} ${term(measure)}`;
  return [
    ...(group === undefined ? [] : [`What are the top 5 ${plural(term(group))} by ${total}?`]),
    ...(date === undefined
      ? []
      : [
          measure === undefined
            ? "Show the number of rows per month"
            : `Show the monthly trend of ${term(measure)}`,
        ]),
    ...(flag === undefined
      ? []
      : [`What is the ${flagTerm(flag)} rate${group === undefined ? "" : ` by ${term(group)}`}?`]),
    ...(measure === undefined || second === undefined ? [] : [`Average ${term(measure)} by ${term(second)}`]),
    ...(value === undefined || date === undefined || measure === undefined
      ? []
      : [`${total[0]?.toUpperCase() ?? ""}${total.slice(1)} of ${value} by month`]),
    ...(measure === undefined ? [] : [`How is ${term(measure)} distributed?`]),
    ...(measure === undefined || other === undefined
      ? []
      : [`Is there a correlation between ${term(measure)} and ${term(other)}?`]),
    ...(group === undefined ? [] : [`How many rows are there for each ${term(group)}?`]),
    "Are there missing values?",
    "Describe the data",
    "Show the first 10 rows",
    "Are there duplicate rows?",
  ];
}

function joinIdeas(source: Source): string[] {
  const { join, columns, rows } = source;
  if (join === undefined) return [];
  const measure = mainMeasure(columns, rows);
  const right = columns
    .slice(columns.findIndex((column) => column.name === join.leftKey) + 1)
    .findLast((column) => column.kind === "category" && (column.distinct ?? 99) <= 30);
  return measure === undefined || right === undefined
    ? []
    : [`Total ${spokenTerm(measure)} by ${spokenTerm(right)}`];
}

function chineseIdeas(source: Source): string[] {
  const { group, second, measure, other, date } = partsOf(source);
  const total = measure === undefined ? "数量" : `${isAdditive(measure) ? "总" : "平均"}${measure.name}`;
  return [
    ...(group === undefined ? [] : [`按${group.name}统计${total}`]),
    ...(group === undefined || measure === undefined ? [] : [`${measure.name}最高的5个${group.name}`]),
    ...(date === undefined ? [] : [measure === undefined ? "每月数量趋势" : `每月${measure.name}趋势`]),
    ...(second === undefined ? [] : [`各${second.name}的占比`]),
    ...(measure === undefined ? [] : [`${measure.name}的分布`]),
    ...(measure === undefined || other === undefined ? [] : [`${measure.name}和${other.name}的相关性`]),
    "有哪些缺失值",
    "描述一下数据",
    "有没有重复行",
  ];
}
