import type { LogLine } from "../../store/contract.ts";
import type { Channel } from "./channel.ts";
import { frameOf } from "./frames.ts";

/**
 * Sends a thread's events as they come, up to and with the one that `isLast` names. The next is asked for only when the
 * reader has room, so a reader that reads nothing holds nothing but its socket's buffer.
 */
export async function pump(
  channel: Channel,
  lines: AsyncIterable<LogLine>,
  isLast: (line: LogLine) => boolean = () => false,
): Promise<void> {
  for await (const line of lines) {
    channel.send(frameOf(line));
    if (channel.signal.aborted || isLast(line)) return;
    const ready = channel.ready();
    if (ready) await ready;
  }
}
