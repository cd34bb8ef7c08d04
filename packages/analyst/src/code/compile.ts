import type { Plan } from "../plan.ts";
import { FONT_LINES } from "./chart-text.ts";
import { correlationCode } from "./correlation.ts";
import { distributionCode } from "./distribution.ts";
import { groupsCode } from "./groups.ts";
import { growthCode } from "./growth.ts";
import { columnsCode, describeCode, rowsListCode, valuesCode } from "./overview.ts";
import { duplicatesCode, missingCode, outliersCode } from "./quality.ts";
import { compareCode, shareOfCode, totalCode } from "./totals.ts";
import { trendCode } from "./trend.ts";

const WRITERS: Readonly<Record<Plan["kind"], (plan: Plan) => string[]>> = {
  total: totalCode,
  groups: groupsCode,
  trend: trendCode,
  growth: growthCode,
  compare: compareCode,
  "share-of": shareOfCode,
  distribution: distributionCode,
  correlation: correlationCode,
  outliers: outliersCode,
  missing: missingCode,
  duplicates: duplicatesCode,
  describe: describeCode,
  columns: columnsCode,
  rows: rowsListCode,
  values: valuesCode,
};

/** The Python that answers a plan. Its last expression is the result; a chart is an open figure. */
export function compilePlan(plan: Plan): string {
  const lines = WRITERS[plan.kind](plan);
  const body = lines.join("\n");
  const imports = [
    ...(/\bplt\./.test(body) ? ["import matplotlib.pyplot as plt"] : []),
    ...(/\bnp\./.test(body) ? ["import numpy as np"] : []),
    ...(/\bpd\./.test(body) ? ["import pandas as pd"] : []),
    ...(/\bfont\b(?!_)/.test(body) && body.includes(" if font else ") ? FONT_LINES : []),
  ];
  return [...imports, ...(imports.length > 0 ? [""] : []), body].join("\n");
}
