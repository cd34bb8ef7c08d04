import { randomBytes } from "node:crypto";
import { AtollClient } from "@atoll/client";
import { receive } from "../../support/fuzz/wire.ts";
import { Installation } from "../../support/installation.ts";
import { initialize, postMcp } from "../../support/mcp-client.ts";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { ServerProcess } from "../../support/server-process.ts";

/** What the first server has; the second one is where an attacker asks. */
export interface Belongings {
  readonly threadId: string;
  readonly sandboxId: string;
  /** Of an MCP client, with a sandbox of its own. */
  readonly mcpSessionId: string;
  readonly fileId: string;
  readonly shareId: string;
  /** A program of the thread's sandbox listens here, and answers with the request that it got. */
  readonly previewPort: number;
}

/** Two servers with a token, on one Redis and one Postgres. */
export class TwoServers implements AsyncDisposable {
  readonly installation: Installation;
  readonly token: string;
  readonly first: ServerProcess;
  readonly second: ServerProcess;
  readonly owned: Belongings;

  private constructor(parts: Pick<TwoServers, "installation" | "token" | "first" | "second" | "owned">) {
    this.installation = parts.installation;
    this.token = parts.token;
    this.first = parts.first;
    this.second = parts.second;
    this.owned = parts.owned;
  }

  static async start(): Promise<TwoServers> {
    const installation = await Installation.create("two-servers");
    installation.models.always(say("All done."));
    const token = randomBytes(24).toString("hex");
    const env = { ATOLL_TOKEN: token, ATOLL_LEASE_S: "30", RATE_LIMIT_MAX: "100000" };
    const [first, second] = await Promise.all([installation.start(env), installation.start(env)]);
    const owned = await settle(first.url, token);
    return new TwoServers({ installation, token, first, second, owned });
  }

  /** A command as an attacker gives it who reaches Redis. */
  redis(...command: readonly string[]): string {
    return this.installation.redis.command(...command);
  }

  get authorized(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.installation[Symbol.asyncDispose]();
  }
}

/** Sends these very bytes to a server, and gives all that comes until the connection ends. */
export async function sendBytes(
  { url }: Pick<ServerProcess, "url">,
  lines: readonly string[],
  body = "",
): Promise<string> {
  const bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1");
  const answer = await receive(
    Number(new URL(url).port),
    bytes,
    { isCut: false, deadlineMs: 60_000 },
    () => false,
  );
  return answer.toString("latin1");
}

/** The statuses of the answers, in their order. */
export function statusesOf(answer: string): number[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}

export function chunked(body: string): string {
  return `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

async function settle(url: string, token: string): Promise<Belongings> {
  const client = new AtollClient({ baseUrl: url, token });
  const { thread_id: threadId } = await client.threads.create({ title: "a secret title" });
  await client.threads.send(threadId, "hello");
  const { share_id: shareId } = await client.threads.share(threadId);
  const { sandbox_id: sandboxId } = await client.sandboxes.create();
  const previewPort = 8126;
  await client.sandboxes.runPython(sandboxId, echo(previewPort));
  const [file] = (await client.upload([{ name: "x.csv", content: "a,b\n1,2\n" }])).files;
  const opened = await postMcp(`${url}/mcp`, initialize, { authorization: `Bearer ${token}` });
  await opened.text();
  return {
    threadId,
    sandboxId,
    mcpSessionId: opened.headers.get("mcp-session-id") ?? "",
    fileId: file?.file_id ?? "",
    shareId,
    previewPort,
  };
}

const echo = (port: number) => `
import socket, threading
server = socket.socket()
server.bind(("127.0.0.1", ${port}))
server.listen()
def serve():
    while True:
        client, _ = server.accept()
        head = client.recv(65536)
        client.sendall(b"HTTP/1.1 200 OK\\r\\nX-From: inside\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(head), head))
        client.close()
threading.Thread(target=serve, daemon=True).start()
`;
