/**
 * What the scripted server sends for one request, as a list of pieces:
 *
 *   reply(text("Hel"), text("lo"), finish("stop"))      // usage and [DONE] follow by themselves
 *   answer("Hello there")                               // one token a word
 *   reply(toolCall("execute_python", { code: "1+1" }), finish("tool_calls"))
 *   reply(text("a"), waitFor(gate), text("b"), cut())   // the test opens the gate; then the connection breaks
 *   failure(429, { headers: { "retry-after": "0" } })
 */
export type Reply = Failure | Stream;

export interface Failure {
  readonly kind: "failure";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Stream {
  readonly kind: "stream";
  readonly pieces: readonly Piece[];
  /** Writes the bytes in parts of this size, each a chunk of its own, wherever that falls. */
  readonly chunkBytes?: number;
}

export type Piece =
  | { readonly kind: "delta"; readonly delta: Readonly<Record<string, unknown>> }
  | { readonly kind: "finish"; readonly reason: string }
  | { readonly kind: "usage"; readonly input: number; readonly output: number }
  | { readonly kind: "raw"; readonly bytes: string }
  | { readonly kind: "gate"; readonly gate: Gate }
  | { readonly kind: "cut" }
  | { readonly kind: "end" };

export function reply(...pieces: readonly (Piece | readonly Piece[])[]): Stream {
  return { kind: "stream", pieces: pieces.flat() };
}

/** The same reply in chunks of so many bytes: splits JSON, UTF-8 characters and SSE frames. */
export function inChunks(bytes: number, stream: Stream): Stream {
  return { ...stream, chunkBytes: bytes };
}

/** A whole answer, one token a word. */
export function answer(words: string): Stream {
  return reply((words.match(/\s*\S+\s*?/g) ?? []).map(text), finish("stop"));
}

export function text(content: string): Piece {
  return { kind: "delta", delta: { content } };
}

/** What a model thinks, in the field that most compatible servers use. */
export function thought(content: string): Piece {
  return { kind: "delta", delta: { reasoning_content: content } };
}

/** A call with its arguments in many deltas. `args` may be text, to send what is not JSON. */
export function toolCall(
  name: string,
  args: unknown,
  {
    index = 0,
    id = `call_${index}`,
    partChars = 4,
  }: { index?: number; id?: string; partChars?: number } = {},
): Piece[] {
  const json = typeof args === "string" ? args : JSON.stringify(args);
  const call = (fields: object): Piece => ({ kind: "delta", delta: { tool_calls: [{ index, ...fields }] } });
  return [
    call({ id, type: "function", function: { name, arguments: "" } }),
    ...splitEvery(json, partChars).map((part) => call({ function: { arguments: part } })),
  ];
}

/** Several calls of one message, their deltas taking turns. */
export function toolCalls(...calls: readonly { name: string; args: unknown }[]): Piece[] {
  const each = calls.map(({ name, args }, index) => toolCall(name, args, { index }));
  const longest = Math.max(...each.map((pieces) => pieces.length));
  return Array.from({ length: longest }, (_, at) => each.flatMap((pieces) => pieces[at] ?? [])).flat();
}

export function finish(reason: "stop" | "tool_calls" | "length" | "content_filter"): Piece {
  return { kind: "finish", reason };
}

/** Instead of the usual count of tokens (7 in, 3 out). */
export function usage(input: number, output: number): Piece {
  return { kind: "usage", input, output };
}

/** Bytes as they are, e.g. a frame that is not JSON. */
export function raw(bytes: string): Piece {
  return { kind: "raw", bytes };
}

/** Breaks the connection. */
export function cut(): Piece {
  return { kind: "cut" };
}

/** Ends the body in good order, but without a finish reason and without [DONE]. */
export function endEarly(): Piece {
  return { kind: "end" };
}

export function waitFor(gate: Gate): Piece {
  return { kind: "gate", gate };
}

/** Never continues: the client has to give up. */
export function stall(): Piece {
  return waitFor(createGate());
}

export function failure(
  status: number,
  {
    message = `scripted ${status}`,
    code = null,
    headers = {},
  }: {
    message?: string;
    code?: string | null;
    headers?: Readonly<Record<string, string>>;
  } = {},
): Failure {
  return {
    kind: "failure",
    status,
    headers,
    body: { error: { message, type: "scripted", param: null, code } },
  };
}

export function contextTooLong(): Failure {
  const message =
    "This model's maximum context length is 8192 tokens. Please reduce the length of the messages.";
  return failure(400, { message, code: "context_length_exceeded" });
}

/** Where a reply waits until the test lets it go on. */
export interface Gate {
  readonly opened: Promise<void>;
  /** Resolves when a reply has come to it. */
  readonly reached: Promise<void>;
  open(): void;
  reach(): void;
}

export function createGate(): Gate {
  const opened = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  return { opened: opened.promise, reached: reached.promise, open: opened.resolve, reach: reached.resolve };
}

function splitEvery(whole: string, size: number): string[] {
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
    whole.slice(at * size, (at + 1) * size),
  );
}
