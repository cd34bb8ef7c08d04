import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import { failure } from "../../output.ts";
import type { ToolCalls, ToolOutput } from "../../tool.ts";
import { LineSplitter } from "./line-splitter.ts";

const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const MAX_RESULT_CHARS = 4_000_000;
const MAX_AT_ONCE = 16;
const MAX_CALLS = 2000;

const requestSchema = z.strictObject({
  id: z.int().positive(),
  tool: z.string().max(100),
  input: z.record(z.string(), z.unknown()),
});

interface ScriptCallEvents {
  /** Whether a call is under way. */
  onBusy(isBusy: boolean): void;
  /** The other side does not keep to the rules. */
  onViolation(what: string): void;
  /** A defect of this side. */
  onFault(error: unknown): void;
}

/**
 * Answers a script's calls. Nothing of what comes in is trusted: a script that writes its own lines can only ask for
 * what it may ask for anyway, and too long or too many of them end it.
 */
export class ScriptCalls {
  count = 0;
  readonly #calls: ToolCalls;
  readonly #reply: (line: string) => Promise<void>;
  readonly #events: ScriptCallEvents;
  readonly #lines = new LineSplitter(MAX_REQUEST_BYTES);
  readonly #open = new Map<number, Promise<void>>();
  readonly #closing = new AbortController();
  #replies: Promise<void> = Promise.resolve();

  constructor(calls: ToolCalls, reply: (line: string) => Promise<void>, events: ScriptCallEvents) {
    this.#calls = calls;
    this.#reply = reply;
    this.#events = events;
  }

  /** Comes back when there is room for more: until then the script is not read, and waits. */
  async take(bytes: Uint8Array): Promise<void> {
    for (const line of this.#lines.split(bytes)) {
      if (this.#closing.signal.aborted) return;
      this.#begin(line);
      while (this.#open.size >= MAX_AT_ONCE) await Promise.race(this.#open.values());
    }
    if (this.#lines.isOverfull) this.#refuseAll(`a call's arguments are over ${MAX_REQUEST_BYTES} bytes`);
  }

  /** Gives up the calls that are under way. */
  close(): void {
    this.#closing.abort();
  }

  #begin(line: string): void {
    const request = parseRequest(line);
    if (!request || this.#open.has(request.id)) return this.#refuseAll("what came was not a call");
    this.count += 1;
    if (this.count > MAX_CALLS) return this.#refuseAll(`more than ${MAX_CALLS} calls`);
    if (this.#open.size === 0) this.#events.onBusy(true);
    const work = this.#answer(request).finally(() => {
      this.#open.delete(request.id);
      if (this.#open.size === 0 && !this.#closing.signal.aborted) this.#events.onBusy(false);
    });
    this.#open.set(request.id, work);
  }

  async #answer({ id, tool, input }: z.infer<typeof requestSchema>): Promise<void> {
    const output = await this.#call(tool, input);
    if (this.#closing.signal.aborted) return;
    // One after the other: an answer may be larger than what is written in one step.
    this.#replies = this.#replies.then(() => this.#reply(writeAnswer(id, output))).catch(() => this.close());
    await this.#replies;
  }

  async #call(name: string, input: Record<string, unknown>): Promise<ToolOutput> {
    if (!this.#calls.tools.some((tool) => tool.name === name)) return failure(`There is no tool "${name}".`);
    const options = { signal: this.#closing.signal, maxOutputChars: MAX_RESULT_CHARS };
    try {
      return await this.#calls.call(name, input, options);
    } catch (error) {
      if (error instanceof AtollError) return { ...failure(error.message), errorCode: error.code };
      this.close();
      this.#events.onFault(error);
      return failure(`${name} failed.`);
    }
  }

  #refuseAll(what: string): void {
    if (this.#closing.signal.aborted) return;
    this.close();
    this.#events.onViolation(what);
  }
}

function parseRequest(line: string): z.infer<typeof requestSchema> | undefined {
  try {
    return requestSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

const MAX_EXTRA_CHARS = 16_000_000;

/** One line. What is too large beside the text is left out of it. */
function writeAnswer(id: number, { text, isError, errorCode, data, images }: ToolOutput): string {
  const answer = { id, text, isError, errorCode };
  const extras = JSON.stringify({ data, images });
  const whole = extras.length <= MAX_EXTRA_CHARS ? { ...answer, data, images } : answer;
  return `${JSON.stringify(whole)}\n`;
}
