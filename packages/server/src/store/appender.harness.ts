// A server's store in a process of its own, to be killed: `appender.ts <dataDir> work|hold [databaseUrl]`.
import { openStore } from "./open.ts";

const [, , dataDir = "", task, databaseUrl] = process.argv;
const store = await openStore({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
const tell = (text: string) => process.send?.(text);
// Lives as long as whoever started it, and not only while it has something to do.
process.on("disconnect", () => process.exit());

if (task === "work") await Promise.all([appendForEver(), uploadForEver()]);
else tell("ready");

async function appendForEver(): Promise<void> {
  const threadId = "thread_killed";
  if (!(await store.ownership.takeOver(threadId))) await store.threads.create({ id: threadId, fileIds: [] });
  for (let n = 0; ; n += 1) {
    const messageId = `${process.pid}-${n}`;
    const event = {
      type: "message",
      message_id: messageId,
      role: "user",
      text: messageId,
      mode: "queue",
    } as const;
    void store.log.append(threadId, [{ event: { type: "token", text: "between" } }]);
    const [stored] = await store.log.append(threadId, [{ event }], { isDurable: true });
    tell(`message ${stored?.id} ${messageId}`);
  }
}

async function uploadForEver(): Promise<void> {
  for (let n = 0; ; n += 1) {
    const record = await store.uploads.receive(`file ${n}`, makeContent(n), { maxBytes: 1e9 });
    tell(`upload ${record.fileId} ${record.sha256}`);
  }
}

async function* makeContent(n: number): AsyncGenerator<Uint8Array> {
  for (let block = 0; block < 16; block += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    yield Buffer.alloc(64 * 1024, n + block);
  }
}
