/** Things that exist on the server, so that requests reach what lies behind the checks. */
export class LiveObjects {
  readonly fileId: string;
  /** A thread with a history, an image and files, which no request removes. */
  readonly threadId: string;
  /** Of a message in it that was answered. */
  readonly messageId: string;
  readonly imageHash: string;
  readonly sandboxId: string;
  readonly commandId: string;
  /** A thread whose kernel is only looked at. */
  readonly desk: LiveDesk;
  /** Where code is run, and files are given. */
  readonly #busyThreadId: string;
  /** Its model and approvals change, so that its answers could wait for an approval, and its sandbox is suspended. */
  readonly #restlessThreadId: string;
  /** It is left, and ends some time after. */
  readonly #temporaryThreadId: string;
  /** It is paused now and then. */
  readonly #restlessSandboxId: string;
  readonly #doomed: Readonly<Record<string, Record<string, string>[]>>;

  constructor(objects: LiveObjectsMade) {
    this.fileId = objects.fileId;
    this.threadId = objects.threadId;
    this.messageId = objects.messageId;
    this.imageHash = objects.imageHash;
    this.sandboxId = objects.sandboxId;
    this.commandId = objects.commandId;
    this.desk = objects.desk;
    this.#busyThreadId = objects.busyThreadId;
    this.#restlessThreadId = objects.restlessThreadId;
    this.#restlessSandboxId = objects.restlessSandboxId;
    this.#temporaryThreadId = objects.temporaryThreadId;
    this.#doomed = objects.doomed;
  }

  /** The parameters of an address that leads to something. Each thing to be used up is given once. */
  address(operationId: string): Readonly<Record<string, string>> {
    const standing = {
      thread_id: this.threadId,
      file_id: this.fileId,
      sandbox_id: this.sandboxId,
      hash: this.imageHash,
      command_id: this.commandId,
      message_id: "gone",
      approval_id: "gone",
      kind: "evict",
      context: "gone",
      table_id: this.desk.tableId,
      terminal_id: this.desk.terminalId,
      share_id: this.desk.shareId,
      name: "gone",
    };
    if (
      /(Table|Tables|TableRows|TableCsv|Terminal|Terminals|Variables)$|^getFileTable$/.test(operationId) &&
      !this.#doomed[operationId]
    )
      return { ...standing, thread_id: this.desk.threadId };
    if (operationId.startsWith("getSharedBlob")) return { ...standing, hash: this.desk.imageHash };
    if (/^(runCode|addThreadData|restartKernel|interruptKernel)$/.test(operationId))
      return { ...standing, thread_id: this.#busyThreadId };
    if (/^(update|rest|wake)Thread$/.test(operationId))
      return { ...standing, thread_id: this.#restlessThreadId };
    if (/^(upload|add)ThreadData$/.test(operationId))
      return { ...standing, thread_id: this.#restlessThreadId };
    if (operationId === "leaveThread") return { ...standing, thread_id: this.#temporaryThreadId };
    if (/^(pause|resume)/.test(operationId)) return { ...standing, sandbox_id: this.#restlessSandboxId };
    const doomed = this.#doomed[operationId];
    if (!doomed) return standing;
    return {
      ...standing,
      thread_id: "gone",
      file_id: "gone",
      command_id: "gone",
      share_id: "gone",
      terminal_id: "gone",
      ...(operationId === "deleteSandbox" ? { sandbox_id: "gone" } : {}),
      ...doomed.shift(),
    };
  }
}

export interface LiveDesk {
  readonly threadId: string;
  readonly tableId: string;
  readonly terminalId: string;
  readonly shareId: string;
  /** That the share shows. */
  readonly imageHash: string;
}

export interface LiveObjectsMade {
  readonly fileId: string;
  readonly threadId: string;
  readonly messageId: string;
  readonly imageHash: string;
  readonly sandboxId: string;
  readonly commandId: string;
  readonly desk: LiveDesk;
  readonly busyThreadId: string;
  readonly restlessThreadId: string;
  readonly restlessSandboxId: string;
  readonly temporaryThreadId: string;
  /** By operation: what its calls may use up. */
  readonly doomed: Readonly<Record<string, Record<string, string>[]>>;
}

/** Of the workspace of the thread and of the sandbox. */
const KNOWN_PATHS = ["notes.txt", "/workspace/sub", "sub/你好 räka.txt", "empty", "/workspace", "."];
/** Only in the sandbox: what code in it may leave for a reader. */
const ODD_PATHS = ["link", "loop", "pipe", "outside", "closed", "odd\nname", "big.bin"];
export const sandboxPaths = [
  ...KNOWN_PATHS,
  ...ODD_PATHS,
  "/data",
  "/proc/self/environ",
  "/dev/zero",
  "/etc/passwd",
];
/** What requests that write and remove play with. */
export const scratchPaths = Array.from({ length: 12 }, (_, index) => `scratch/${index}.txt`);

/** Creates them all with good requests, which thereby are tested. */
export async function makeLiveObjects(url: string): Promise<LiveObjects> {
  const fileIds = await upload(url, "/upload", ["a.csv", "b.csv", "c.csv", "d.csv", "e.csv", "f.csv"]);
  const [fileId = "", ...doomedFiles] = fileIds.map((file) => file["file_id"] ?? "");
  const newThread = async (approvals = "off") => {
    const body = { file_ids: [fileId], model: "built-in", approvals };
    return (await post<{ thread_id: string }>(url, "/thread/new", body)).thread_id;
  };
  const threadId = await newThread();
  const answer = await post<{ message_id: string; results: { kind: string; url?: string }[] }>(
    url,
    `/thread/${threadId}/message`,
    {
      message: "bar chart of total sales by city",
    },
  );
  const imageUrl = answer.results.find(({ kind }) => kind === "image")?.url ?? "";
  await upload(url, `/thread/${threadId}/files`, KNOWN_PATHS.slice(0, 1));
  await upload(
    url,
    `/thread/${threadId}/files?path=scratch`,
    scratchPaths.map((path) => path.slice(8)),
  );
  await upload(url, `/thread/${threadId}/files?path=sub`, ["你好 räka.txt"]);
  await fetch(`${url}/thread/${threadId}/files/content?path=empty`, { method: "PUT", body: "" });

  const newSandbox = async () => (await post<{ sandbox_id: string }>(url, "/sandboxes", {})).sandbox_id;
  const sandboxId = await newSandbox();
  await post(url, `/sandboxes/${sandboxId}/python`, { code: FURNISHING });
  await post(url, `/sandboxes/${sandboxId}/snapshot`, {});
  const spawn = async () => {
    const body = { command: "echo started; exec sleep 600", background: true };
    return (await post<{ command_id: string }>(url, `/sandboxes/${sandboxId}/commands`, body)).command_id;
  };
  const newContext = async (name: string) => {
    await post(url, `/sandboxes/${sandboxId}/contexts`, { name });
    return { sandbox_id: sandboxId, context: name };
  };
  const desk = await makeDesk(url, await newThread());
  const waiting = await Promise.all([1, 2, 3].map(async () => makeWaitingThread(url, await newThread("on"))));
  return new LiveObjects({
    fileId,
    threadId,
    messageId: answer.message_id,
    imageHash: imageUrl.split("/").at(-1) ?? "",
    sandboxId,
    commandId: await spawn(),
    desk,
    busyThreadId: await newThread(),
    restlessThreadId: await newThread(),
    restlessSandboxId: await newSandbox(),
    temporaryThreadId: (await post<{ thread_id: string }>(url, "/thread/new", { temporary: true })).thread_id,
    doomed: {
      deleteUpload: doomedFiles.map((id) => ({ file_id: id })),
      deleteThread: [{ thread_id: await newThread() }, { thread_id: await newThread() }],
      restoreThread: [await trash(url, await newThread()), await trash(url, await newThread())],
      purgeThread: [await trash(url, await newThread()), await trash(url, await newThread())],
      deleteSandbox: [{ sandbox_id: await newSandbox() }, { sandbox_id: await newSandbox() }],
      deleteContext: [await newContext("first"), await newContext("second")],
      closeTerminal: [await openTerminal(url, desk.threadId), await openTerminal(url, desk.threadId)],
      deleteShare: [await share(url, desk.threadId), await share(url, desk.threadId)],
      deleteVariable: ["one", "two"].map((name) => ({ thread_id: desk.threadId, name })),
      killCommand: [{ command_id: await spawn() }, { command_id: await spawn() }],
      withdrawMessage: waiting.map(({ thread_id, message_id }) => ({ thread_id, message_id })),
      decideApproval: waiting.map(({ thread_id, approval_id }) => ({ thread_id, approval_id })),
    },
  });
}

const FURNISHING = `
import os, numpy, pandas
open("notes.txt", "w").write("0123456789" * 10)
os.makedirs("sub"); os.makedirs("closed"); os.makedirs("scratch")
open("sub/你好 räka.txt", "w").write("hej")
open("empty", "w"); open("odd\\nname", "w"); open("big.bin", "wb").write(bytes(1_000_000))
for i in range(12): open(f"scratch/{i}.txt", "w").write(str(i))
os.symlink("notes.txt", "link"); os.symlink("loop", "loop"); os.symlink("/etc/passwd", "outside")
os.mkfifo("pipe"); os.chmod("closed", 0)
df = pandas.DataFrame({"a": [1, 2]}); x = 42
`;

/** A thread with a table, a picture, variables, a terminal and a link to it. */
async function makeDesk(url: string, threadId: string): Promise<LiveDesk> {
  const code = "one = two = 1\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()\ndf";
  const { event_id } = await post<{ event_id: number }>(url, `/thread/${threadId}/code`, { code });
  const stream = await fetch(`${url}/thread/${threadId}/events?after=${event_id}`);
  await readUntil(stream, "done");
  const page = await fetch(`${url}/thread/${threadId}/events?follow=false`);
  const { events } = (await page.json()) as {
    events: { table?: { table_id: string }; image?: { url: string } }[];
  };
  const tableId = events.find(({ table }) => table)?.table?.table_id ?? "";
  const imageHash =
    events
      .find(({ image }) => image)
      ?.image?.url.split("/")
      .at(-1) ?? "";
  const { terminal_id: terminalId = "" } = await openTerminal(url, threadId);
  const { share_id: shareId = "" } = await share(url, threadId);
  return { threadId, tableId, imageHash, terminalId, shareId };
}

async function openTerminal(url: string, threadId: string): Promise<Record<string, string>> {
  const { terminal_id } = await post<{ terminal_id: string }>(url, `/thread/${threadId}/terminals`, {
    cols: 80,
    rows: 24,
  });
  return { thread_id: threadId, terminal_id };
}

async function trash(url: string, threadId: string): Promise<Record<string, string>> {
  const response = await fetch(`${url}/thread/${threadId}`, { method: "DELETE" });
  if (!response.ok) throw new Error(`DELETE ${threadId}: ${response.status} ${await response.text()}`);
  return { thread_id: threadId };
}

async function share(url: string, threadId: string): Promise<Record<string, string>> {
  const { share_id } = await post<{ share_id: string }>(url, `/thread/${threadId}/share`, { is_new: true });
  return { thread_id: threadId, share_id };
}

/** A thread whose run waits for an approval, with a message in the queue behind it. */
async function makeWaitingThread(
  url: string,
  threadId: string,
): Promise<{ thread_id: string; approval_id: string; message_id: string }> {
  const path = `/thread/${threadId}/message/stream`;
  const first = await open(url, path, { message: "total sales by city" });
  const approval = await readUntil(first, "approval");
  const second = await open(url, path, { message: "total sales by day" });
  const message = await readUntil(second, "message");
  return {
    thread_id: threadId,
    approval_id: String(approval["approval_id"]),
    message_id: String(message["message_id"]),
  };
}

async function readUntil(response: Response, type: string): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const data = new RegExp(`^event: ${type}\\ndata: (.*)\\n\\n`, "m").exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data) as Record<string, unknown>;
  }
  throw new Error(`the stream ended without ${type}:\n${text.slice(0, 2000)}`);
}

async function open(url: string, path: string, body: unknown): Promise<Response> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function post<Result>(url: string, path: string, body: unknown): Promise<Result> {
  return (await (await open(url, path, body)).json()) as Result;
}

async function upload(
  url: string,
  path: string,
  names: readonly string[],
): Promise<Record<string, string>[]> {
  const form = new FormData();
  for (const name of names) form.append("files", new Blob(["city,sales\nOslo,1\nBergen,2\n"]), name);
  const response = await fetch(url + path, { method: "POST", body: form });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { files: Record<string, string>[] }).files;
}
