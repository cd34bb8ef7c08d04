import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import { readResidentMb } from "../support/resident-memory.ts";
import { answer as say, finish, reply, startScriptedOpenAI, text } from "../support/scripted-openai/index.ts";
import type { ScriptedOpenAI } from "../support/scripted-openai/index.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";
import { modelEnvironment, python } from "./conversation/bench.ts";

let folder: DataFolder;
let models: ScriptedOpenAI;
let server: ServerProcess;
let loris: SlowLoris;

beforeAll(async () => {
  [folder, models] = await Promise.all([DataFolder.create("readers"), startScriptedOpenAI()]);
  server = await folder.start({ env: modelEnvironment(models) });
  loris = dripHeaders(server.url);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await folder[Symbol.asyncDispose]();
  await models.close();
});

const sockets: Socket[] = [];
const memoryMb = () => readResidentMb(server.child.pid);

describe("500 readers of one thread", () => {
  it("get every event of an answer once and in order, and leave nothing behind", async () => {
    const user = await ThreadUser.create(server.url);
    models.script(say("A warm-up."));
    await user.ask("hello");
    const beforeMb = await memoryMb();
    const readers = await Promise.all(Array.from({ length: 500 }, () => user.follow()));
    const words = Array.from({ length: 400 }, (_, at) => `${at} `);
    models.script(reply(...words.map(text), finish("stop")));
    const done = await (await user.send("count")).until("done");
    expect(done.response).toBe(words.join(""));
    await Promise.all(readers.map((reader) => reader.until("done", ({ id }) => id === done.id)));
    const log = (await user.log()).filter(({ id }) => id <= done.id);
    const expected = JSON.stringify(log.map(({ id, type }) => ({ id, type })));
    for (const reader of readers) {
      expect(JSON.stringify(reader.labels)).toBe(expected);
      expect(reader.text).toBe(`A warm-up.${words.join("")}`);
    }
    const growthMb = (await memoryMb()) - beforeMb;
    console.log(`500 readers: ${growthMb.toFixed(0)} MB more`);
    expect(growthMb).toBeLessThan(200);

    for (const reader of readers) reader.close();
    await expect.poll(openStreams).toBe(0);
  });
});

describe("clients that read nothing", () => {
  it("hold up nobody and cost the server little memory while thousands of events come", async () => {
    const user = await ThreadUser.create(server.url);
    const reader = await user.follow();
    const beforeMb = await memoryMb();
    const stuck = await Promise.all(Array.from({ length: 80 }, () => openAndNeverRead(user)));
    await expect.poll(openStreams).toBe(stuck.length + 1);
    const word = `${"word".repeat(500)} `;
    models.script(
      python("for number in range(50_000): print(number)"),
      reply(...Array.from({ length: 3000 }, () => text(word)), finish("stop")),
    );
    const done = await (await user.send("go on")).until("done");
    expect(done.response.length).toBe(word.length * 3000);
    await reader.until("done");
    reader.close();
    const log = await user.log();
    expect(reader.events).toEqual(log.filter(({ id }) => id <= done.id));
    const growthMb = (await memoryMb()) - beforeMb;
    const sizeMb = JSON.stringify(log).length / 2 ** 20;
    console.log(
      `${stuck.length} that read nothing of ${log.length} events, ${sizeMb.toFixed(0)} MB: ${growthMb.toFixed(0)} MB more`,
    );
    // Held for each of them, it would be this much.
    expect(sizeMb * stuck.length).toBeGreaterThan(800);
    expect(growthMb).toBeLessThan(450);
  });

  it("are disconnected after a while, as is one that never ends its headers", async () => {
    // The server waits for 30 s.
    await expect.poll(openStreams, { interval: 250, timeout: 90_000 }).toBe(0);
    expect(await loris.answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});

/** Asks for the thread's events and takes nothing of the answer. */
async function openAndNeverRead(user: ThreadUser): Promise<Socket> {
  const { hostname, port, pathname } = new URL(`${user.url}/events`);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\n\r\n`);
  return socket;
}

async function openStreams(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^atoll_sse_readers (\d+)$/m.exec(metrics)?.[1]);
}

interface SlowLoris {
  /** All that the server said until it closed the connection. */
  readonly answer: Promise<string>;
}

/** A header now and then, and never the last one. */
function dripHeaders(url: string): SlowLoris {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}:${port}\r\n`);
  const drip = setInterval(() => socket.write("X-Drip: 1\r\n"), 500);
  socket.on("error", () => {}).on("close", () => clearInterval(drip));
  return { answer: readText(socket) };
}
