import { posix } from "node:path";
import type { AttachOptions, SandboxListing } from "../../contract/driver.ts";
import type { CreateOptions, SandboxHandle, SandboxInfo } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { GuestConnection } from "../../guest/connection.ts";
import { type GuestHost, GuestSandbox } from "../../guest/sandbox.ts";
import type { Layout } from "./layout.ts";
import { connectTo } from "./socket.ts";

/** Sandboxes that live on this machine with their folder in a layout and a guest behind its socket. */
export async function attachResident(
  layout: Layout,
  id: string,
  create: Create,
  options: AttachOptions = {},
): Promise<SandboxHandle> {
  const info = await layout.readInfo(id);
  if (!info) throw new AtollError("not_found", `no sandbox ${id} in ${layout.root}`);
  const connection = await dial(layout, id);
  await connection.call("hello", {}, { signal: options.signal, timeoutMs: options.timeoutMs });
  return new GuestSandbox(info, connection, hostOf(layout, info, create));
}

export async function listResidents(layout: Layout): Promise<readonly SandboxListing[]> {
  const listed = await Promise.all(
    (await layout.ids()).map(async (id): Promise<SandboxListing | undefined> => {
      const info = await layout.readInfo(id);
      return info && { id, info, state: await stateOf(layout, id) };
    }),
  );
  return listed.filter((entry) => entry !== undefined);
}

export async function refuseIfAlive(layout: Layout, id: string): Promise<void> {
  if ((await stateOf(layout, id)) !== "dead") {
    throw new AtollError("already_exists", `the sandbox ${id} is running: attach to it, or destroy it first`);
  }
}

/** How the driver makes a sandbox, for one that is to have a copy. */
export type Create = (options: CreateOptions) => Promise<SandboxHandle>;

export function hostOf(layout: Layout, { id, paths }: SandboxInfo, create: Create): GuestHost {
  const places = [
    [paths.workspace, "workspace"],
    [paths.session, "session"],
    [paths.outputs, "outputs"],
  ] as const;
  return {
    dial: () => dial(layout, id),
    hostPath(inside) {
      const path = posix.normalize(inside);
      const found = places.find(([prefix]) => path.startsWith(`${prefix}/`));
      return found && posix.join(layout.sandbox(id), found[1], path.slice(found[0].length));
    },
    createAnother: async (options) => create({ datasets: await layout.placedDatasets(id), ...options }),
    cleanUp: ({ keepFiles }) => layout.remove(id, keepFiles),
  };
}

/** One whose guest gives no answer in time holds nobody up: its processes are there, which is what is asked. */
const stateTimeoutMs = 5000;

async function stateOf(layout: Layout, id: string): Promise<SandboxListing["state"]> {
  try {
    const connection = await dial(layout, id);
    try {
      return (
        await connection.call<{ state: SandboxListing["state"] }>("state", {}, { timeoutMs: stateTimeoutMs })
      ).result.state;
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (error instanceof AtollError && error.code === "sandbox_dead") return "dead";
    if (error instanceof AtollError && error.code === "timeout") return "running";
    throw error;
  }
}

async function dial(layout: Layout, id: string): Promise<GuestConnection> {
  try {
    return new GuestConnection(await connectTo(layout.socket(id)));
  } catch (cause) {
    throw new AtollError(
      "sandbox_dead",
      `the sandbox ${id} is not running; create({ id }) starts it on its files`,
      { cause },
    );
  }
}
