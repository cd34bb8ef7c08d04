import type { ChartSpec } from "../results/chart/chart-spec.ts";

/** What the page asks of the frame that it shows a chart in. */
export type Order =
  | (ChartSpec & { readonly type: "draw"; readonly isDark: boolean })
  | { readonly type: "png" };

/** What the frame says. `elsewhere`: the chart wants something from an address. */
export type Report =
  | { readonly type: "ready" }
  | { readonly type: "drawn"; readonly heightPx: number }
  | { readonly type: "failed"; readonly reason: "elsewhere" | "invalid"; readonly detail: string }
  | { readonly type: "png"; readonly url: string };

/** A chart that is there. */
export interface Drawing {
  toPng(): Promise<string>;
  end(): void;
}

/** Charts get nothing from anywhere: all of their data has to be in them. */
export class Elsewhere extends Error {}
