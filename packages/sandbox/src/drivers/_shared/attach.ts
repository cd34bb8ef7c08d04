import type { AttachOptions, SandboxListing } from "../../contract/driver.ts";
import type { CreateOptions, SandboxHandle, SandboxInfo } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { type GuestCall, GuestConnection } from "../../guest/wire/connection.ts";
import { type GuestHost, GuestSandbox } from "../../guest/sandbox.ts";
import { checkFence } from "./create-options.ts";
import type { Layout } from "./layout.ts";
import { connectTo, isNobodyThere, isQueueFull } from "./socket.ts";
import { nameMachine } from "./machine-name.ts";

/** Sandboxes that live on this machine with their folder in a layout and a guest behind its socket. */
export async function attachResident(
  layout: Layout,
  id: string,
  create: Create,
  options: AttachOptions = {},
): Promise<SandboxHandle> {
  const info = await layout.readInfo(id);
  if (!info) throw new AtollError("not_found", `no sandbox ${id} in ${layout.root}`);
  const { fence, signal, timeoutMs } = options;
  if (fence !== undefined) checkFence(fence);
  const greeting = dial(layout, id).then((guest) => greet(guest, fence, { signal, timeoutMs }));
  const connection = await greeting.catch(async (cause: unknown) => {
    const hangs = timeoutMs === undefined && cause instanceof AtollError && cause.code === "timeout";
    if (!hangs || !(await layout.kill(id))) throw cause;
    const message = `the sandbox ${id} answered nobody and was ended; create({ id }) starts it on its files`;
    throw new AtollError("sandbox_dead", message, { cause });
  });
  const sandbox = new GuestSandbox(info, connection, hostOf(layout, info, create, fence));
  return sandbox.joinNetwork(options);
}

export async function listResidents(
  layout: Layout,
  ids?: readonly string[],
): Promise<readonly SandboxListing[]> {
  const listed = await Promise.all(
    (ids ?? (await layout.ids())).map(async (id): Promise<SandboxListing | undefined> => {
      const info = await layout.readInfo(id);
      if (!info) return undefined;
      const state = await stateOf(layout, id);
      const isElsewhere = state === "dead" && (await wasLeftElsewhere(layout, info));
      return { id, info, state, ...(isElsewhere ? { isElsewhere } : {}) };
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

export function hostOf(
  layout: Layout,
  { id }: SandboxInfo,
  create: Create,
  fence: number | undefined,
): GuestHost {
  return {
    dial: async () => {
      const connection = await dial(layout, id);
      return fence === undefined ? connection : greet(connection, fence);
    },
    copies: layout.copies(id),
    createAnother: async (options) => create({ datasets: await layout.placedDatasets(id), ...options }),
    saveInfo: (info) => layout.writeInfo(info),
    kill: () => layout.kill(id),
    cleanUp: ({ keepFiles }) => layout.remove(id, keepFiles),
  };
}

/** Whoever ends a sandbox in order takes its socket away. */
async function wasLeftElsewhere(layout: Layout, { id, machine }: SandboxInfo): Promise<boolean> {
  return machine !== undefined && machine !== nameMachine() && (await layout.hasSocket(id));
}

const helloTimeoutMs = 30_000;

/** Says who comes. A connection that is refused does not hold the sandbox. */
export async function greet(
  connection: GuestConnection,
  fence: number | undefined,
  options: GuestCall = {},
): Promise<GuestConnection> {
  try {
    await connection.call("hello", fence === undefined ? {} : { fence }, {
      ...options,
      timeoutMs: options.timeoutMs ?? helloTimeoutMs,
    });
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
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
    if (isQueueFull(cause))
      throw new AtollError("timeout", `the sandbox ${id} takes no connection`, { cause });
    if (!isNobodyThere(cause))
      throw new AtollError("unavailable", `the sandbox ${id} cannot be reached; try again`, { cause });
    throw new AtollError(
      "sandbox_dead",
      `the sandbox ${id} is not running; create({ id }) starts it on its files`,
      { cause },
    );
  }
}
