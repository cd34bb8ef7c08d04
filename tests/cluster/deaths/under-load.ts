import { execFileSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { Sandbox } from "@atoll/sandbox";
import { describe, expect, it } from "vitest";
import { python } from "../../server/conversation/bench.ts";
import { replyTo } from "../../server/killed/bench.ts";
import type { Installation } from "../../support/installation.ts";
import type { ServerProcess } from "../../support/server-process.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import { countLeases, expectWholeLog, startTwo } from "./bench.ts";

const threads = 8;
const rounds = 4;
const messagesEach = 4;

export function describeUnderLoad(bench: () => Installation): void {
  describe("two servers under load, of which either is killed again and again", () => {
    it(`lose no acknowledged message of ${threads} threads in ${rounds} kills, and answer each once`, async () => {
      const installation = bench();
      installation.models.always(
        replyTo({ count: python("open('count', 'a').write('x'); print('counted')") }),
      );
      const servers = await startTwo(installation);
      const users = await Promise.all(
        Array.from({ length: threads }, (_, index) => ThreadUser.create(serverOf(servers, index).url)),
      );
      const acknowledged = new Map<ThreadUser, string[]>(users.map((user) => [user, []]));

      for (let round = 1; round <= rounds; round += 1) {
        // From the other side than the thread was made on, every second time.
        users.forEach((user, index) => user.moveTo(serverOf(servers, index + round).url));
        const killAfter = Math.ceil(Math.random() * threads * messagesEach * 0.6);
        let taken = 0;
        const enough = Promise.withResolvers<void>();
        const talk = async (user: ThreadUser, isPatient: boolean) => {
          for (let number = 1; number <= messagesEach; number += 1) {
            const message = `count ${round}.${number}`;
            if (isPatient) {
              await user.ask(message);
            } else {
              const stream = await user.send(message);
              await stream.until("message");
              stream.close();
            }
            acknowledged.get(user)?.push(message);
            if (++taken >= killAfter) enough.resolve();
          }
        };
        const talking = users.map((user, index) => talk(user, index % 3 === 0).catch(() => {}));
        await Promise.race([enough.promise, Promise.all(talking)]);
        // At any place within what the server does next.
        await wait(Math.random() * 20);
        const doomed = round % 2;
        await serverOf(servers, doomed).kill();
        servers[doomed] = await installation.start();
        await Promise.all(talking);
      }

      users.forEach((user, index) => user.moveTo(serverOf(servers, index).url));
      for (const user of users) {
        await user.untilIdle();
        const log = await user.log();
        expectWholeLog(log);
        const texts = log.filter((event) => event.type === "message").map((event) => event.text);
        expect(new Set(texts).size).toBe(texts.length);
        expect(texts).toEqual(expect.arrayContaining(acknowledged.get(user) ?? []));
        const { message_count } = await user.client.threads.status(user.threadId);
        expect(message_count).toBe(texts.length);
      }

      // Every thread is had once: by the servers' own word as by Redis'.
      const own = async () =>
        (await Promise.all(servers.map(countLeases))).reduce((sum, count) => sum + count, 0);
      await expect.poll(own, { timeout: 20_000 }).toBe(threads);
      expect(countInRedis(installation)).toBe(threads);

      await Promise.all(users.map((user) => user.client.threads.remove(user.threadId)));
      const listed = await Sandbox.list({ dataDir: installation.folder.path });
      const ids = users.map((user) => user.threadId);
      expect(listed.filter(({ id }) => ids.includes(id)).map(({ id, state }) => [id, state])).toEqual([]);
    }, 240_000);
  });
}

function serverOf(servers: readonly ServerProcess[], index: number): ServerProcess {
  const server = servers[index % servers.length];
  if (!server) throw new Error("there is always a server");
  return server;
}

function countInRedis({ redis }: Installation): number {
  const listed = execFileSync("redis-cli", ["-u", redis.url, "--scan", "--pattern", "atoll:lease:thread:*"]);
  return String(listed).split("\n").filter(Boolean).length;
}
