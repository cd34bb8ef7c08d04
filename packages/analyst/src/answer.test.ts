import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { DataProfile, WireTable } from "@atoll/protocol";
import { answerBuiltIn } from "./answer.ts";
import type { PythonOutcome } from "./analyst-context.ts";
import { profileOf } from "./profile.harness.ts";
import { survey, transactions } from "./tables.harness.ts";
import { AnalystTimeout, analystThread } from "./thread/analyst-thread.ts";

const data = profileOf(transactions());
const nothing: DataProfile = { tables: [], others: [] };

interface Said {
  readonly text: string;
  readonly pieces: readonly string[];
  readonly codes: readonly string[];
}

async function ask(
  question: string,
  outcome: PythonOutcome = ok(),
  about = data,
  signal = new AbortController().signal,
): Promise<Said> {
  const pieces: string[] = [];
  const codes: string[] = [];
  await answerBuiltIn(
    question,
    { history: [], data: about },
    {
      signal,
      status: () => {},
      say: (piece) => pieces.push(piece),
      runPython: (code) => {
        codes.push(code);
        return Promise.resolve(outcome);
      },
    },
  );
  return { text: pieces.join(""), pieces, codes };
}

function ok(...tables: WireTable[]): PythonOutcome {
  return { run: { status: "ok", output: "" }, results: tables.map((table) => ({ table, isImage: false })) };
}

function table(columns: readonly string[], rows: readonly (readonly unknown[])[]): WireTable {
  return {
    columns: columns.map((name) => ({ name, dtype: "object" })),
    rows: rows.map((row) => [...row]),
    total_rows: rows.length,
    total_columns: columns.length,
  };
}

const failed = (status: "error" | "timeout" | "killed"): PythonOutcome => ({
  run: {
    status,
    output: "",
    ...(status === "error" && { error: { name: "KeyError", value: "'amount'", traceback: "" } }),
  },
  results: [],
});

describe("an answer of the built-in analyst", () => {
  it("takes its numbers from the run's table and comes in small pieces", async () => {
    const { text, pieces } = await ask(
      "top 2 categories by spend",
      ok(
        table(
          ["category", "total_amount", "share_percent"],
          [
            ["Rent", 1234567.5, 60],
            ["Home", 2, 40],
          ],
        ),
      ),
    );
    expect(text).toContain("1. Rent: 1,234,567.50 (60.0%)");
    expect(text).toContain("2. Home: 2.00 (40.0%)");
    expect(pieces.length).toBeGreaterThan(15);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(40);
  });

  it("says that the code failed, with the error's name, and gives no number", async () => {
    const { text } = await ask("total spend", failed("error"));
    expect(text).toContain("KeyError");
    expect(text).not.toMatch(/\d/);
  });

  it("says when the run took too long or was ended", async () => {
    expect((await ask("total spend", failed("timeout"))).text).toContain("too long");
    expect((await ask("total spend", failed("killed"))).text).toContain("ended");
  });

  it("names the filters when no row matches", async () => {
    const { text } = await ask("spend by category in Chicago", ok(table(["category", "total_amount"], [])));
    expect(text).toBe("No rows match: city is Chicago.");
  });

  it("keeps text of the data from becoming Markdown or HTML", async () => {
    const { text } = await ask(
      "top 1 categories by spend",
      ok(table(["category", "total_amount"], [["<img src=x> [a](b) **x** `y`", 1]])),
    );
    expect(text).toContain(String.raw`\<img src=x> \[a\](b) \*\*x\*\* \`y\``);
  });

  it("shows missing values as such", async () => {
    const { text } = await ask(
      "average amount by city",
      ok(
        table(
          ["city", "average_amount"],
          [
            ["Boston", null],
            [null, 3],
          ],
        ),
      ),
    );
    expect(text).toContain("Boston: –");
    expect(text).toContain("(missing): 3.00");
  });

  it("stops speaking when the signal fires", async () => {
    const stopped = new AbortController();
    stopped.abort();
    expect((await ask("what can you do?", ok(), data, stopped.signal)).text).toBe("");
  });

  it("asks for a table where there is none, and says which files are none", async () => {
    const { text, codes } = await ask("total spend", ok(), {
      tables: [],
      others: [{ file: "/data/a.pdf", name: "a.pdf", size_bytes: 3, problem: "not a table" }],
    });
    expect(text).toContain("Upload a CSV");
    expect(text).toContain("a.pdf: not a table");
    expect(codes).toEqual([]);
    expect((await ask("hello", ok(), nothing)).text).toContain("Hello");
  });

  it("says what it did not understand, what it can answer here, and how to set a model", async () => {
    const { text, codes } = await ask("what is the airspeed velocity of an unladen swallow?");
    expect(text).toContain("built-in analyst");
    expect(text).toContain("categor");
    expect(text).toContain("OPENAI_API_KEY");
    expect(text).toContain("ATOLL_MODEL");
    expect(codes).toEqual([]);
  });

  it("does not answer a part of what it cannot do", async () => {
    for (const question of [
      "forecast spend by month",
      "why did spend rise in 2025?",
      "spend by city in Atlantis",
    ]) {
      expect((await ask(question)).codes).toEqual([]);
    }
  });

  it("is honest about what it is", async () => {
    expect((await ask("which model are you?")).text).toContain("no language model");
    expect((await ask("你好", ok(), profileOf(survey()))).text).toContain("内置分析员");
  });
});

describe("reading a message", () => {
  it("happens in a worker thread, off the event loop", async () => {
    const read = vi.spyOn(analystThread, "read");
    onTestFinished(() => read.mockRestore());
    await ask("total amount by category");
    expect(read).toHaveBeenCalledOnce();
  });

  it("that takes too long ends in an answer that says so, and runs no code", async () => {
    const read = vi.spyOn(analystThread, "read").mockRejectedValue(new AnalystTimeout("too long"));
    onTestFinished(() => read.mockRestore());
    const { text, codes } = await ask("total amount by category");
    expect(text).toContain("could not read this question in time");
    expect(codes).toEqual([]);
  });
});
