import { expect, it } from "vitest";
import type { DataProfile } from "@atoll/protocol";
import { readMessage } from "../read-message.ts";
import { suggestQuestions } from "../suggest.ts";
import { AnalystThread, AnalystTimeout } from "./analyst-thread.ts";

const thread = new AnalystThread({ timeoutMs: 120_000 });
const question = "top 5 category 4 by amount 3";

it("reads messages and tables as the analyst does, without the event loop", async () => {
  const inPlace = measure(async () => [
    suggestQuestions(wideTables()),
    readMessage(question, [], wideTables()),
  ]);
  const { value, spentMs } = await inPlace;
  expect(await thread.suggest({ tables: [], others: [] })).toEqual([]);
  const off = await measure(async () => [
    await thread.suggest(wideTables()),
    await thread.read(question, [], wideTables()),
  ]);
  expect(off.value).toEqual(value);
  expect(off.spentMs).toBeLessThan(spentMs / 2);
});

it("a reading that takes too long is given up, and the next one is answered", async () => {
  const hasty = new AnalystThread({ timeoutMs: 1 });
  const asked = Array.from({ length: 4 }, () => hasty.suggest(wideTables()));
  for (const outcome of await Promise.allSettled(asked))
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(AnalystTimeout) });
  expect(await thread.suggest(wideTables())).not.toEqual([]);
});

/** The processor time of this thread alone. */
async function measure<Value>(work: () => Promise<Value>): Promise<{ value: Value; spentMs: number }> {
  const start = process.threadCpuUsage();
  const value = await work();
  const { user, system } = process.threadCpuUsage(start);
  return { value, spentMs: (user + system) / 1000 };
}

/** Ten tables of thirty columns that can all be joined. */
function wideTables(): DataProfile {
  const column = (table: number, at: number): DataProfile["tables"][number]["columns"][number] => {
    if (at === 0)
      return { name: "customer_id", dtype: "int64", kind: "number", missing: 0, distinct: 900, samples: [1] };
    if (at % 3 === 0)
      return {
        name: `amount ${at}`,
        dtype: "float64",
        kind: "number",
        missing: 0,
        distinct: 900,
        min: 0,
        max: 9.5,
        samples: [1.5],
      };
    const values = Array.from({ length: 50 }, (_, index) => `value ${index} of ${at} in ${table}`);
    return {
      name: `category ${at}`,
      dtype: "object",
      kind: "category",
      missing: 0,
      distinct: 50,
      values,
      samples: [],
    };
  };
  const tables = Array.from({ length: 10 }, (_, table) => ({
    file: `/data/t${table}.csv`,
    name: `t${table}.csv`,
    variable: table === 0 ? "df" : `t${table}`,
    format: "csv" as const,
    rows: 1000,
    loaded_rows: 1000,
    columns: Array.from({ length: 30 }, (__, at) => column(table, at)),
    sample: [],
    notes: [],
  }));
  return { tables, others: [] };
}
