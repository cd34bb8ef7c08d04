// Drives Chromiums that were taken over, each of which lies once, and prints how each connection ended.
import { duplexPair } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";
import { createPipeTransport } from "./pipe-transport.ts";

const events = [
  ["", "Target.attachedToTarget"],
  ["", "Target.detachedFromTarget"],
  ["", "Browser.downloadWillBegin"],
  ["", "Browser.downloadProgress"],
  ["s1", "Page.frameAttached"],
  ["s1", "Page.frameNavigated"],
  ["s1", "Page.javascriptDialogOpening"],
  ["s1", "Page.fileChooserOpened"],
  ["s1", "Page.lifecycleEvent"],
  ["s1", "Runtime.executionContextCreated"],
  ["s1", "Runtime.consoleAPICalled"],
  ["s1", "Runtime.exceptionThrown"],
  ["s1", "Runtime.bindingCalled"],
  ["s1", "Network.requestWillBeSent"],
  ["s1", "Network.responseReceived"],
  ["s1", "Network.webSocketCreated"],
  ["s1", "Log.entryAdded"],
  ["s1", "Target.attachedToTarget"],
] as const;

const wrong = [
  undefined,
  {},
  null,
  1,
  { targetInfo: null, request: null, frame: 5, args: {}, entry: 0 },
] as const;

const targetInfo = {
  targetId: "t1",
  type: "page",
  url: "",
  title: "",
  attached: true,
  browserContextId: "c",
};
const answers: Readonly<Record<string, object>> = {
  "Browser.getVersion": { product: "Chrome/140.0", userAgent: "x", revision: "1" },
  "Target.getTargetInfo": { targetInfo: { ...targetInfo, type: "browser" } },
  "Target.attachToBrowserTarget": { sessionId: "s2" },
  "Page.getFrameTree": { frameTree: { frame: { id: "t1", loaderId: "l", url: "about:blank" } } },
};

/** Answers what playwright needs for its start, then says one thing that it does not expect. */
async function drive(lie: object): Promise<string> {
  const [near, far] = duplexPair();
  const send = (message: object) => void far.write(`${JSON.stringify(message)}\0`);
  let text = "";
  far.on("error", () => {});
  far.on("data", (chunk: Buffer) => {
    const [rest, ...lines] = `${text}${chunk}`.split("\0").toReversed();
    text = rest ?? "";
    for (const line of lines.toReversed()) {
      const { id, method, sessionId } = JSON.parse(line) as {
        id: number;
        method: string;
        sessionId?: string;
      };
      send({ id, ...(sessionId ? { sessionId } : {}), result: answers[method] ?? {} });
      if (method === "Target.setAutoAttach" && !sessionId)
        send({ method: "Target.attachedToTarget", params: { sessionId: "s1", targetInfo } });
    }
  });
  const connection = await chromium.connectOverCDP(createPipeTransport(near), { timeout: 20_000 });
  send(lie);
  // Until it has come: a question, asked after it, is answered.
  const session = await connection.newBrowserCDPSession().catch(() => undefined);
  await Promise.race([session?.send("Browser.getVersion").catch(() => {}), sleep(2000)]);
  const isLeft = connection.isConnected();
  await Promise.race([connection.close(), sleep(2000)]);
  return isLeft ? "connected" : "ended";
}

const lies = [
  ...events.flatMap(([sessionId, method]) =>
    wrong.map((params) => ({ method, ...(sessionId ? { sessionId } : {}), params })),
  ),
  { id: 99_999, result: {} },
  { id: 99_999, error: null },
  { id: 1, sessionId: "s1", error: {} },
];
const ends: Record<string, number> = {};
await Promise.all(
  lies.map(async (lie) => {
    const end = await drive(lie).catch((error: unknown) => `failed: ${String(error).slice(0, 200)}`);
    ends[end] = (ends[end] ?? 0) + 1;
  }),
);
console.log(JSON.stringify({ lies: lies.length, ends }));
process.exit(0);
