import type { ChartSpec } from "../results/chart/chart-spec.ts";

/** A message from the page to the chart's frame. */
export type Order =
  | (ChartSpec & { readonly type: "draw"; readonly isDark: boolean })
  | { readonly type: "png" };

/** A message from the frame. `elsewhere`: the chart wants to load from an address. */
export type Report =
  | { readonly type: "ready" }
  | { readonly type: "drawn"; readonly heightPx: number }
  | { readonly type: "failed"; readonly reason: "elsewhere" | "invalid"; readonly detail: string }
  | { readonly type: "png"; readonly url: string };

/** A drawn chart. */
export interface Drawing {
  toPng(): Promise<string>;
  end(): void;
}

/** Charts cannot load anything: all data must be inside them. */
export class Elsewhere extends Error {}
