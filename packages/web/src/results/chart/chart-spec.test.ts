import { describe, expect, it } from "vitest";
import { findChart } from "./chart-spec.ts";

describe("chart specifications", () => {
  it("recognizes each kind of chart by its media type", () => {
    expect(findChart({ "application/vnd.vegalite.v5+json": { mark: "bar" } })).toEqual({
      kind: "vega-lite",
      spec: { mark: "bar" },
    });
    expect(findChart({ "application/vnd.vega.v5+json": {} })?.kind).toBe("vega");
    expect(findChart({ "application/vnd.plotly.v1+json": {} })?.kind).toBe("plotly");
    expect(findChart({ "application/vnd.echarts+json": {} })?.kind).toBe("echarts");
  });

  it("reads a specification that is JSON text", () => {
    expect(findChart({ "application/vnd.plotly.v1+json": '{"data": []}' })?.spec).toEqual({ data: [] });
  });

  it("ignores an unreadable specification", () => {
    expect(findChart({ "application/vnd.plotly.v1+json": "{" })).toBeUndefined();
  });

  it("finds none in other results", () => {
    expect(findChart({ "text/latex": "x" })).toBeUndefined();
    expect(findChart(undefined)).toBeUndefined();
  });
});
