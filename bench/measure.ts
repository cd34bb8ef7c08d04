import type { Session } from "./session.ts";

/** One thing the bench measures. It may yield several figures: all that is compared is measured in one go. */
export interface Measure {
  /** What `--only` calls it. */
  readonly name: string;
  /** Every figure it yields, in the order of the table. */
  readonly figures: readonly Figure[];
  run(session: Session): Promise<Findings>;
}

export interface Figure {
  /** The name in the JSON. */
  readonly key: string;
  readonly label: string;
  /** MB is 2^20 bytes, kB 1000. More MB/s are better, less of the others. */
  readonly unit: "ms" | "kB" | "MB" | "MB/s" | "sandboxes" | "events";
  /** Keys of the figures it stands beside: the table gives the ratio. */
  readonly beside?: readonly string[];
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
  /** The middle of the samples. Default: the median. */
  readonly middle?: "mean";
}

/** By the figure's key. A figure that cannot be had on this machine says why. */
export type Findings = Readonly<Record<string, Finding>>;
export type Finding = readonly number[] | Missing;

export interface Missing {
  readonly missing: string;
}

export function isMissing(finding: Finding): finding is Missing {
  return "missing" in finding;
}

/** The bytes of what figures call a MB. */
export const MEGABYTE = 1024 * 1024;
