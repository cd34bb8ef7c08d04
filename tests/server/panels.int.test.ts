import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AtollClient, type StoredEvent, type TerminalConnection, type TerminalEvent } from "@atoll/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";

/** What the page asks of the server beside the conversation, against the server as it is run. */
describe("tables, variables and terminals of a thread", () => {
  let dataDir = "";
  let server: ServerProcess;
  let client: AtollClient;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-panels-"));
    server = await ServerProcess.start({ dataDir });
    client = new AtollClient({ baseUrl: server.url });
  });
  afterAll(async () => {
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  /** Runs code to its end and gives the events of its run. */
  const run = async (user: ThreadUser, code: string, language?: "python" | "shell") => {
    const { message_id: id, event_id } = await client.threads.runCode(
      user.threadId,
      code,
      language ? { language } : {},
    );
    const events: StoredEvent[] = [];
    for await (const event of client.threads.events(user.threadId, { after: event_id - 1 })) {
      events.push(event);
      if (event.type === "done" && event.message_id === id) break;
    }
    return events;
  };
  const tableOf = (events: readonly StoredEvent[]) =>
    events.flatMap((event) => (event.type === "result" ? (event.table ?? []) : [])).at(-1);

  it("runs the user's code in the kernel that answers use, and tells of it in history and exports", async () => {
    const user = await ThreadUser.create(server.url);
    const events = await run(user, "own = len(df)\nown");
    expect(events.map(({ type }) => type).filter((type) => !["title", "status"].includes(type))).toEqual([
      "message",
      "run_started",
      "tool_call",
      "result",
      "code_run",
      "tool_result",
      "done",
    ]);
    expect(events[1]).toMatchObject({ model: "you" });
    await user.ask("What are the top 5 categories by spend?");
    expect(await run(user, "own + 1")).toContainEqual(
      expect.objectContaining({ type: "result", text: "6219" }),
    );
    expect((await user.history()).map(({ kind, role }) => kind ?? role)).toEqual([
      "code",
      "assistant",
      "user",
      "assistant",
      "code",
      "assistant",
    ]);
    const notebook = (await (await client.threads.export(user.threadId)).json()) as {
      cells: { cell_type: string; source: string[] }[];
    };
    const own = notebook.cells.find(({ source }) => source.join("") === "own + 1");
    expect(own?.cell_type).toBe("code");
    const [first] = await user.history();
    const branch = await client.threads.branch(user.threadId, { message_id: first?.message_id ?? "" });
    expect(branch).toMatchObject({ is_exact: true, restored: expect.arrayContaining(["own"]) });
  });

  it("stops code, and the kernel goes on with its variables", async () => {
    const user = await ThreadUser.create(server.url);
    await run(user, "kept = 1");
    const { message_id: id } = await client.threads.runCode(user.threadId, "print('on')\nwhile True: pass");
    const stream = await user.follow();
    await stream.until("output");
    expect(await user.stop()).toMatchObject({ was_running: true });
    await stream.until("done", (event) => event.type === "done" && event.message_id === id);
    stream.close();
    expect(await run(user, "kept")).toContainEqual(expect.objectContaining({ type: "result", text: "1" }));
  });

  it("pages through the whole of a table that was shown, and gives it as CSV", async () => {
    const user = await ThreadUser.create(server.url);
    const table = tableOf(await run(user, "df"));
    const tables = client.threads.tables(user.threadId);
    const id = table?.table_id ?? "";
    expect([table?.total_rows, (table?.rows.length ?? 0) < 6218]).toEqual([6218, true]);
    const last = await tables.rows(id, { offset: 6210 });
    expect([last.rows.length, last.total, last.filtered_total]).toEqual([8, 6218, 6218]);
    const rent = await tables.rows(id, { filter: "rent", column: "category", sort: "-amount", limit: 5 });
    const amount = rent.columns.findIndex(({ name }) => name === "amount");
    const amounts = rent.rows.map((row) => Number(row[amount]));
    expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
    expect(rent.filtered_total).toBeGreaterThan(5);
    expect(rent.filtered_total).toBeLessThan(6218);
    const csv = await (await fetch(tables.csvUrl(id, { filter: "rent", column: "category" }))).text();
    expect(csv.trim().split("\n")).toHaveLength(rent.filtered_total + 1);
    await expect(tables.rows(id, { sort: "nothing" })).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(tables.rows("0123456789abcdef")).rejects.toMatchObject({
      code: "not_found",
      hint: expect.stringContaining("again"),
    });
  });

  it("refuses a table while code runs, and has none in a sandbox that rested", async () => {
    const user = await ThreadUser.create(server.url);
    const id = tableOf(await run(user, "df.head(3)"))?.table_id ?? "";
    const tables = client.threads.tables(user.threadId);
    await client.threads.runCode(user.threadId, "print('on')\nwhile True: pass");
    const stream = await user.follow();
    await stream.until("output");
    await expect(tables.rows(id)).rejects.toMatchObject({ code: "busy", status: 409 });
    await user.stop();
    stream.close();
    expect((await tables.rows(id)).rows).toHaveLength(3);
    await client.threads.suspend(user.threadId);
    await expect(tables.rows(id)).rejects.toMatchObject({ code: "not_found" });
    expect((await client.threads.status(user.threadId)).sandbox_status).toBe("cold");
  });

  it("shows files as tables, in a kernel of their own, as they are now", async () => {
    const user = await ThreadUser.create(server.url);
    const tables = client.threads.tables(user.threadId);
    const csv = await tables.ofFile("/data/transactions.csv", { sort: "-amount", limit: 2 });
    expect(csv).toMatchObject({ format: "csv", total: 6218, file_rows: 6218, sheets: [] });
    expect(csv.rows).toHaveLength(2);
    await run(
      user,
      `
import pandas as pd
with pd.ExcelWriter("/workspace/book.xlsx") as book:
    pd.DataFrame({"a": [1, 2]}).to_excel(book, sheet_name="one", index=False)
    pd.DataFrame({"b": ["x", "y", "z"]}).to_excel(book, sheet_name="two", index=False)
df.head(10).to_parquet("/workspace/some.parquet")
df.head(4).to_json("/workspace/some.jsonl", orient="records", lines=True)
open("/workspace/grows.csv", "w").write("n\\n1\\n")
`,
    );
    const first = await tables.ofFile("book.xlsx");
    expect(first).toMatchObject({ format: "excel", sheets: ["one", "two"], sheet: "one", rows: [[1], [2]] });
    const second = await tables.ofFile("book.xlsx", { sheet: "two", filter: "y" });
    expect(second).toMatchObject({ sheet: "two", rows: [["y"]], total: 3, filtered_total: 1 });
    expect(await tables.ofFile("some.parquet")).toMatchObject({ format: "parquet", total: 10 });
    expect(await tables.ofFile("some.jsonl")).toMatchObject({ format: "jsonl", total: 4 });
    expect((await tables.ofFile("grows.csv")).total).toBe(1);
    await run(user, `open("/workspace/grows.csv", "w").write("n\\n1\\n2\\n3\\n")`);
    expect((await tables.ofFile("grows.csv")).total).toBe(3);
    await run(user, "echo 'just words' > notes.md; mkdir folder", "shell");
    await expect(tables.ofFile("notes.md")).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(tables.ofFile("book.xlsx", { sheet: "three" })).rejects.toMatchObject({
      code: "invalid_argument",
    });
    await expect(tables.ofFile("nothing.csv")).rejects.toMatchObject({ code: "not_found" });
    await expect(tables.ofFile("folder")).rejects.toMatchObject({ code: "not_a_file" });
  });

  it("gives files to a thread, and keeps what was computed", async () => {
    const user = await ThreadUser.create(server.url);
    await run(user, "kept = 7");
    const { files } = await client.upload([{ name: "sales.csv", content: "city,sales\nOslo,3\nRome,5\n" }]);
    const added = await client.threads.addData(
      user.threadId,
      files.map(({ file_id: fileId }) => fileId),
    );
    expect(added).toMatchObject({ is_pending: false, files: [{ filename: "sales.csv" }] });
    expect(added.data?.tables.map(({ name }) => name)).toEqual(["sales.csv"]);
    expect(await run(user, "kept, list(df.columns)")).toContainEqual(
      expect.objectContaining({ type: "result", text: "(7, ['city', 'sales'])" }),
    );
  });

  it("lists the kernel's variables, removes one, and starts the kernel anew with its tables", async () => {
    const user = await ThreadUser.create(server.url);
    const kernel = client.threads.kernel(user.threadId);
    await run(user, "import math\ndef twice(x): return 2 * x\nwords = ['a', 'b']\n_hidden = 1");
    const { variables, is_awake: isAwake } = await kernel.variables();
    expect(isAwake).toBe(true);
    const named = (name: string) => variables.find((variable) => variable.name === name);
    expect(named("df")).toMatchObject({ type: "DataFrame", shape: [6218, expect.any(Number)] });
    expect(named("twice")).toMatchObject({ kind: "function", preview: "(x)" });
    expect(named("words")).toMatchObject({ kind: "value", shape: [2], preview: "['a', 'b']" });
    expect([named("math"), named("_hidden"), named("In"), named("exit")]).toEqual(Array(4).fill(undefined));
    await kernel.removeVariable("words");
    await expect(kernel.removeVariable("words")).rejects.toMatchObject({ code: "not_found" });
    await kernel.restart();
    const after = (await kernel.variables()).variables.map(({ name }) => name);
    expect([after.includes("df"), after.includes("twice")]).toEqual([true, false]);
    const log = await user.log();
    expect(log.findLast(({ type }) => type === "sandbox")).toMatchObject({
      text: expect.stringContaining("was restarted"),
    });
    await client.threads.suspend(user.threadId);
    expect(await kernel.variables()).toMatchObject({ is_awake: false, variables: [] });
  });

  it("interrupts code, which ends as if by Ctrl-C", async () => {
    const user = await ThreadUser.create(server.url);
    const kernel = client.threads.kernel(user.threadId);
    expect(await kernel.interrupt()).toMatchObject({ is_done: false });
    const { message_id: id } = await client.threads.runCode(user.threadId, "print('on')\nwhile True: pass");
    const stream = await user.follow();
    await stream.until("output");
    await expect(kernel.variables()).rejects.toMatchObject({ code: "busy" });
    expect(await kernel.interrupt()).toMatchObject({ is_done: true });
    const done = await stream.until("done", (event) => event.type === "done" && event.message_id === id);
    expect(done).toMatchObject({
      status: "completed",
      code_runs: [{ error: { name: "KeyboardInterrupt" } }],
    });
    stream.close();
  });

  it("gives a sandbox the limits that were chosen, from its next start on", async () => {
    const user = await ThreadUser.create(server.url);
    await run(user, "kept = 1");
    const MiB = 1024 * 1024;
    await client.threads.update(user.threadId, { limits: { memory_bytes: 300 * MiB, timeout_ms: 600 } });
    expect((await client.threads.status(user.threadId)).limits["memory_bytes"]).toBe(1024 * MiB);
    await client.threads.suspend(user.threadId);
    const events = await run(user, "while kept: pass");
    expect(events.find(({ type }) => type === "code_run")).toMatchObject({ status: "timeout" });
    const { limits, metrics } = await client.threads.status(user.threadId);
    expect([limits["memory_bytes"], metrics?.memory_limit_bytes]).toEqual([300 * MiB, 300 * MiB]);
    await expect(
      client.threads.update(user.threadId, { limits: { memory_bytes: 1e15 } }),
    ).rejects.toMatchObject({ code: "forbidden" });
  });

  it("shows a shared conversation to whoever has the link, until it is taken back", async () => {
    const user = await ThreadUser.create(server.url);
    await user.ask("What are the top 5 categories by spend?");
    const { share_id: id } = await client.threads.share(user.threadId);
    await run(user, "after = 1");
    const { events, title } = await client.shared(id);
    expect(title).toMatch(/top 5/i);
    expect(events.filter(({ type }) => type === "message")).toHaveLength(1);
    const image = events.flatMap((event) => (event.type === "result" ? (event.image ?? []) : []))[0];
    expect((await fetch(server.url + image?.url)).headers.get("content-type")).toBe("image/png");
    expect((await client.threads.shares(user.threadId)).shares).toMatchObject([{ share_id: id }]);
    await client.threads.unshare(user.threadId, id);
    await expect(client.shared(id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("has terminals that are typed into, resized, followed again from an offset, and closed", async () => {
    const user = await ThreadUser.create(server.url);
    const terminals = client.threads.terminals(user.threadId);
    const terminal = await terminals.open({ cols: 80, rows: 24 });
    const screen = new Screen(terminal);
    await screen.shows("/workspace $ ");
    await Promise.all([..."stty size\n"].map((key) => terminal.write(key)));
    await screen.shows("24 80");
    await terminal.resize({ cols: 120, rows: 40 });
    await terminal.write("stty size; echo résumé; export kept=1\n");
    await screen.shows("40 120");
    await screen.shows("résumé");
    const again = new Screen(terminals.attach(terminal.id), screen.offset);
    await terminal.write("echo kept is $kept\n");
    await again.shows("kept is 1");
    expect(again.text).not.toContain("stty");
    expect((await terminals.list()).terminals).toMatchObject([
      { terminal_id: terminal.id, is_running: true },
    ]);
    await terminal.write("exit 3\n");
    expect(await screen.ends()).toBe(3);
    expect((await terminals.list()).terminals).toMatchObject([{ is_running: false }]);
    const other = await terminals.open({ cols: 80, rows: 24 });
    await other.close();
    expect(await new Screen(other).ends()).toBe(137);
  });

  it("bounds terminals, and they end with the sandbox", async () => {
    const user = await ThreadUser.create(server.url);
    const terminals = client.threads.terminals(user.threadId);
    const [first] = await Promise.all(
      Array.from({ length: 4 }, () => terminals.open({ cols: 80, rows: 24 })),
    );
    const more = Array.from({ length: 8 }, () =>
      terminals.open({ cols: 80, rows: 24 }).catch((error) => error.code),
    );
    expect(await Promise.all(more)).toContain("busy");
    const screen = new Screen(first!);
    await screen.shows("$");
    await client.threads.suspend(user.threadId);
    await expect(screen.ends()).rejects.toMatchObject({
      code: expect.stringMatching(/sandbox_dead|not_found/),
    });
    expect((await terminals.list()).terminals).toEqual([]);
    await expect(first!.write("x")).rejects.toMatchObject({ code: "not_found" });
    expect((await client.threads.status(user.threadId)).sandbox_status).toBe("cold");
  });
});

/** What a terminal has shown so far. */
class Screen {
  text = "";
  offset: number;
  readonly #events: AsyncGenerator<TerminalEvent, void>;
  readonly #decoder = new TextDecoder();
  #seen = 0;

  constructor(terminal: TerminalConnection, after = 0) {
    this.offset = after;
    this.#events = terminal.output({ after });
  }

  /** Resolves once this text has appeared; what came before it does not count again. */
  async shows(text: string): Promise<void> {
    for (;;) {
      const place = this.text.indexOf(text, this.#seen);
      if (place >= 0) return void (this.#seen = place + text.length);
      const { value, done } = await this.#events.next();
      if (done || value.type === "exit") throw new Error(`it ended without ${text}: ${this.text}`);
      this.offset = value.offset + value.bytes.length;
      this.text += this.#decoder.decode(value.bytes, { stream: true });
    }
  }

  /** Its exit code. */
  async ends(): Promise<number> {
    for (;;) {
      const { value, done } = await this.#events.next();
      if (done) throw new Error("the stream ended without an exit");
      if (value.type === "exit") return value.exit_code;
    }
  }
}
