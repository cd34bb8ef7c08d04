import { execFileSync } from "node:child_process";
import { Sandbox } from "@atoll/sandbox";
import { describe, expect, it } from "vitest";
import { python } from "../../server/conversation/bench.ts";
import { replyTo } from "../../server/killed/bench.ts";
import { Crowd } from "../../support/crowd.ts";
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
      const crowd = new Crowd(users);

      for (let round = 1; round <= rounds; round += 1) {
        // From the other side than the thread was made on, every second time.
        users.forEach((user, index) => user.moveTo(serverOf(servers, index + round).url));
        const messages = Array.from({ length: messagesEach }, (_, at) => `count ${round}.${at + 1}`);
        const { strike, ended } = crowd.talk(messages, 0.6);
        await strike;
        const doomed = round % 2;
        await serverOf(servers, doomed).kill();
        servers[doomed] = await installation.start();
        await ended;
      }

      users.forEach((user, index) => user.moveTo(serverOf(servers, index).url));
      for (const user of users) {
        await user.untilIdle();
        const log = await user.log();
        expectWholeLog(log);
        const texts = log.filter((event) => event.type === "message").map((event) => event.text);
        expect(new Set(texts).size).toBe(texts.length);
        expect(texts).toEqual(expect.arrayContaining([...crowd.acknowledgedOf(user)]));
        const { message_count } = await user.client.threads.status(user.threadId);
        expect(message_count).toBe(texts.length);
      }

      // Every thread is had once: by the servers' own word as by Redis'.
      const own = async () =>
        (await Promise.all(servers.map(countLeases))).reduce((sum, count) => sum + count, 0);
      await expect.poll(own).toBe(threads);
      expect(countInRedis(installation)).toBe(threads);

      await Promise.all(users.map((user) => user.client.threads.remove(user.threadId, { now: true })));
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
