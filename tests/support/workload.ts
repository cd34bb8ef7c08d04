import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ThreadUser } from "./thread-user.ts";

interface Upload {
  readonly fileId: string;
  readonly sha256: string;
}

/** A thread with all that was asked of it, and what of that the server has acknowledged. */
class Worker {
  readonly user: ThreadUser;
  readonly messages: string[] = [];
  readonly uploads: Upload[] = [];
  /** By path: what was acknowledged last, and what was sent after it without an answer. */
  readonly writes = new Map<string, { kept?: string; sent: string[] }>();
  count = 0;

  constructor(user: ThreadUser) {
    this.user = user;
  }
}

/** Users who send messages, upload and write files at once, to servers that are ended meanwhile. */
export class Workload {
  readonly #workers: readonly Worker[];
  #acknowledged = { messages: 0, uploads: 0, writes: 0 };
  #ending = new AbortController();
  #underWay: Promise<unknown> = Promise.resolve();
  #onAcknowledged = () => {};

  static async create(url: string, size: number): Promise<Workload> {
    const users = await Promise.all(Array.from({ length: size }, () => ThreadUser.create(url)));
    return new Workload(users);
  }

  private constructor(users: readonly ThreadUser[]) {
    this.#workers = users.map((user) => new Worker(user));
  }

  get acknowledged(): Readonly<Record<"messages" | "uploads" | "writes", number>> {
    return { ...this.#acknowledged };
  }

  moveTo(url: string): void {
    for (const { user } of this.#workers) user.moveTo(url);
  }

  /** Until `end`. What fails is tried again under another name, as by users who do not know what came of it. */
  begin(): void {
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    this.#underWay = Promise.all(this.#workers.map((worker, at) => this.#work(worker, at, signal)));
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await this.#underWay;
  }

  /** At any place within what the server does after so many acknowledgments; however few come, not for ever. */
  async strikeAfter(count: number): Promise<void> {
    const goal = this.#sum() + count;
    const reached = new Promise<void>((resolve) => {
      this.#onAcknowledged = () => this.#sum() >= goal && resolve();
    });
    await Promise.race([reached, wait(15_000)]);
    await wait(Math.random() * 30);
  }

  /** What was acknowledged and is not there, or is there twice: a sentence each. */
  async findLosses(dataDir: string): Promise<string[]> {
    const found = await Promise.all(
      this.#workers.map(async (worker) => [
        ...(await findLostMessages(worker)),
        ...(await findLostUploads(worker, dataDir)),
        ...(await findLostWrites(worker)),
      ]),
    );
    return found.flat();
  }

  /** When all is answered: messages without exactly one `done`. */
  async findUnanswered(): Promise<string[]> {
    const found = await Promise.all(
      this.#workers.map(async ({ user }) => {
        await user.untilIdle();
        const log = await user.log();
        const done = log.filter((event) => event.type === "done").map(({ message_id }) => message_id);
        const asked = log.filter((event) => event.type === "message").map(({ message_id }) => message_id);
        return asked
          .map((id) => [id, done.filter((other) => other === id).length] as const)
          .filter(([, count]) => count !== 1)
          .map(([id, count]) => `${user.threadId}: message ${id} has ${count} done`);
      }),
    );
    return found.flat();
  }

  async #work(worker: Worker, at: number, signal: AbortSignal): Promise<void> {
    const kinds = [this.#send, this.#write, this.#send, this.#upload];
    for (let turn = at; !signal.aborted; turn += 1) {
      try {
        await kinds[turn % kinds.length]?.call(this, worker);
        this.#onAcknowledged();
      } catch {
        // The server is away: it does not help to ask it more often.
        await wait(50);
      }
    }
  }

  async #send(worker: Worker): Promise<void> {
    const text = `message ${++worker.count} of ${worker.user.threadId}`;
    const stream = await worker.user.send(text);
    try {
      await stream.until("message");
    } finally {
      stream.close();
    }
    worker.messages.push(text);
    this.#acknowledged.messages += 1;
  }

  async #write(worker: Worker): Promise<void> {
    const path = `/workspace/note-${worker.count % 3}.txt`;
    const content = `note ${++worker.count}`;
    const known = worker.writes.get(path) ?? { sent: [] };
    known.sent.push(content);
    worker.writes.set(path, known);
    await worker.user.client.threads.files(worker.user.threadId).write(path, content, {
      signal: AbortSignal.timeout(20_000),
    });
    worker.writes.set(path, { kept: content, sent: [] });
    this.#acknowledged.writes += 1;
  }

  async #upload(worker: Worker): Promise<void> {
    const content = randomBytes(1 + ((worker.count * 7919) % 200_000));
    const { files } = await worker.user.client.upload([{ name: `${++worker.count}.bin`, content }]);
    const fileId = files[0]?.file_id ?? "";
    worker.uploads.push({ fileId, sha256: createHash("sha256").update(content).digest("hex") });
    this.#acknowledged.uploads += 1;
  }

  #sum(): number {
    const { messages, uploads, writes } = this.#acknowledged;
    return messages + uploads + writes;
  }
}

async function findLostMessages({ user, messages }: Worker): Promise<string[]> {
  const texts = (await user.log()).filter((event) => event.type === "message").map(({ text }) => text);
  const stored = new Set(texts);
  return [
    ...messages.filter((text) => !stored.has(text)).map((text) => `lost: ${text}`),
    ...(stored.size === texts.length ? [] : [`${user.threadId}: a message is there twice`]),
  ];
}

async function findLostUploads({ user, uploads }: Worker, dataDir: string): Promise<string[]> {
  const losses: string[] = [];
  for (const { fileId, sha256 } of uploads) {
    const record = await user.client.getUpload(fileId).catch(() => undefined);
    const onDisk = await hash(join(dataDir, "server/uploads", fileId));
    if (record?.sha256 !== sha256 || onDisk !== sha256) losses.push(`lost: upload ${fileId}`);
  }
  return losses;
}

async function findLostWrites({ user, writes }: Worker): Promise<string[]> {
  const losses: string[] = [];
  const files = user.client.threads.files(user.threadId);
  for (const [path, { kept, sent }] of writes) {
    if (kept === undefined) continue;
    const found = await files.readText(path).catch((error: unknown) => String(error));
    if (![kept, ...sent].includes(found))
      losses.push(`lost: ${path} of ${user.threadId}: ${found}, not ${kept}`);
  }
  return losses;
}

async function hash(path: string): Promise<string> {
  const hasher = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) hasher.update(chunk as Uint8Array);
    return hasher.digest("hex");
  } catch {
    return "";
  }
}
