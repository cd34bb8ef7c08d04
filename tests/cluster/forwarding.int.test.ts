import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import type { Duplex } from "node:stream";
import { AtollClient, type Sandbox } from "@atoll/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EventStream } from "../support/event-stream.ts";
import { Installation, whyNoInstallation } from "../support/installation.ts";
import { describeIf } from "../support/requirements.ts";
import { answer as say, createGate, finish, reply, text, waitFor } from "../support/scripted-openai/index.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";

const requirement = { suite: "a request at any server", missing: whyNoInstallation(), isRequired: true };

describeIf(requirement, () => {
  let installation: Installation;
  let first: ServerProcess;
  let second: ServerProcess;
  /** Of what the first server has, asked at the second. */
  let user: ThreadUser;
  let there: AtollClient;
  let sandbox: Sandbox;

  beforeAll(async () => {
    installation = await Installation.create("forwarding");
    installation.models.always(say("All done."));
    const env = { ATOLL_LEASE_S: "30" };
    [first, second] = await Promise.all([installation.start(env), installation.start(env)]);
    user = await ThreadUser.create(first.url, { title: "Of the first" });
    sandbox = await user.client.sandboxes.create();
    user.moveTo(second.url);
    there = user.client;
  });
  afterAll(() => installation[Symbol.asyncDispose]());

  it("reads all that there is to read of a thread and of a sandbox", async () => {
    await user.ask("hello");
    const document = (await (await fetch(`${second.url}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const paths = Object.entries(document.paths)
      .filter(([path, methods]) => /^\/(thread|sandboxes)\/\{/.test(path) && "get" in methods)
      .map(([path]) => path.replace("{thread_id}", user.threadId).replace("{sandbox_id}", sandbox.sandbox_id))
      .filter((path) => !path.includes("{"));
    expect(paths.length).toBeGreaterThan(15);
    for (const path of paths) {
      const query = path.endsWith("/content")
        ? "?path=/etc/hostname"
        : path.endsWith("/table")
          ? "?path=/data/transactions.csv&limit=1"
          : path.endsWith("/export")
            ? "?format=md"
            : "";
      const [here, elsewhere] = await Promise.all(
        [first, second].map((server) =>
          fetch(server.url + path + query, { headers: { accept: "application/json" } }),
        ),
      );
      expect([path, elsewhere?.status], path).toEqual([path, here?.status]);
      expect(here?.status, path).toBe(200);
      expect(elsewhere?.headers.get("content-type"), path).toBe(here?.headers.get("content-type"));
      if (here?.headers.get("content-type")?.startsWith("text/event-stream")) {
        // It has no end; that both begin is all there is to compare.
        await Promise.all([here.body?.cancel(), elsewhere?.body?.cancel()]);
        continue;
      }
      const [one, other] = [await here?.text(), await elsewhere?.text()];
      if (/history|events|export|data$|artifacts/.test(path)) expect(other, path).toBe(one);
    }
  });

  it("changes a thread: title, queue, withdrawal, stop, rest and wake", async () => {
    expect((await there.threads.update(user.threadId, { title: "Renamed" })).title).toBe("Renamed");
    expect((await user.client.threads.list()).threads.map(({ title }) => title)).toContain("Renamed");
    const gate = createGate();
    installation.models.script(reply(text("One moment "), waitFor(gate), text("please."), finish("stop")));
    const stream = await user.send("wait for me");
    await stream.untilText("One moment");
    const { message_id } = await there.threads.queue(user.threadId, "next");
    await there.threads.withdraw(user.threadId, message_id);
    expect(await user.stop()).toMatchObject({ was_running: true });
    expect((await stream.until("done")).status).toBe("stopped");
    await stream.ended;
    gate.open();
    expect((await there.threads.suspend(user.threadId)).sandbox_status).toBe("cold");
    expect((await there.threads.wake(user.threadId)).sandbox_status).toBe("hot");
  });

  it("streams an answer while it is given", async () => {
    const gate = createGate();
    installation.models.script(
      reply(text("The first half, "), waitFor(gate), text("the second."), finish("stop")),
    );
    const stream = await user.send("say it in two parts");
    await stream.untilText("The first half,");
    expect(stream.text).not.toContain("second");
    gate.open();
    await stream.until("done");
    expect(stream.text).toBe("The first half, the second.");
    const ids = stream.labels.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  });

  it("carries files both ways, large ones and folders too", async () => {
    const content = randomBytes(3 * 1024 * 1024);
    for (const files of [there.threads.files(user.threadId), there.sandboxes.files(sandbox.sandbox_id)]) {
      await files.write("/workspace/large.bin", content);
      expect(content.equals(Buffer.from(await files.read("/workspace/large.bin")))).toBe(true);
      const part = await files.open("/workspace/large.bin", { range: { start: 5, end: 9 } });
      expect([part.status, Buffer.from(await part.arrayBuffer()).equals(content.subarray(5, 10))]).toEqual([
        206,
        true,
      ]);
      const zip = await files.zip("/workspace");
      expect(
        Buffer.from(await zip.arrayBuffer())
          .subarray(0, 2)
          .toString(),
      ).toBe("PK");
      await files.upload([{ name: "small.txt", content: "small" }], "/workspace");
      expect(await files.readText("/workspace/small.txt")).toBe("small");
    }
  });

  it("runs code in a program's sandbox, also as a stream", async () => {
    await there.sandboxes.runPython(sandbox.sandbox_id, "x = 20");
    const events: string[] = [];
    for await (const event of there.sandboxes.streamPython(sandbox.sandbox_id, "print(x + 1); x + 22"))
      events.push(JSON.stringify(event));
    expect(events.join()).toContain("21\\n");
    expect(events.join()).toContain("42");
    const run = await there.sandboxes.runCommand(sandbox.sandbox_id, "echo out; echo err >&2; exit 3");
    expect(run).toMatchObject({ exit_code: 3 });
  });

  it("carries a terminal, and shows a link's conversation by itself", async () => {
    const terminal = await there.threads.terminals(user.threadId).open({ cols: 80, rows: 24 });
    await terminal.write("echo from $((6 * 7))\n");
    let seen = "";
    for await (const event of terminal.output()) {
      seen += event.type === "output" ? Buffer.from(event.bytes).toString() : "";
      if (seen.includes("from 42")) break;
    }
    await terminal.close();
    const { share_id: id } = await there.threads.share(user.threadId);
    const shared = await Promise.all(
      [first, second].map((server) => new AtollClient({ baseUrl: server.url }).shared(id)),
    );
    expect(shared[0]?.events.length).toBeGreaterThan(3);
    expect(shared[1]).toEqual(shared[0]);
    await there.threads.unshare(user.threadId, id);
    await expect(new AtollClient({ baseUrl: first.url }).shared(id)).rejects.toMatchObject({ status: 404 });
  });

  it("shows what a program in a sandbox serves, also over an upgraded connection", async () => {
    await there.sandboxes.runPython(sandbox.sandbox_id, serveBoth);
    const preview = `${second.url}/preview/${sandbox.sandbox_id}/8124`;
    const response = await fetch(`${preview}/any?x=1`);
    expect([response.status, await response.text()]).toEqual([200, "GET /any?x=1 HTTP/1.1"]);
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    const outgoing = request(`${preview}/socket`, { headers, agent: false }).end();
    const [, stream] = (await once(outgoing, "upgrade")) as [unknown, Duplex];
    stream.write("hello");
    expect(String((await once(stream, "data"))[0])).toBe("HELLO");
    stream.destroy();
  });

  it("lists what all servers have, whichever is asked", async () => {
    const { thread_id } = await there.threads.create({ title: "Of the second" });
    const ids = async (client: AtollClient) =>
      (await client.threads.list()).threads.map((thread) => thread.thread_id).toSorted();
    const here = new AtollClient({ baseUrl: first.url });
    expect(await ids(here)).toEqual(await ids(there));
    expect(await ids(here)).toContain(thread_id);
    expect((await here.sandboxes.list()).sandboxes).toMatchObject([{ state: "running" }]);
    expect((await there.sandboxes.list()).sandboxes).toMatchObject([{ state: "running" }]);
    const servers = (await (await fetch(`${first.url}/operator/servers`)).json()) as {
      servers: { is_this: boolean; is_alive: boolean; threads: number; sandboxes: number }[];
    };
    expect(servers.servers.map(({ is_alive }) => is_alive)).toEqual([true, true]);
    expect(servers.servers.find(({ is_this }) => is_this)).toMatchObject({ threads: 1, sandboxes: 1 });
  });

  it("says that there is nothing where there is nothing", async () => {
    for (const path of [
      "/thread/nothing-here/history",
      "/sandboxes/nothing-here",
      "/thread/nothing-here/events",
    ]) {
      for (const { url } of [first, second]) {
        const response = await fetch(url + path);
        expect([path, response.status]).toEqual([path, 404]);
        expect(await response.json()).toMatchObject({ code: "not_found" });
      }
    }
    // Nobody has what there is not.
    const { servers } = (await (await fetch(`${first.url}/operator/servers`)).json()) as {
      servers: { threads: number; sandboxes: number }[];
    };
    expect(servers.map(({ threads, sandboxes }) => threads + sandboxes).toSorted()).toEqual([1, 2]);
  });

  it("refuses a second sandbox of a name that another server has", async () => {
    const id = "named-by-a-program";
    const made = await there.sandboxes.create({ id });
    const here = new AtollClient({ baseUrl: first.url });
    await expect(here.sandboxes.create({ id })).rejects.toMatchObject({ code: "already_exists" });
    await here.sandboxes.remove(made.sandbox_id, { keepFiles: true });
    expect((await here.sandboxes.create({ id })).sandbox_id).toBe(id);
    await there.sandboxes.remove(id);
  });

  it("branches and removes a thread, and its readers are told", async () => {
    const [turn] = (await user.history()).filter(({ role }) => role === "user");
    const branch = await there.threads.branch(user.threadId, { message_id: turn?.message_id ?? "" });
    const other = new ThreadUser(second.url, branch.thread_id);
    expect((await other.ask("still there?")).response).toBe("All done.");
    const stream = await EventStream.open(`${user.url}/events`);
    await there.threads.remove(user.threadId);
    await stream.ended;
    for (const { url } of [first, second])
      expect((await fetch(`${url}/thread/${user.threadId}/status`)).status).toBe(404);
  });
});

/** One answer for a connection: the request's first line, or the other side's words in capitals. */
const serveBoth = `
import socket, threading
server = socket.socket()
server.bind(("127.0.0.1", 8124))
server.listen()
def serve():
    while True:
        client, _ = server.accept()
        head = client.recv(65536)
        if b"upgrade: websocket" in head.lower():
            client.sendall(b"HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n")
            client.sendall(client.recv(100).upper())
        else:
            line = head.split(b"\\r\\n")[0]
            client.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(line), line))
        client.close()
threading.Thread(target=serve, daemon=True).start()
`;
