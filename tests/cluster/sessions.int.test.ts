import { AtollClient } from "@atoll/client";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { EventStream } from "../support/event-stream.ts";
import { Installation, whyNoInstallation } from "../support/installation.ts";
import { describeIf } from "../support/requirements.ts";
import { answer as say } from "../support/scripted-openai/index.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";
import { lookAt, patience, ttlS } from "../server/sessions/bench.ts";

const requirement = {
  suite: "temporary threads of several servers",
  missing: whyNoInstallation(),
  isRequired: true,
};

const timeout = 300_000;

describeIf(requirement, () => {
  let installation: Installation;
  let servers: ServerProcess[] = [];

  beforeAll(async () => {
    installation = await Installation.create("sessions");
    installation.models.always(say("All done."));
  });
  afterEach(() => installation.folder.stop());
  afterAll(() => installation[Symbol.asyncDispose]());

  const startTwo = async (env: Record<string, string>): Promise<[ServerProcess, ServerProcess]> => {
    servers = await Promise.all([installation.start(env), installation.start(env)]);
    return servers as [ServerProcess, ServerProcess];
  };

  it(
    "a session is one, whichever server is asked, also when all ask at once for the first time",
    { timeout },
    async () => {
      const [first, second] = await startTwo({ ATOLL_LEASE_S: "30" });
      const [here, there] = [first, second].map(({ url }) => new AtollClient({ baseUrl: url })) as [
        AtollClient,
        AtollClient,
      ];
      const both = [here, there, here, there];
      const answers = await Promise.all(both.map((client) => client.sessions.chat("one-session", "hello")));
      const threadId = answers[0]?.thread_id ?? "";
      expect(new Set(answers.map(({ thread_id }) => thread_id))).toEqual(new Set([threadId]));
      for (const [client, named] of [
        [here, ["a.csv"]],
        [there, ["a.csv", "a.csv"]],
      ] as const) {
        const { messages } = await client.threads.history(threadId);
        expect(messages.filter(({ role }) => role === "user")).toHaveLength(4);
        const added = await client.sessions.upload("one-session", [{ name: "a.csv", content: "a,b\n1,2\n" }]);
        expect(added.thread_id).toBe(threadId);
        expect(added.files.map(({ filename }) => filename)).toEqual(named);
      }
      for (const client of [here, there]) {
        const { files } = await client.sessions.files("one-session");
        expect(files.map(({ path }) => path)).toEqual(
          expect.arrayContaining(["/data/a.csv", "/data/a (2).csv"]),
        );
        expect(await (await client.sessions.download("one-session", "a (2).csv")).text()).toContain("1,2");
      }
      for (const { url } of [first, second]) {
        const stream = await EventStream.open(`${url}/chat/stream`, {
          body: { session_id: "one-session", message: "again" },
        });
        expect((await stream.until("done")).thread_id).toBe(threadId);
        await stream.ended;
      }
      const cleared = [await there.sessions.clear("one-session"), await here.sessions.clear("one-session")];
      expect(cleared).toEqual([true, false]);
      for (const client of [here, there])
        await expect(client.threads.get(threadId)).rejects.toMatchObject({ status: 404, code: "expired" });
      expect((await there.sessions.chat("one-session", "anew")).thread_id).toBe(threadId);
    },
  );

  it(
    "one that nobody uses is ended by its owner; one whose owner was killed, by another",
    { timeout },
    async () => {
      const [first, second] = await startTwo({ ATOLL_LEASE_S: "2", SESSION_TTL_S: String(ttlS) });
      const [ownersEnd, orphan] = [
        await ThreadUser.create(second.url, { temporary: true }),
        await ThreadUser.create(first.url, { temporary: true }),
      ];
      const lasting = await ThreadUser.create(first.url);
      await first.kill();
      for (const user of [ownersEnd, orphan, lasting]) user.moveTo(second.url);
      // Looks at the list, not at the threads: a look at one would make it this server's.
      const listed = async () => {
        const { threads } = await lasting.client.threads.list({ temporary: true });
        return threads.map(({ thread_id }) => thread_id);
      };
      await expect.poll(listed, patience).not.toContain(orphan.threadId);
      await expect.poll(listed, patience).not.toContain(ownersEnd.threadId);
      expect(await lookAt(orphan)).toBe("404 expired");
      expect(await lookAt(ownersEnd)).toBe("404 expired");
      expect(await lookAt(lasting)).toBe("there");
      const { sandboxes } = await lasting.client.operator.sandboxes();
      expect(sandboxes.map(({ thread_id }) => thread_id)).not.toContain(orphan.threadId);
    },
  );

  it("one that is read at another server than its owner's is in use", { timeout }, async () => {
    const [first, second] = await startTwo({ ATOLL_LEASE_S: "30", SESSION_TTL_S: String(ttlS) });
    const read = await ThreadUser.create(first.url, { temporary: true });
    read.moveTo(second.url);
    const reader = await read.follow();
    const unused = await ThreadUser.create(first.url, { temporary: true });
    await expect.poll(() => lookAt(unused), patience).toBe("404 expired");
    expect(await lookAt(read)).toBe("there");
    reader.close();
    await expect.poll(() => lookAt(read), patience).toBe("404 expired");
  });
});
