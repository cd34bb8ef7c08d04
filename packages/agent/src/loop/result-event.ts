import type { RunOutput, Table } from "@atoll/sandbox";
import type { RunEvent, WireTable } from "../events.ts";

type ResultEvent = Extract<RunEvent, { type: "result" }>;
type KeepImage = (image: { mime: string; base64: string }) => string;

/** A displayed value for the log. Images are kept elsewhere: an event has only their address. */
export function toResultEvent(callId: string, result: RunOutput, keepImage: KeepImage): ResultEvent {
  const { isMain, text, html, markdown, latex, json, table, extra } = result;
  const image = findImage(result);
  const others = Object.entries(extra ?? {}).filter(([mime]) => !isBinary(mime));
  return {
    type: "result",
    call_id: callId,
    is_main: isMain,
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    ...(markdown === undefined ? {} : { markdown }),
    ...(latex === undefined ? {} : { latex }),
    ...(json === undefined ? {} : { json }),
    ...(table === undefined ? {} : { table: toWireTable(table) }),
    ...(image === undefined ? {} : { image: { mime: image.mime, url: keepImage(image) } }),
    ...(others.length === 0 ? {} : { extra: Object.fromEntries(others) }),
  };
}

export function toWireTable(table: Table): WireTable {
  return {
    columns: table.columns.map(({ name, dtype }) => ({ name, dtype })),
    rows: table.rows.map((row) => [...row]),
    ...(table.index === undefined ? {} : { index: [...table.index] }),
    ...(table.indexNames === undefined ? {} : { index_names: [...table.indexNames] }),
    total_rows: table.totalRows,
    total_columns: table.totalColumns,
  };
}

function findImage(result: RunOutput): { mime: string; base64: string } | undefined {
  if (result.png !== undefined) return { mime: "image/png", base64: result.png };
  if (result.jpeg !== undefined) return { mime: "image/jpeg", base64: result.jpeg };
  if (result.svg !== undefined) {
    return { mime: "image/svg+xml", base64: Buffer.from(result.svg).toString("base64") };
  }
  const [mime, base64] =
    Object.entries(result.extra ?? {}).find(([name, value]) => isImage(name) && typeof value === "string") ??
    [];
  return mime === undefined ? undefined : { mime, base64: String(base64) };
}

function isImage(mime: string): boolean {
  return /^image\/(gif|webp)$/.test(mime);
}

function isBinary(mime: string): boolean {
  return /^(image|audio|video)\//.test(mime) || mime === "application/pdf";
}
