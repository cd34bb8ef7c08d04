/** "oldest" ranks by age: a direction and the words of the columns it can mean, likeliest first. */
export interface Superlative {
  readonly direction: "top" | "bottom";
  readonly columnWords: readonly string[];
  /** Ranks by the newest value of a date. */
  readonly isDate?: boolean;
}

const PRICE = ["price", "cost", "amount", "fare", "fee", "value", "价格", "单价", "金额"];
const AGE = ["age", "年龄"];
const TEMPERATURE = ["temperature", "temp", "温度", "气温"];

const SUPERLATIVES: Readonly<Record<string, Superlative>> = {
  "most expensive": { direction: "top", columnWords: PRICE },
  priciest: { direction: "top", columnWords: PRICE },
  costliest: { direction: "top", columnWords: PRICE },
  cheapest: { direction: "bottom", columnWords: PRICE },
  "least expensive": { direction: "bottom", columnWords: PRICE },
  oldest: { direction: "top", columnWords: AGE },
  youngest: { direction: "bottom", columnWords: AGE },
  hottest: { direction: "top", columnWords: TEMPERATURE },
  warmest: { direction: "top", columnWords: TEMPERATURE },
  coldest: { direction: "bottom", columnWords: TEMPERATURE },
  tallest: { direction: "top", columnWords: ["height", "身高"] },
  shortest: { direction: "bottom", columnWords: ["height", "length", "duration", "身高"] },
  longest: { direction: "top", columnWords: ["length", "duration", "distance", "时长"] },
  heaviest: { direction: "top", columnWords: ["weight", "mass", "体重", "重量"] },
  lightest: { direction: "bottom", columnWords: ["weight", "mass", "体重", "重量"] },
  fastest: { direction: "top", columnWords: ["speed", "速度"] },
  slowest: { direction: "bottom", columnWords: ["speed", "速度"] },
  richest: { direction: "top", columnWords: ["income", "salary", "wealth", "gdp", "收入"] },
  "best paid": { direction: "top", columnWords: ["salary", "pay", "wage", "income", "工资", "薪资"] },
  "highest paid": { direction: "top", columnWords: ["salary", "pay", "wage", "income", "工资", "薪资"] },
  "lowest paid": { direction: "bottom", columnWords: ["salary", "pay", "wage", "income", "工资", "薪资"] },
  "highest rated": { direction: "top", columnWords: ["rating", "score", "评分"] },
  "best rated": { direction: "top", columnWords: ["rating", "score", "评分"] },
  latest: { direction: "top", columnWords: [], isDate: true },
  newest: { direction: "top", columnWords: [], isDate: true },
  "most recent": { direction: "top", columnWords: [], isDate: true },
  earliest: { direction: "bottom", columnWords: [], isDate: true },
  最新的: { direction: "top", columnWords: [], isDate: true },
  最新: { direction: "top", columnWords: [], isDate: true },
  最早的: { direction: "bottom", columnWords: [], isDate: true },
  最早: { direction: "bottom", columnWords: [], isDate: true },
  最便宜的: { direction: "bottom", columnWords: PRICE },
  最便宜: { direction: "bottom", columnWords: PRICE },
};

export function superlativeOf(phrase: string): Superlative | undefined {
  return Object.hasOwn(SUPERLATIVES, phrase) ? SUPERLATIVES[phrase] : undefined;
}

/** "older than 30" compares a column that the adjective names. */
const COMPARATIVES: Readonly<Record<string, readonly string[]>> = {
  "older than": AGE,
  "younger than": AGE,
  "cheaper than": PRICE,
  "longer than": ["length", "duration", "distance"],
  "shorter than": ["height", "length", "duration"],
};

export function comparedWords(phrase: string): readonly string[] | undefined {
  return Object.hasOwn(COMPARATIVES, phrase) ? COMPARATIVES[phrase] : undefined;
}

export const CHINESE_SUPERLATIVES: readonly string[] = Object.keys(SUPERLATIVES).filter((word) =>
  /[\u3400-\u9fff]/.test(word),
);
