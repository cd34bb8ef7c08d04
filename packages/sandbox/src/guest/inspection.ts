import type { CallOptions } from "../contract/call.ts";
import type { Inspection, TablePage, TableQuery, VariableList } from "../contract/inspection.ts";
import { AtollError } from "../errors.ts";
import { checkRange, checkText } from "./arguments.ts";
import { type JsonBounds, parseBoundedJson } from "./wire/bounded-json.ts";
import type { Guest } from "./wire/guest.ts";
import { isObject } from "./wire/shapes.ts";

const defaultTimeoutMs = 30_000;
const defaultRows = 100;
const maxRows = 100_000;
/** The guest stops at half of it. */
const maxPageBytes = 64 * 1024 * 1024;
const maxPages = 10_000;
const pageBounds: JsonBounds = { maxDepth: 32, maxParts: 1_500_000 };

export function createInspection(guest: Guest): Inspection {
  const look = async <Result>(
    method: string,
    { context = "default", signal, timeoutMs = defaultTimeoutMs, ...params }: LookOptions,
  ) => {
    const pages: Uint8Array[] = [];
    let pageBytes = 0;
    const { result } = await guest.call<Result>(
      method,
      { context: checkText("context", context), timeoutMs, ...params },
      // Its own time is the guest's to keep.
      {
        signal,
        timeoutMs: timeoutMs + 5000,
        onEvent({ name, body }) {
          if (name !== "page" || body.length === 0) return;
          pageBytes += body.length;
          if (pageBytes > maxPageBytes || pages.length >= maxPages)
            throw new AtollError(
              "protocol_error",
              `the guest sent more than ${maxPageBytes} bytes of a table`,
            );
          pages.push(body);
        },
      },
    );
    return { result, page: Buffer.concat(pages) };
  };
  return {
    async table(tableId, query = {}) {
      return parsePage<TablePage>((await look("python.table", toParams(tableId, query))).page);
    },
    async tableCsv(tableId, query = {}) {
      const { result, page } = await look<{ rows: unknown }>("python.csv", toParams(tableId, query));
      return { csv: page, rows: Number(result.rows) || 0 };
    },
    async variables(options = {}) {
      return parsePage<VariableList>((await look("python.variables", { ...options })).page);
    },
    async removeVariable(name, options = {}) {
      const params = { ...options, name: checkText("name", name) };
      return (await look<{ isForgotten: unknown }>("python.forget", params)).result.isForgotten === true;
    },
  };
}

type LookOptions = { context?: string } & CallOptions & Record<string, unknown>;

function toParams(tableId: string, { offset = 0, limit = defaultRows, ...query }: TableQuery): LookOptions {
  return {
    ...query,
    table: checkText("tableId", tableId),
    offset: checkRange("offset", offset, 0),
    limit: checkRange("limit", limit, 1, maxRows),
  };
}

function parsePage<Page>(body: Buffer): Page {
  try {
    const page = parseBoundedJson(body, pageBounds);
    if (isObject(page)) return page as Page;
  } catch (cause) {
    throw new AtollError("protocol_error", "the kernel's answer cannot be read", { cause });
  }
  throw new AtollError("protocol_error", "the kernel's answer is no page");
}
