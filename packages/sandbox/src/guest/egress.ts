import type { EgressOptions, NetworkPolicy } from "../contract/network.ts";
import { AtollError } from "../errors.ts";
import { EgressProxy } from "../network/proxy.ts";
import type { GuestLink } from "./wire/guest.ts";

const takeTimeoutMs = 30_000;
const openTimeoutMs = 30_000;

/** Serves the connections that programs inside make to the proxy's address, as long as it is open. */
export async function openEgress(
  dial: () => Promise<GuestLink>,
  policy: NetworkPolicy,
  options: EgressOptions = {},
): Promise<{ close(): Promise<void> }> {
  const proxy = new EgressProxy(policy, options);
  const connection = await dial();
  const listening = Promise.withResolvers<void>();
  const late = new AtollError("timeout", `the sandbox's network did not open within ${openTimeoutMs} ms`);
  const timer = setTimeout(() => listening.reject(late), openTimeoutMs);
  const take = async (id: number) => {
    const stream = await dial();
    try {
      proxy.accept(await stream.callForStream("egress.take", { id }, { timeoutMs: takeTimeoutMs }));
    } catch {
      // The program inside has given up, or the sandbox has ended.
      await stream.close();
    }
  };
  const close = async () => {
    proxy.close();
    await connection.close();
  };
  connection
    .call(
      "egress.listen",
      {},
      {
        isBackground: true,
        onEvent: ({ name, data }) => {
          if (name === "listening") listening.resolve();
          else take(Number(data["id"])).catch(() => {});
        },
      },
    )
    .catch((error: unknown) => {
      listening.reject(error);
      proxy.close();
    });
  try {
    await listening.promise;
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return { close };
}
