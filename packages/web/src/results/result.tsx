import type { ResultEvent } from "@atoll/client";
import { lazy, memo, Suspense } from "react";
import { Markdown } from "../ui/markdown/markdown.tsx";
import { findChart } from "./chart/chart-spec.ts";
import { HtmlFrame } from "./html-frame.tsx";
import { Picture } from "./picture.tsx";
import { TableView } from "./table/table.tsx";

const Chart = lazy(() => import("./chart/chart.tsx"));

/** A displayed value in its richest form. */
export const ResultView = memo(function ResultView({ result }: { result: ResultEvent }) {
  const { table, image, html, markdown, json, text, extra } = result;
  const chart = findChart(extra);
  if (chart) {
    return (
      <Suspense fallback={<div className="chart" />}>
        <Chart chart={chart} />
      </Suspense>
    );
  }
  if (table) return <TableView table={table} />;
  if (image) return <Picture url={image.url} name={nameOf(image.url)} mime={image.mime} />;
  if (markdown !== undefined) return <Markdown text={markdown} />;
  if (html !== undefined) return <HtmlFrame html={html} />;
  if (json !== undefined) return <pre className="value">{JSON.stringify(json, null, 2)}</pre>;
  return text === undefined ? null : <pre className="value">{text}</pre>;
});

function nameOf(url: string): string {
  const hash = /(?<![\da-f])([\da-f]{8})[\da-f]*$/.exec(url.split("?")[0] ?? "")?.[1] ?? "plot";
  return `plot-${hash}.png`;
}
