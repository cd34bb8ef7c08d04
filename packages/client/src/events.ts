import { createParser } from "eventsource-parser";
import { watchAnswer } from "@atoll/protocol";
import { AtollApiError } from "./errors.ts";
import type { StoredEvent } from "./generated.ts";
import type { CallOptions, Transport } from "./transport.ts";

export interface FollowOptions extends CallOptions {
  /** Only what came after this event. */
  after?: number;
}

const firstDelayMs = 200;
const longestDelayMs = 5000;

/** A thread's events, each once and in order, across lost connections, until the signal aborts or `isLast` says so. */
export async function* followEvents(
  transport: Transport,
  threadId: string,
  options: FollowOptions = {},
  isLast: (event: StoredEvent) => boolean = () => false,
): AsyncGenerator<StoredEvent, void> {
  const { signal } = options;
  let last = options.after ?? 0;
  let delayMs = firstDelayMs;
  const isGivenUp = () => signal?.aborted === true;
  while (!isGivenUp()) {
    try {
      const headers = { accept: "text/event-stream", "last-event-id": String(last) };
      const response = await transport.send("followEvents", {
        params: { thread_id: threadId },
        headers,
        signal,
      });
      for await (const event of readEvents<StoredEvent>(response)) {
        if (event.id <= last) continue;
        last = event.id;
        delayMs = firstDelayMs;
        yield event;
        if (isLast(event)) return;
      }
    } catch (error) {
      if (isGivenUp()) return;
      if (error instanceof AtollApiError && !error.isRetryable) throw error;
    }
    await pause(delayMs, signal);
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }
}

/** The answer to a message. Once the server has taken the message, a lost connection is made up for. */
export async function* streamAnswer(
  transport: Transport,
  threadId: string,
  message: { message: string; mode?: "queue" | "steer" },
  { signal }: CallOptions = {},
): AsyncGenerator<StoredEvent, void> {
  const isAnswerEnd = watchAnswer();
  const isLast = (event: StoredEvent) => isAnswerEnd({ type: event.type, event });
  const response = await transport.send("streamMessage", {
    params: { thread_id: threadId },
    body: message,
    headers: { accept: "text/event-stream" },
    signal,
  });
  let last = 0;
  try {
    for await (const event of readEvents<StoredEvent>(response)) {
      last = event.id;
      yield event;
      if (isLast(event)) return;
    }
  } catch (error) {
    if (signal?.aborted || last === 0) throw error;
  }
  if (last > 0) yield* followEvents(transport, threadId, { after: last, signal }, isLast);
}

/** The events of one response, as they come in. */
export async function* readEvents<Event>(response: Response): AsyncGenerator<Event, void> {
  const waiting: Event[] = [];
  const parser = createParser({ onEvent: ({ data }) => waiting.push(JSON.parse(data) as Event) });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* waiting.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
