import { describe, expect, it } from "vitest";
import type { ThreadEvent } from "@atoll/protocol";
import type { ExportInput } from "./export-thread.ts";
import { exportThread } from "./export-thread.ts";
import {
  call,
  data,
  done,
  everything,
  image,
  makeInput,
  message,
  png,
  ran,
  started,
} from "./sample-log.harness.ts";

interface Cell {
  cell_type: string;
  id: string;
  source: string[];
  execution_count?: number | null;
  outputs?: Output[];
}

interface Output extends Record<string, unknown> {
  data?: Record<string, unknown>;
}

const notebookOf = async (input: ExportInput): Promise<{ cells: Cell[] } & Record<string, unknown>> =>
  JSON.parse(await readBody("ipynb", input));
const textOf = async (input: ExportInput): Promise<string> => readBody("md", input);
const outputsOf = (cells: Cell[], code: string): Output[] => {
  const cell = cells.find(({ source }) => source.join("").includes(code));
  if (!cell?.outputs) throw new Error(`no code cell with ${code}`);
  return cell.outputs;
};

describe("a thread as a notebook", () => {
  it("has the form of nbformat 4.5", async () => {
    const notebook = await notebookOf(makeInput(everything));
    expect(notebook).toMatchObject({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } },
    });
    const ids = notebook.cells.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const cell of notebook.cells) {
      expect(cell.id).toMatch(/^[a-zA-Z0-9-_]{1,64}$/);
      expect(Object.keys(cell).toSorted()).toEqual(
        cell.cell_type === "code"
          ? ["cell_type", "execution_count", "id", "metadata", "outputs", "source"]
          : ["cell_type", "id", "metadata", "source"],
      );
    }
  });

  it("has the outputs as they came: streams, images, tables, errors", async () => {
    const { cells } = await notebookOf(makeInput(everything));
    const [stdout, stderr, figure, table] = outputsOf(cells, "print('hi')");
    expect(stdout).toEqual({ output_type: "stream", name: "stdout", text: "hi\n" });
    expect(stderr).toEqual({ output_type: "stream", name: "stderr", text: "careful\n" });
    expect(figure).toMatchObject({
      output_type: "display_data",
      data: { "image/png": png.toString("base64") },
    });
    expect(table).toMatchObject({ output_type: "execute_result", execution_count: 1 });
    expect(table?.data?.["text/html"]).toContain("<th>&#60;b&#62;Rent&#60;/b&#62;</th><td>10.5</td>");
    expect(table?.data?.["text/html"]).toContain("13 rows × 1 columns");
    expect(outputsOf(cells, "1/0")).toEqual([
      {
        output_type: "error",
        ename: "ZeroDivisionError",
        evalue: "division by zero",
        traceback: ["Traceback", "  line 1", "ZeroDivisionError"],
      },
    ]);
  });

  it("is made of a log with a forged error and a forged table too", async () => {
    const forged = {
      status: "error",
      exit_code: 1,
      error: { name: null, value: 5, traceback: null },
    } as unknown as Parameters<typeof ran>[2];
    const table = { columns: [], rows: [], index_names: "abc", index: 5, total_rows: 0, total_columns: 0 };
    const log = [
      message("m1", "Go"),
      started("m1"),
      call("c1", "execute_python", { code: "1/0" }),
      { type: "result", call_id: "c1", is_main: true, table } as unknown as ThreadEvent,
      ran("c1", "1/0", forged),
      done("m1"),
    ];
    const { cells } = await notebookOf(makeInput(log));
    expect(outputsOf(cells, "1/0").at(-1)).toEqual({
      output_type: "error",
      ename: "Error",
      evalue: "",
      traceback: [""],
    });
  });

  it("runs shell commands in bash cells", async () => {
    const { cells } = await notebookOf(makeInput(everything));
    expect(outputsOf(cells, "%%bash\nls ```")[0]).toMatchObject({ text: "a ```` b\n" });
  });

  it("has what the user ran as cells like all others, without a question before them", async () => {
    const { cells } = await notebookOf(makeInput(everything));
    const sources = cells.map(({ source }) => source.join(""));
    const own = sources.indexOf("own = 1");
    expect(cells[own]).toMatchObject({ cell_type: "code", execution_count: expect.any(Number) });
    expect(sources.filter((source) => source.includes("own = 1"))).toHaveLength(1);
    expect(sources.slice(-2)).toEqual(["**You** *(not run yet)*", "%%bash\nls own"]);
    expect(cells.at(-1)).toMatchObject({ cell_type: "code", execution_count: null });
  });

  it("loads the thread's files first", async () => {
    const { cells } = await notebookOf(makeInput(everything));
    const code = cells[1]?.source.join("") ?? "";
    expect(cells[1]).toMatchObject({ cell_type: "code", execution_count: null, outputs: [] });
    expect(code).toContain('#   "笔记.pdf"');
    expect(code).toContain(
      'transactions = pd.read_csv(DATA / "transactions.csv", dtype={"date": "str", "category": "str"})',
    );
    expect(code).toContain(
      'transactions["date"] = pd.to_datetime(transactions["date"], format="mixed", errors="coerce")',
    );
    expect(code).toContain("df = transactions\n");
  });

  it("cannot be made to run code by the names in a file", async () => {
    const [table] = data.tables;
    const evil = '")\nimport os #';
    const columns = [{ name: evil, dtype: "str", kind: "date" as const, missing: 0, samples: [] }];
    const tables = table
      ? [{ ...table, file: `/data/${evil}`, separator: evil, encoding: evil, columns }]
      : [];
    const { cells } = await notebookOf(makeInput([{ type: "data", data: { tables, others: [] } }]));
    const lines = (cells[1]?.source ?? []).filter((line) => line.startsWith("import"));
    expect(lines).toEqual([
      "import os\n",
      "import matplotlib.pyplot as plt\n",
      "import numpy as np\n",
      "import pandas as pd\n",
    ]);
  });

  it("says so when an image is no longer kept", async () => {
    const gone = { ...image, url: image.url.replace(/.$/, (last) => (last === "0" ? "1" : "0")) };
    const events = [
      message("m", "x"),
      started("m"),
      { type: "result", call_id: "c", is_main: true, image: gone } as const,
      ran("c", "plot()"),
    ];
    const { cells } = await notebookOf(makeInput(events));
    expect(outputsOf(cells, "plot()")[0]?.data).toEqual({
      "text/plain": "(an image that is no longer kept)",
    });
  });
});

describe("a thread as Markdown", () => {
  it("tells the conversation in the order of its answers", async () => {
    const text = await textOf(makeInput(everything));
    const marks = [
      "# Top 5 categories",
      "> What are the **top 5**?\n> # not a heading\n> ```",
      "Let me look.",
      "```python\nprint('hi')",
      "![image-1][image-1]",
      "| category | amount |\n| --- | --- |\n| \\<b\\>Rent\\</b\\> | 10.5 |\n| a\\|b |  |",
      "*Asked for permission to use `execute_shell`.*",
      "*Allowed: fine.*",
      "**You** *(sent while the answer was under way)*",
      "ZeroDivisionError",
      "Rent is first.",
      "> And the second question?",
      "*It was stopped before its end. Stopped.*",
      "*The answer was stopped here.*",
      "*Error: The key was refused. Set OPENAI_API_KEY.*",
      "*It did not come to its end.*",
      "*The answer was interrupted here: the server ended.*",
      "**You** ran:\n\n```python\nown = 1\n```",
      "**You** *(not answered yet)*\n\n> Waiting still",
      `[image-1]: data:image/png;base64,${png.toString("base64")}`,
    ];
    const places = marks.map((mark) => text.indexOf(mark));
    expect(marks.filter((mark) => !text.includes(mark))).toEqual([]);
    expect(places).toEqual(places.toSorted((first, second) => first - second));
    expect(text).not.toContain("Never mind");
  });

  it("puts longer fences around code that has fences", async () => {
    const text = await textOf(makeInput(everything));
    expect(text).toContain("````bash\nls ```\n````");
    expect(text).toContain("`````text\na ```` b\n`````");
    expect(text).toContain("*It ended with exit code 2. The output was cut.*");
  });

  it("has the answer of a log that kept no tokens", async () => {
    const text = await textOf(
      makeInput([message("m", "x"), started("m"), done("m", "completed", "Forty-two.")]),
    );
    expect(text.match(/Forty-two\./g)).toHaveLength(1);
  });

  it("says when the answer is still under way", async () => {
    const events = [message("m", "x"), started("m"), call("c", "execute_python", { code: "slow()" })];
    const text = await textOf(makeInput(events));
    expect(text).toContain("```python\nslow()\n```");
    expect(text).toContain("still under way when this was exported");
  });
});

describe("an export", () => {
  it("as JSON has the thread and every event", async () => {
    const input = makeInput(everything);
    const exported = await exportThread("json", input);
    expect(
      JSON.parse(await new Response(exported.body as ConstructorParameters<typeof Response>[0]).text()),
    ).toEqual({
      thread: input.thread,
      events: input.events,
    });
    expect([exported.mime, exported.filename]).toEqual(["application/json", "Top-5-categories.json"]);
  });

  it.each([
    ["月度趋势：销售/成本?", "月度趋势-销售-成本.ipynb"],
    ['../../etc/"passwd"\r\n', "etc-passwd.ipynb"],
    [null, "thread-thread-1.ipynb"],
    ["🎉", "thread-thread-1.ipynb"],
    ["con", "thread-thread-1.ipynb"],
    ["x".repeat(500), `${"x".repeat(60)}.ipynb`],
  ])("of a thread titled %j has a safe name", async (title, name) => {
    expect((await exportThread("ipynb", makeInput([], title))).filename).toBe(name);
  });

  it.each(["ipynb", "md", "json"] as const)("of an empty thread is whole: %s", async (format) => {
    expect(await readBody(format, makeInput([], null))).toMatch(/thread-1/);
  });
});

async function readBody(format: "ipynb" | "md" | "json", input: ExportInput): Promise<string> {
  return new Response(
    (await exportThread(format, input)).body as ConstructorParameters<typeof Response>[0],
  ).text();
}
