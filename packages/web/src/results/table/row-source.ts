import { AtollApiError, type TablePage } from "@atoll/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { readRows, type Row } from "./rows.ts";

export interface RowQuery {
  readonly offset: number;
  readonly limit: number;
  /** A column's name, prefixed with `-` for descending order. */
  readonly sort?: string;
  readonly filter?: string;
}

/** Loads the rows of a full table page by page. */
export type LoadRows<Page extends TablePage = TablePage> = (
  query: RowQuery,
  signal: AbortSignal,
) => Promise<Page>;

/** `busy`: the kernel runs code and is asked again. `gone`: the table is no longer in memory. */
export type RowProblem = "busy" | "gone" | { readonly message: string };

export interface LoadedRows<Page extends TablePage> {
  readonly page?: Page;
  readonly rows: ReadonlyMap<number, Row>;
  readonly problem?: RowProblem;
  /** Loads these rows if they are missing. */
  need(start: number, end: number): void;
}

const PAGE = 200;
const AGAIN_MS = 1500;

/** Without a source there are no rows. */
export function useRows<Page extends TablePage>(
  load: LoadRows<Page> | undefined,
  order: { readonly sort?: string; readonly filter?: string },
): LoadedRows<Page> {
  const { sort, filter } = order;
  const [state, setState] = useState<Omit<LoadedRows<Page>, "need">>({ rows: new Map() });
  const wanted = useRef({ start: 0, end: 1 });
  const known = useRef(new Map<number, Row>());
  const ask = useRef<() => void>(() => {});

  useEffect(() => {
    if (load === undefined) {
      ask.current = () => {};
      setState({ rows: new Map() });
      return undefined;
    }
    const end = new AbortController();
    let isLoading = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    known.current = new Map();
    wanted.current = { start: 0, end: 1 };
    const next = async () => {
      const offset = firstMissing(known.current, wanted.current);
      if (isLoading || offset === undefined) return;
      isLoading = true;
      try {
        const query = { offset, limit: PAGE, sort, ...(filter ? { filter } : {}) };
        const page = await load(query, end.signal);
        for (const [at, row] of toRows(page)) known.current.set(at, row);
        wanted.current = { ...wanted.current, end: Math.min(wanted.current.end, page.filtered_total) };
        setState({ page, rows: new Map(known.current) });
      } catch (error) {
        if (end.signal.aborted) return;
        const problem = readProblem(error);
        setState((before) => ({ ...before, problem }));
        if (problem === "busy") timer = setTimeout(() => void next(), AGAIN_MS);
        return;
      } finally {
        isLoading = false;
      }
      void next();
    };
    ask.current = () => void next();
    void next();
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [load, sort, filter]);

  const need = useCallback((start: number, end: number) => {
    wanted.current = { start, end };
    ask.current();
  }, []);
  return { ...state, need };
}

function firstMissing(rows: ReadonlyMap<number, Row>, { start, end }: { start: number; end: number }) {
  for (let at = start; at < end; at += 1) if (!rows.has(at)) return at;
  return undefined;
}

function toRows(page: TablePage): [number, Row][] {
  return readRows(page).map((row, at) => [page.offset + at, row]);
}

function readProblem(error: unknown): RowProblem {
  if (error instanceof AtollApiError && error.code === "busy") return "busy";
  if (error instanceof AtollApiError && error.status === 404) return "gone";
  return { message: error instanceof Error ? error.message : String(error) };
}
