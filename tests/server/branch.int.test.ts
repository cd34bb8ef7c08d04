import type { AtollApiError, Branch } from "@atoll/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGate, reply, text, waitFor } from "../support/scripted-openai/index.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";
import { LifecycleBench, run } from "./lifecycle/bench.ts";

let bench: LifecycleBench;
let server: ServerProcess;
beforeAll(async () => {
  bench = await LifecycleBench.create("branch");
  server = await bench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());

const plot =
  "import matplotlib.pyplot as plt; plt.plot([1, 2, 3]); open('/session/artifacts/out.csv', 'w').write('a')";

/** A thread of these turns, and the ids of their messages. */
async function converse(...codes: string[]): Promise<{ user: ThreadUser; ids: string[] }> {
  const user = await ThreadUser.create(server.url);
  const ids: string[] = [];
  for (const code of codes) ids.push((await user.ask(code)).message_id);
  return { user, ids };
}

function branch(user: ThreadUser, messageId: string, more: { before?: boolean } = {}): Promise<Branch> {
  return user.client.threads.branch(user.threadId, { message_id: messageId, ...more });
}

const open = ({ thread_id }: Branch) => new ThreadUser(server.url, thread_id);
const look = "import os; print(x, sorted(f for f in os.listdir('.')), open('note').read(), len(df))";

describe("a branch from an earlier turn", () => {
  it("has its variables, files, history and pictures as they were, and leaves its source alone", async () => {
    const { user, ids } = await converse(
      `x = [1]; open('note', 'w').write('one'); open('gone', 'w').close(); ${plot}`,
      "x.append(2); open('note', 'w').write('two'); import os; os.remove('gone'); log = open('/tmp/l', 'w')",
      "x = 'three'; open('note', 'w').write('three')",
    );
    const log = await user.log();
    const made = await branch(user, ids[0] ?? "");
    expect(made).toMatchObject({
      parent_thread_id: user.threadId,
      parent_message_id: ids[0],
      is_exact: true,
      state_of: { message_id: ids[0], before: false },
      lost: [],
      missing_files: [],
      message_count: 1,
    });
    expect(made.title).toMatch(/ \(branch\)$/);
    const first = open(made);
    expect(await run(first, look)).toBe("[1] ['gone', 'note'] one 6218");
    const second = await branch(user, ids[1] ?? "");
    expect(second).toMatchObject({ is_exact: false, lost: [{ name: "log" }] });
    expect(await run(open(second), look)).toBe("[1, 2] ['note'] two 6218");

    await run(first, "x = 'changed'; open('note', 'w').write('changed')");
    expect(await user.log()).toEqual(log);
    expect(await run(user, look)).toBe("three ['note'] three 6218");
    expect((await first.history()).map(({ role }) => role).slice(0, 2)).toEqual(["user", "assistant"]);
    expect(await first.client.threads.get(first.threadId)).toMatchObject({ parent_thread_id: user.threadId });

    await user.client.threads.remove(user.threadId);
    const events = await first.log();
    const urls = events.flatMap((event) => (event.type === "result" ? (event.image?.url ?? []) : []));
    expect(urls).toHaveLength(1);
    const { artifacts } = await first.client.threads.artifacts(first.threadId);
    expect(artifacts.map(({ path }) => path)).toContain("/session/artifacts/out.csv");
    for (const url of [...urls, ...artifacts.map(({ signed_url = "" }) => signed_url)])
      expect([url, (await fetch(server.url + url)).status]).toEqual([url, 200]);
    expect(await run(first, "print(x, open('note').read())")).toBe("changed changed");
  });

  it("before a message is where another can be sent in its place, again and again, also from a branch", async () => {
    const { user, ids } = await converse("x = 1", "x += 1; open('two', 'w').close()", "x += 1");
    await user.client.threads.files(user.threadId).write("by-hand.txt", "written between the turns");
    const edited = await user.ask("x = 'wrong'; import os; os.remove('by-hand.txt')");
    const retry = open(await branch(user, edited.message_id, { before: true }));
    expect(await run(retry, "print(x, open('by-hand.txt').read())")).toBe("3 written between the turns");
    expect((await retry.history()).filter(({ role }) => role === "user")).toHaveLength(4);

    const older = open(await branch(retry, ids[1] ?? "", { before: true }));
    expect(await run(older, "import os; print(x, os.listdir('.'))")).toBe("1 []");
    const start = await branch(older, ids[0] ?? "", { before: true });
    expect(start).toMatchObject({ is_exact: true, message_count: 0, state_of: null });
    expect(await run(open(start), "print('x' in globals(), len(df))")).toBe("False 6218");
  });

  it("can be made as soon as the answer is there, while the next one is given, and twice at once", async () => {
    const user = await ThreadUser.create(server.url);
    const answering = await user.send("x = 'first'");
    const { message_id: first } = await answering.until("done");
    const [early] = [await branch(user, first)];
    expect(early).toMatchObject({ is_exact: true, state_of: { message_id: first } });

    const gate = createGate();
    bench.models.script(reply(text("Wait"), waitFor(gate)));
    const waiting = await user.send("wait");
    const { message_id: open_ } = await waiting.until("message");
    await waiting.untilText("Wait");
    const [one, two] = await Promise.all([branch(user, first), branch(user, first)]);
    expect(one.thread_id).not.toBe(two.thread_id);
    for (const made of [early, one, two]) expect(await run(open(made), "print(x)")).toBe("first");
    await expect(branch(user, open_)).rejects.toMatchObject({ status: 409, code: "busy" });
    expect(await branch(user, open_, { before: true })).toMatchObject({ message_count: 1, is_exact: true });
    gate.open();
    await waiting.until("done");
  });

  it("is refused for ids that are not its own, and for a thread that is being removed", async () => {
    const { user, ids } = await converse("x = 1");
    const { ids: foreign } = await converse("y = 1");
    const refusal = (body: unknown) =>
      fetch(`${user.url}/branch`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    for (const message_id of [foreign[0], "msg_none", "../../etc", "x".repeat(64)])
      expect((await refusal({ message_id })).status).toBe(404);
    for (const body of [{}, { message_id: 1 }, { message_id: "" }, { message_id: ids[0], before: "yes" }, []])
      expect((await refusal(body)).status).toBe(400);
    const before = (await user.client.threads.list()).threads.length;
    const [removed, ...branches] = await Promise.allSettled([
      user.client.threads.remove(user.threadId),
      ...Array.from({ length: 5 }, () => branch(user, ids[0] ?? "")),
    ]);
    expect(removed?.status).toBe("fulfilled");
    for (const each of branches)
      if (each.status === "rejected") expect((each.reason as AtollApiError).status).toBe(404);
    const made = branches.filter(({ status }) => status === "fulfilled").length;
    expect((await user.client.threads.list()).threads).toHaveLength(before - 1 + made);
  });

  it("is there after its server was killed, with its own state", async () => {
    const { user, ids } = await converse("x = 'then'; open('note', 'w').write('then')", "x = 'now'");
    const made = open(await branch(user, ids[0] ?? ""));
    await server.kill();
    server = await bench.start();
    for (const each of [user, made]) each.moveTo(server.url);
    expect(await run(made, "print(x, open('note').read())")).toBe("then then");
    expect(await run(user, "print(x)")).toBe("now");
    expect(await run(open(await branch(made, ids[0] ?? "")), "print(x)")).toBe("then");
  });
});
