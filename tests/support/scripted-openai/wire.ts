import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Gate, Piece, Reply, Stream } from "./replies.ts";
import type { ReceivedRequest } from "./server.ts";

/** Puts a reply on the wire as OpenAI's chat API does. */
export async function sendReply(
  reply: Reply,
  { body, closed }: ReceivedRequest,
  response: ServerResponse,
): Promise<void> {
  if (reply.kind === "failure") {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify(reply.body));
    return;
  }
  if (body.stream) return streamPieces(reply, body.model, closed, response);
  for (const piece of reply.pieces) if (piece.kind === "gate") await passGate(piece.gate, closed);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(assemble(reply, body.model)));
}

async function streamPieces(
  { pieces, chunkBytes }: Stream,
  model: string,
  closed: Promise<unknown>,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  const write = async (bytes: string) => {
    const whole = Buffer.from(bytes);
    const size = chunkBytes ?? whole.length;
    for (let at = 0; at < whole.length; at += size) {
      response.write(whole.subarray(at, at + size));
      if (chunkBytes) await nextTurn();
    }
  };
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (piece.kind === "gate") {
      await passGate(piece.gate, closed);
    } else if (piece.kind === "cut") {
      // What was written before has to leave first, or the client would see nothing of it.
      await new Promise<void>((resolve) => void response.write("", () => resolve()));
      response.destroy();
      return;
    } else if (piece.kind === "end") {
      response.end();
      return;
    } else {
      await write(toFrame(piece, model));
    }
  }
  if (!pieces.some(({ kind }) => kind === "usage")) await write(toFrame(defaultUsage, model));
  await write("data: [DONE]\n\n");
  response.end();
}

async function passGate(gate: Gate, closed: Promise<unknown>): Promise<void> {
  gate.reach();
  await Promise.race([gate.opened, closed]);
}

const defaultUsage = { kind: "usage", input: 7, output: 3 } as const;

type Framed = Exclude<Piece, { kind: "gate" | "cut" | "end" }>;

function toFrame(piece: Framed, model: string): string {
  if (piece.kind === "raw") return piece.bytes;
  const choice =
    piece.kind === "delta"
      ? [{ index: 0, delta: piece.delta, finish_reason: null }]
      : piece.kind === "finish"
        ? [{ index: 0, delta: {}, finish_reason: piece.reason }]
        : [];
  const counts = piece.kind === "usage" ? { usage: toUsage(piece) } : {};
  const chunk = {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model,
    choices: choice,
    ...counts,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** The same reply for a client that does not stream. */
function assemble({ pieces }: Stream, model: string): object {
  const content = pieces
    .map((piece) => (piece.kind === "delta" ? ((piece.delta["content"] as string | undefined) ?? "") : ""))
    .join("");
  const finished = pieces.find((piece) => piece.kind === "finish");
  const counted = pieces.find((piece) => piece.kind === "usage") ?? defaultUsage;
  const calls = assembleCalls(pieces);
  const message = { role: "assistant", content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason: finished?.reason ?? "stop" }],
    usage: toUsage(counted),
  };
}

interface CallDelta {
  index: number;
  id?: string;
  function: { name?: string; arguments: string };
}

function assembleCalls(pieces: readonly Piece[]): object[] {
  const calls: { id: string; type: "function"; function: { name: string; arguments: string } }[] = [];
  for (const piece of pieces) {
    const deltas =
      piece.kind === "delta" ? ((piece.delta["tool_calls"] as CallDelta[] | undefined) ?? []) : [];
    for (const { index, id = "", function: part } of deltas) {
      const call = (calls[index] ??= { id, type: "function", function: { name: "", arguments: "" } });
      call.function.name += part.name ?? "";
      call.function.arguments += part.arguments;
    }
  }
  return calls;
}

function toUsage({ input, output }: { input: number; output: number }): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
