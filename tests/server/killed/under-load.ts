import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ServerProcess } from "../../support/server-process.ts";
import { answer as say } from "../../support/scripted-openai/index.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import type { Bench } from "./bench.ts";

const threads = 30;
const rounds = 3;
const messagesEach = 6;

export function describeUnderLoad(bench: () => Bench): void {
  describe("a server that is killed while many send messages", () => {
    it(`loses no acknowledged message of ${threads} threads in ${rounds} kills, and answers each once`, async () => {
      const { models, start } = bench();
      models.always(say("All done."));
      let server = await start();
      const users = await Promise.all(Array.from({ length: threads }, () => ThreadUser.create(server.url)));
      const acknowledged = new Map<ThreadUser, string[]>(users.map((user) => [user, []]));
      const answered = new Map<ThreadUser, string[]>(users.map((user) => [user, []]));

      for (let round = 1; round <= rounds; round += 1) {
        const killAfter = Math.ceil(Math.random() * threads * messagesEach * 0.8);
        let taken = 0;
        const enough = Promise.withResolvers<void>();
        const talk = async (user: ThreadUser, isPatient: boolean) => {
          for (let number = 1; number <= messagesEach; number += 1) {
            const message = `round ${round}, message ${number}`;
            if (isPatient) {
              await user.ask(message);
              answered.get(user)?.push(message);
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
        await server.kill();
        await Promise.all(talking);
        server = await (round === 1 ? restart(start) : start());
        for (const user of users) user.moveTo(server.url);
      }

      for (const user of users) {
        await user.untilIdle();
        const log = await user.log();
        const questions = log.filter((event) => event.type === "message");
        const texts = questions.map(({ text }) => text);
        expect(new Set(texts).size).toBe(texts.length);
        expect(texts).toEqual(expect.arrayContaining(acknowledged.get(user) ?? []));
        const done = log.filter((event) => event.type === "done");
        expect(done.map(({ message_id }) => message_id)).toEqual(
          questions.map(({ message_id }) => message_id),
        );
        const statuses = new Map(done.map(({ message_id, status }) => [message_id, status]));
        for (const { message_id, text } of questions) {
          const isAnswered = answered.get(user)?.includes(text);
          expect(statuses.get(message_id)).toMatch(isAnswered ? /^completed$/ : /^(completed|interrupted)$/);
        }
        const ids = log.map(({ id }) => id);
        expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
        const { message_count } = await user.client.threads.status(user.threadId);
        expect(message_count).toBe(questions.length);
      }
    }, 240_000);
  });
}

/** The first attempt is killed as soon as it answers: in the middle of closing what the one before left. */
async function restart(start: () => Promise<ServerProcess>): Promise<ServerProcess> {
  const doomed = await start();
  await doomed.kill();
  return start();
}
