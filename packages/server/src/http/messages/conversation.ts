import type { z } from "zod";
import type { Submitted } from "../../threads/contract.ts";
import { type answerSchema, watchAnswer } from "@atoll/protocol";
import type { Services } from "../services.ts";
import type { HttpContext } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import type { HttpConfig } from "../http-config.ts";
import { readAnswer } from "./view.ts";
import { requireThread } from "../api/route-context.ts";
import type { Channels } from "../sse/channels.ts";
import { pump } from "../sse/pump.ts";

interface Conversation {
  readonly services: Services;
  readonly config: HttpConfig;
  readonly channels: Channels;
}

export interface MessageText {
  readonly message: string;
  readonly mode?: "queue" | "steer" | undefined;
}

export async function submitMessage(
  { services, config }: Conversation,
  threadId: string,
  { message, mode }: MessageText,
): Promise<Submitted> {
  requireThread(services, threadId);
  if (message.length > config.maxInputChars) {
    throw new ApiError(
      "too_large",
      `the message has ${message.length} characters, more than ${config.maxInputChars}`,
      {
        hint: "Send it as a file: POST /upload or POST /thread/{thread_id}/files; or raise MAX_INPUT_CHARS.",
      },
    );
  }
  return services.runner.submit(threadId, { text: message, mode });
}

export async function answerMessage(
  conversation: Conversation,
  threadId: string,
  text: MessageText,
  signal: AbortSignal,
): Promise<z.infer<typeof answerSchema>> {
  const { runner, log } = conversation.services;
  const { messageId } = await submitMessage(conversation, threadId, text);
  const done = await runner.waitForDone(threadId, messageId, signal);
  const types = ["result", "artifact", "error"] as const;
  return readAnswer(done, log.read(threadId, { runId: done.run_id, types }));
}

export async function streamAnswer(
  conversation: Conversation,
  c: HttpContext,
  threadId: string,
  text: MessageText,
): Promise<Response> {
  const { messageId, eventId } = await submitMessage(conversation, threadId, text);
  return conversation.channels.start(c, (channel) => {
    const lines = conversation.services.log.followLines(threadId, {
      after: eventId - 1,
      signal: channel.signal,
    });
    return pump(channel, lines, watchAnswer(messageId));
  });
}
