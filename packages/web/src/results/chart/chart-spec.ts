/** A chart specification that a program displayed. */
export interface ChartSpec {
  readonly kind: "vega-lite" | "vega" | "plotly" | "echarts";
  readonly spec: unknown;
}

const kinds: readonly { pattern: RegExp; kind: ChartSpec["kind"] }[] = [
  { pattern: /^application\/vnd\.vegalite\.v\d+(\.\d+)*\+json$/, kind: "vega-lite" },
  { pattern: /^application\/vnd\.vega\.v\d+(\.\d+)*\+json$/, kind: "vega" },
  { pattern: /^application\/vnd\.plotly\.v1\+json$/, kind: "plotly" },
  { pattern: /^application\/vnd\.echarts(\.v\d+)?\+json$/, kind: "echarts" },
];

export function findChart(extra: Readonly<Record<string, unknown>> | undefined): ChartSpec | undefined {
  for (const [mime, value] of Object.entries(extra ?? {})) {
    const found = kinds.find(({ pattern }) => pattern.test(mime));
    const spec = typeof value === "string" ? parse(value) : value;
    if (found && spec !== undefined) return { kind: found.kind, spec };
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
