import { joinEnds } from "@atoll/toolkit";
import type { Turn } from "../history.ts";
import { assistantMessage, type Message, userMessage, writeHistory } from "../prompt/messages.ts";
import { hasPictures, limitPictures } from "../prompt/pictures.ts";
import { writeTranscript } from "../prompt/transcript.ts";

const SHORT_OUTPUT_CHARS = 1000;

/** What the model is sent: the system prompt, earlier turns, and the turn under way. Can make itself shorter. */
export class Conversation {
  readonly #system: string;
  #older: readonly Turn[];
  #recent: Message[];
  #current: Message[];
  #shortened = 0;
  #isBlind = false;

  constructor(system: string, history: readonly Turn[], message: string) {
    this.#system = system;
    this.#older = history.slice(0, -1);
    this.#recent = writeHistory(history.slice(-1));
    this.#current = [userMessage(message)];
  }

  get prompt(): Message[] {
    return [
      { role: "system", content: this.#system, providerOptions: cached },
      ...writeHistory(this.#older),
      ...this.#recent,
      ...this.#current,
    ];
  }

  add(...messages: Message[]): void {
    const all = [...this.#current, ...messages];
    this.#current = this.#isBlind ? limitPictures(all, 0) : limitPictures(all);
  }

  /** The model cannot see: from now on there is nothing to see. False when there was nothing. */
  dropPictures(): boolean {
    if (!hasPictures(this.#current)) return false;
    this.#isBlind = true;
    this.#current = limitPictures(this.#current, 0);
    return true;
  }

  /**
   * Called when the model refuses the prompt as too long. First the older turns become a summary, which `summarise`
   * writes; then the last turn goes too and long outputs of this one are cut. False when nothing is left to shorten.
   */
  async shorten(summarise: (transcript: string) => Promise<string | undefined>): Promise<boolean> {
    if (this.#older.length > 0) {
      const summary = await summarise(writeTranscript(this.#older));
      this.#older = [];
      this.#recent = [...noteEarlier(summary), ...this.#recent];
      return true;
    }
    if (this.#shortened > 0) return false;
    this.#shortened += 1;
    this.#recent = this.#recent.length > 0 ? noteEarlier(undefined) : [];
    this.#current = limitPictures(this.#current, 0).map(cutOutputs);
    return true;
  }
}

/** Anthropic keeps a prompt only where it is asked to; the others do so by themselves. */
const cached = { anthropic: { cacheControl: { type: "ephemeral" } } };

function noteEarlier(summary: string | undefined): Message[] {
  const text = summary
    ? `[Summary of the conversation before this point]\n${summary}`
    : "[Earlier turns of this conversation were left out, because they were too long.]";
  return [userMessage(text), assistantMessage("Understood.")];
}

function cutOutputs(message: Message): Message {
  if (message.role !== "tool") return message;
  return {
    ...message,
    content: message.content.map((part) => {
      if (part.type !== "tool-result" || !("value" in part.output) || typeof part.output.value !== "string") {
        return part;
      }
      const value = joinEnds(
        part.output.value,
        SHORT_OUTPUT_CHARS,
        "cut, because the conversation is too long",
      );
      return { ...part, output: { ...part.output, value } } as typeof part;
    }),
  };
}
