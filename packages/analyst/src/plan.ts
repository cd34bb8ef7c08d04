import type { ColumnProfile } from "@atoll/protocol";
import type { Source } from "./schema/source.ts";

/** What a question asks of a table. Code and wording are made from this and from nothing else. */
export interface Plan {
  readonly kind: PlanKind;
  readonly language: Language;
  readonly source: Source;
  readonly filters: readonly Filter[];
  /** The first one orders the result and is charted. Empty: rows are counted. */
  readonly measures: readonly Measure[];
  readonly groups: readonly Group[];
  readonly order: "descending" | "ascending" | "natural";
  readonly limit?: number;
  /** The question asks for one winner: "which city has the highest …". */
  readonly wantsOne?: boolean;
  readonly isShare?: boolean;
  readonly isCumulative?: boolean;
  /** What `compare` sets side by side when it is not the values of a group. */
  readonly periods?: readonly Period[];
  /** Columns that the question is about where measures and groups do not apply: describe, missing, correlation … */
  readonly columns?: readonly ColumnProfile[];
  readonly chart: ChartKind;
  /** Words that were not understood and left out. */
  readonly ignored: readonly string[];
}

/** The column that a plan of these kinds is about; they always have one. */
export function subjectOf(plan: Plan): ColumnProfile {
  const [column] = plan.columns ?? [];
  if (column === undefined) throw new Error(`a plan of kind ${plan.kind} has no column`);
  return column;
}

export type PlanKind =
  | "total"
  | "groups"
  | "trend"
  | "growth"
  | "compare"
  | "share-of"
  | "distribution"
  | "correlation"
  | "outliers"
  | "missing"
  | "duplicates"
  | "describe"
  | "columns"
  | "rows"
  | "values";

export type Language = "en" | "zh";

export type Aggregate = "sum" | "mean" | "median" | "count" | "min" | "max" | "std" | "distinct" | "rate";

export interface Measure {
  readonly aggregate: Aggregate;
  /** Absent for a count of rows. */
  readonly column?: ColumnProfile;
}

export type Grain = "day" | "week" | "month" | "quarter" | "year";
export type Cycle = "weekday" | "hour" | "month-of-year";

export type Group =
  | { readonly kind: "column"; readonly column: ColumnProfile }
  | { readonly kind: "bands"; readonly column: ColumnProfile; readonly edges: readonly number[] }
  | { readonly kind: "time"; readonly column: ColumnProfile; readonly grain: Grain }
  | { readonly kind: "cycle"; readonly column: ColumnProfile; readonly cycle: Cycle };

export type Filter =
  | {
      readonly kind: "equals";
      readonly column: ColumnProfile;
      readonly values: readonly (string | number | boolean)[];
      readonly isNegated: boolean;
    }
  | {
      readonly kind: "contains";
      readonly column: ColumnProfile;
      readonly text: string;
      readonly isNegated: boolean;
    }
  | {
      readonly kind: "compare";
      readonly column: ColumnProfile;
      readonly operator: ">" | ">=" | "<" | "<=";
      readonly value: number;
    }
  | { readonly kind: "between"; readonly column: ColumnProfile; readonly low: number; readonly high: number }
  | { readonly kind: "missing"; readonly column: ColumnProfile; readonly isNegated: boolean }
  | {
      readonly kind: "period";
      readonly column: ColumnProfile;
      readonly period: Period;
      readonly isNegated: boolean;
    };

export type Period =
  /** Days as ISO dates; `to` is the first day after it. */
  | {
      readonly kind: "range";
      readonly from?: string;
      readonly to?: string;
      readonly label: string;
      readonly labelZh: string;
    }
  | {
      readonly kind: "months";
      readonly months: readonly number[];
      readonly label: string;
      readonly labelZh: string;
    }
  /** Monday is 0. */
  | {
      readonly kind: "weekdays";
      readonly days: readonly number[];
      readonly label: string;
      readonly labelZh: string;
    };

export type ChartKind =
  | "auto"
  | "none"
  | "bar"
  | "line"
  | "pie"
  | "histogram"
  | "scatter"
  | "box"
  | "stacked"
  | "area";
