import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { failure, type Reply } from "./replies.ts";
import { sendReply } from "./wire.ts";

/**
 * An OpenAI-compatible server on a free port of the loopback, with real HTTP and real SSE framing, that says what a
 * test tells it to:
 *
 *   await using models = await startScriptedOpenAI();
 *   models.script(answer("Hello"), failure(429));   // one for each request to /chat/completions, in order
 *   models.always(answer("Hello"));                 // for those that no script is left for
 *   models.requests[0]?.body.messages               // what it was sent
 *   await models.received(2)                        // until the second request is there
 *
 * Without a script left it answers 500 and says so, which no client takes for an answer.
 */
export interface ScriptedOpenAI extends AsyncDisposable {
  /** For `OPENAI_BASE_URL`. */
  readonly baseUrl: string;
  /** Of /chat/completions, in the order in which they came. */
  readonly requests: readonly ReceivedRequest[];
  script(...replies: readonly Script[]): void;
  always(reply: Script): void;
  /** Scripts that no request has used yet. */
  readonly left: number;
  /** The request of this number, counted from 1, once it is there. */
  received(count: number): Promise<ReceivedRequest>;
  close(): Promise<void>;
}

export type Script = Reply | ((request: ReceivedRequest) => Reply);

export interface ReceivedRequest {
  readonly headers: IncomingMessage["headers"];
  readonly body: ChatRequest;
  /** Resolves when the connection closes; `isComplete` says whether the reply had been sent. */
  readonly closed: Promise<{ isComplete: boolean }>;
}

export interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { function: { name: string; description: string; parameters: unknown } }[];
  readonly tool_choice?: unknown;
}

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

export async function startScriptedOpenAI({ models = ["scripted"] } = {}): Promise<ScriptedOpenAI> {
  const requests: ReceivedRequest[] = [];
  const scripts: Script[] = [];
  const waiters: { count: number; resolve: (request: ReceivedRequest) => void }[] = [];
  let standing: Script = failure(500, { message: "the test has no script left for this request" });

  const chat = async (message: IncomingMessage, response: ServerResponse) => {
    const request: ReceivedRequest = {
      headers: message.headers,
      body: JSON.parse(await readText(message)) as ChatRequest,
      closed: new Promise((resolve) => {
        response.once("close", () => resolve({ isComplete: response.writableFinished }));
      }),
    };
    requests.push(request);
    for (const { count, resolve } of waiters) if (count === requests.length) resolve(request);
    const script = scripts.shift() ?? standing;
    await sendReply(typeof script === "function" ? script(request) : script, request, response);
  };

  const server = createServer((message, response) => {
    // A client that gives up in the middle is no fault of the server.
    response.on("error", () => {});
    if (message.method === "POST" && message.url === "/v1/chat/completions") {
      chat(message, response).catch(() => response.destroy());
      return;
    }
    const isList = message.method === "GET" && message.url === "/v1/models";
    response.writeHead(isList ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isList ? listModels(models) : failure(404).body));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script: (...replies) => void scripts.push(...replies),
    always: (reply) => {
      standing = reply;
    },
    get left() {
      return scripts.length;
    },
    received: (count) =>
      new Promise((resolve) => {
        const known = requests[count - 1];
        if (known) resolve(known);
        else waiters.push({ count, resolve });
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function listModels(names: readonly string[]): object {
  return {
    object: "list",
    data: names.map((id) => ({ id, object: "model", created: 0, owned_by: "tests" })),
  };
}
