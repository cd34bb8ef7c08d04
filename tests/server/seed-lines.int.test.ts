import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerProcess } from "../support/server-process.ts";

const run = promisify(execFile);

/** What users of the first seed type, as they type it, but for the port. */
describe("the curl lines of the seed", () => {
  let dataDir = "";
  let server: ServerProcess;
  const curl = async (...args: string[]) =>
    (await run("curl", ["-sS", ...args], { maxBuffer: 2 ** 26 })).stdout;
  const json = ["-H", "Content-Type: application/json"];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-seed-"));
    server = await ServerProcess.start({ dataDir });
  });
  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it("create a thread on the bundled table and answer with code, table and chart", async () => {
    const { thread_id } = JSON.parse(await curl("-X", "POST", `${server.url}/thread/new`));
    const answer = JSON.parse(
      await curl(
        "-X",
        "POST",
        `${server.url}/thread/${thread_id}/message`,
        ...json,
        "-d",
        '{"message": "What are the top 5 categories by spend?"}',
      ),
    );
    expect(answer.status).toBe("completed");
    expect(answer.model).toBe("built-in");
    // Sums of the file, made with awk.
    const top = ["Shopping", "Travel", "Groceries", "Rent", "Dining"];
    for (const [category, sum] of [
      ["Shopping", "99,268.24"],
      ["Travel", "74,073.20"],
      ["Groceries", "52,301.97"],
    ]) {
      expect(answer.response).toMatch(new RegExp(`${category}\\W+${sum}`));
    }
    const table = answer.results.find(({ kind }: { kind: string }) => kind === "table")?.table;
    expect(table.rows.map(([name]: [string]) => name)).toEqual(top);
    expect(table.rows[0][1]).toBe(99268.24);
    expect(answer.code_runs[0]).toMatchObject({ language: "python", status: "ok" });
    expect(answer.code_runs[0].code).toContain("df");
    const image = answer.results.find(({ kind }: { kind: string }) => kind === "image");
    const png = await fetch(server.url + image.url);
    expect([png.status, png.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(
      Buffer.from(await png.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
    for (const name of ["ttft", "sandbox_restore", "exec_total", "overhead"]) {
      expect(answer.timings_ms[name]).toBeGreaterThanOrEqual(0);
    }
  });

  it("stream an answer: tokens that make the answer, the code, a table, a chart, done", async () => {
    const { thread_id } = JSON.parse(await curl("-X", "POST", `${server.url}/thread/new`));
    const text = await curl(
      "-N",
      "-X",
      "POST",
      `${server.url}/thread/${thread_id}/message/stream`,
      ...json,
      "-d",
      '{"message": "Show me monthly trends"}',
    );
    const events = text
      .split("\n\n")
      .map((frame) => /^data: (.*)$/m.exec(frame)?.[1])
      .filter((data) => data !== undefined)
      .map((data) => JSON.parse(data));
    const of = (type: string) => events.filter((event) => event.type === type);
    const [done] = of("done");
    expect(events.at(-1)).toBe(done);
    expect(done).toMatchObject({ thread_id, status: "completed", openai_calls: 0 });
    expect(
      of("token")
        .map((event) => event.text)
        .join(""),
    ).toBe(done.response);
    expect(of("code_run")).toHaveLength(1);
    const table = of("result").find((event) => event.table)?.table;
    expect(table.total_rows).toBe(24);
    expect(table.rows[0]).toEqual(["2024-01", 14959.28]);
    expect(of("result").some((event) => event.image)).toBe(true);
    const ids = events.map((event) => event.id);
    expect(ids).toEqual([...ids].toSorted((a, b) => a - b));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("upload a file and work on it; status, history and the list of threads tell of it", async () => {
    const path = join(dataDir, "your_data.csv");
    await writeFile(path, "day,city,sales\n2026-01-01,Oslo,10\n2026-01-02,Bergen,20\n2026-01-03,Oslo,5\n");
    const upload = JSON.parse(await curl("-X", "POST", `${server.url}/upload`, "-F", `files=@${path}`));
    const body = JSON.stringify({ file_ids: [upload.files[0].file_id] });
    const { thread_id, attached_files } = JSON.parse(
      await curl("-X", "POST", `${server.url}/thread/new`, ...json, "-d", body),
    );
    expect(attached_files).toEqual(["your_data.csv"]);
    const answer = JSON.parse(
      await curl(
        "-X",
        "POST",
        `${server.url}/thread/${thread_id}/message`,
        ...json,
        "-d",
        '{"message": "total sales by city"}',
      ),
    );
    expect(answer.response).toMatch(/Bergen\W+20/);
    expect(answer.response).toMatch(/Oslo\W+15/);
    expect(JSON.parse(await curl(`${server.url}/thread/${thread_id}/status`))).toMatchObject({
      thread_id,
      sandbox_status: "hot",
    });
    const { messages } = JSON.parse(await curl(`${server.url}/thread/${thread_id}/history`));
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant"]);
    expect(messages[1].content).toBe(answer.response);
    const { threads } = JSON.parse(await curl(`${server.url}/threads`));
    expect(threads[0]).toMatchObject({ thread_id });
    expect(await curl(`${server.url}/ui`)).toContain("<title>Atoll</title>");
    expect(JSON.parse(await curl(`${server.url}/openapi.json`)).openapi).toMatch(/^3\.1/);
  });
});
