import { describe, expect, it } from "vitest";
import { Crowd } from "../../support/crowd.ts";
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
      const crowd = new Crowd(users);

      for (let round = 1; round <= rounds; round += 1) {
        const messages = Array.from({ length: messagesEach }, (_, at) => `round ${round}, message ${at + 1}`);
        const { strike, ended } = crowd.talk(messages, 0.8);
        await strike;
        await server.kill();
        await ended;
        server = await (round === 1 ? restart(start) : start());
        for (const user of users) user.moveTo(server.url);
      }

      for (const user of users) {
        await user.untilIdle();
        const log = await user.log();
        const questions = log.filter((event) => event.type === "message");
        const texts = questions.map(({ text }) => text);
        expect(new Set(texts).size).toBe(texts.length);
        expect(texts).toEqual(expect.arrayContaining([...crowd.acknowledgedOf(user)]));
        const done = log.filter((event) => event.type === "done");
        expect(done.map(({ message_id }) => message_id)).toEqual(
          questions.map(({ message_id }) => message_id),
        );
        const statuses = new Map(done.map(({ message_id, status }) => [message_id, status]));
        for (const { message_id, text } of questions) {
          const isAnswered = crowd.answeredOf(user).includes(text);
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
