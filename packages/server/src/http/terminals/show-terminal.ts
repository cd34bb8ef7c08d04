import type { Command } from "@atoll/sandbox";
import type { Channel } from "../sse/channel.ts";
import { makeFrame } from "../sse/frames.ts";

/**
 * What a terminal writes, from an offset on, until it ends or the reader goes. An event's id is the offset after it. A
 * reader that reads nothing holds the terminal up, and not our memory.
 */
export async function showTerminal(command: Command, channel: Channel, after: number): Promise<void> {
  const { signal } = channel;
  for await (const { offset, bytes } of command.follow({ stdoutOffset: after, signal })) {
    const data = Buffer.from(bytes).toString("base64");
    channel.send(`id: ${offset + bytes.length}\n${makeFrame("output", { offset, data })}`);
    const ready = channel.ready();
    if (ready) await ready;
    if (signal.aborted) return;
  }
  if (signal.aborted) return;
  const { exitCode } = await command.wait({ signal });
  channel.send(makeFrame("exit", { exit_code: exitCode }));
}
