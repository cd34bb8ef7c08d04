import type { RunOutput, Table } from "@atoll/sandbox";
import type { RunEvent, WireTable } from "@atoll/protocol";
import { tableSchema } from "@atoll/protocol/schemas";

type ResultEvent = Extract<RunEvent, { type: "result" }>;
type KeepImage = (image: { mime: string; base64: string }) => string | undefined;

/**
 * A displayed value for the log. Images are kept elsewhere: an event has only their address. Code may show anything under
 * any media type: a form that is not what it says is left out.
 */
export function toResultEvent(callId: string, result: RunOutput, keepImage: KeepImage): ResultEvent {
  const { isMain, json, extra } = result;
  const image = findImage(result);
  const table = findTable(result);
  const url = image && keepImage(image);
  const others = Object.entries(extra ?? {}).filter(([mime]) => !isBinary(mime));
  return {
    type: "result",
    call_id: callId,
    is_main: isMain,
    ...pickTexts(result),
    json,
    table,
    ...(image === undefined || url === undefined ? {} : { image: { mime: image.mime, url } }),
    ...(others.length === 0 ? {} : { extra: Object.fromEntries(others) }),
  };
}

function toWireTable(table: Table): WireTable {
  return {
    table_id: table.id,
    columns: table.columns.map(({ name, dtype }) => ({ name, dtype })),
    rows: table.rows.map((row) => [...row]),
    ...(table.index === undefined ? {} : { index: [...table.index] }),
    ...(table.indexNames === undefined ? {} : { index_names: [...table.indexNames] }),
    total_rows: table.totalRows,
    total_columns: table.totalColumns,
  };
}

function pickTexts(result: RunOutput): Pick<ResultEvent, "text" | "html" | "markdown" | "latex"> {
  const texts = (["text", "html", "markdown", "latex"] as const)
    .map((form) => [form, result[form]] as const)
    .filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts);
}

/** Undefined also for what only says that it is one. */
export function findTable({ table }: RunOutput): WireTable | undefined {
  try {
    return table ? tableSchema.safeParse(toWireTable(table)).data : undefined;
  } catch {
    return undefined;
  }
}

function findImage(result: RunOutput): { mime: string; base64: string } | undefined {
  if (typeof result.png === "string") return { mime: "image/png", base64: result.png };
  if (typeof result.jpeg === "string") return { mime: "image/jpeg", base64: result.jpeg };
  if (typeof result.svg === "string") {
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
