import {
  AtollError,
  type AttachOptions,
  type CreateOptions,
  type EgressOptions,
  type NetworkPolicy,
  Sandbox,
  type SandboxHandle,
  type SandboxListing,
} from "@atoll/sandbox";
import { randomBytes } from "node:crypto";

/** Keeps the ids of API sandboxes apart from those of threads, which share the folder. */
const ID_PREFIX = "program-";

/** Marks sandboxes of MCP sessions. They are not adopted after a restart: clients cannot reconnect. */
export const MCP_SESSION_LABEL = "atoll.mcp";

/** With several servers: which of them owns a sandbox. */
export interface SandboxLeases {
  /** Rejects with `not_owner` when another server owns it. */
  claim(id: string, options: { isNew?: boolean }): Promise<{ readonly fence: number }>;
  isElsewhere(id: string): Promise<boolean>;
  /** Call it when the sandbox is gone. */
  release(id: string): Promise<void>;
}

/** What API sandboxes may reach. */
export interface ApiSandboxNetwork {
  /** The part of a sandbox's policy that the operator still allows. */
  narrow(policy: NetworkPolicy): NetworkPolicy;
  egress(id: string): EgressOptions;
}

/** Sandboxes that clients create through the API, without a thread. They outlive the server, and the next one finds them. */
export class ApiSandboxes {
  readonly #dataDir: string;
  readonly #runtime: string | undefined;
  readonly #leases: SandboxLeases | undefined;
  readonly #network: ApiSandboxNetwork | undefined;
  readonly #handles = new Map<string, Promise<SandboxHandle>>();

  constructor(options: {
    dataDir: string;
    runtime?: string | undefined;
    leases?: SandboxLeases | undefined;
    network?: ApiSandboxNetwork | undefined;
  }) {
    this.#dataDir = options.dataDir;
    this.#runtime = options.runtime;
    this.#leases = options.leases;
    this.#network = options.network;
  }

  async create(
    options: Omit<CreateOptions, "dataDir" | "egress">,
  ): Promise<{ id: string; handle: SandboxHandle }> {
    const id = options.id ?? randomBytes(12).toString("hex");
    const claimed = await this.#claim(id, { isNew: true }).catch((error: unknown) => {
      throw isCode(error, "not_owner") ? atAnotherServer(id, error) : error;
    });
    const creating = Sandbox.create({
      ...this.#location(),
      ...claimed,
      ...options,
      ...(this.#network ? { egress: this.#network.egress(id) } : {}),
      id: ID_PREFIX + id,
      labels: { ...options.labels, "atoll.owner": "program" },
    });
    try {
      const handle = await creating;
      this.#handles.set(id, creating);
      return { id, handle };
    } catch (error) {
      if (!this.#handles.has(id)) await this.#leases?.release(id);
      throw error;
    }
  }

  /** Calls `work` with a running sandbox. Fails with `not_found`, or with `sandbox_dead` when only its files are left. */
  async use<Result>(id: string, work: (sandbox: SandboxHandle) => Promise<Result> | Result): Promise<Result> {
    const handle = this.#handles.get(id) ?? this.#attach(id);
    this.#handles.set(id, handle);
    try {
      return await work(await handle);
    } catch (error) {
      if (isLost(error)) this.#handles.delete(id);
      if (isDead(error)) await this.#leases?.release(id);
      throw error;
    }
  }

  /** How many this server is attached to. */
  get heldCount(): number {
    return this.#handles.size;
  }

  isHeld(id: string): boolean {
    return this.#handles.has(id);
  }

  /** Whether it runs, or its files are kept. */
  async isKnown(id: string): Promise<boolean> {
    const listed = await Sandbox.list({ ...this.#location(), ids: [ID_PREFIX + id] });
    return this.isHeld(id) || listed.length > 0;
  }

  async list(): Promise<readonly SandboxListing[]> {
    const kept = (await Sandbox.list(this.#location())).filter(({ id }) => id.startsWith(ID_PREFIX));
    const listed = kept.map((entry) =>
      this.#lookElsewhere({ ...entry, id: entry.id.slice(ID_PREFIX.length) }),
    );
    return [...(await Promise.all(listed)), ...(await this.#listEphemeral())];
  }

  /** Fast for a sandbox that this server is attached to; else it lists them all. */
  async find(id: string): Promise<SandboxListing> {
    const held = await this.#handles.get(id)?.catch(() => undefined);
    const state = await held?.state();
    if (held && state && state !== "dead") return { id, info: held.info, state };
    const found = (await this.list()).find((entry) => entry.id === id);
    if (!found) throw notFound(id);
    return found;
  }

  /** Recreates a sandbox whose processes have ended, which is the only way to delete its files. */
  async remove(id: string, options: { keepFiles: boolean }): Promise<void> {
    try {
      await this.use(id, (sandbox) => sandbox.destroy(options));
    } catch (error) {
      if (!isDead(error)) throw error;
      if (!options.keepFiles)
        await (await Sandbox.create({ ...this.#location(), id: ID_PREFIX + id })).destroy();
    }
    this.#handles.delete(id);
    await this.#leases?.release(id);
  }

  /** Detaches from a sandbox that another server owns. It keeps running. */
  async letGo(id: string): Promise<void> {
    const handle = await this.#handles.get(id)?.catch(() => undefined);
    this.#handles.delete(id);
    await handle?.detach();
  }

  /** Attaches to sandboxes that a former server left. Unattached ones end themselves after a while. */
  async adopt(): Promise<void> {
    const living = (await this.list()).filter(
      ({ state, info }) => state !== "dead" && info.labels[MCP_SESSION_LABEL] === undefined,
    );
    await Promise.allSettled(living.map(({ id }) => this.use(id, () => {})));
  }

  /** Detaches from all sandboxes. They keep running. */
  async close(): Promise<void> {
    const handles = await Promise.allSettled(this.#handles.values());
    this.#handles.clear();
    await Promise.all(
      handles.map((handle) => (handle.status === "fulfilled" ? handle.value.detach() : undefined)),
    );
  }

  async #attach(id: string): Promise<SandboxHandle> {
    try {
      const claimed = { ...this.#location(), ...(await this.#claim(id)) };
      return await Sandbox.attach(ID_PREFIX + id, { ...claimed, ...(await this.#findNetwork(id)) });
    } catch (error) {
      this.#handles.delete(id);
      if (error instanceof AtollError && error.code === "not_found") throw notFound(id);
      if (isDead(error))
        throw new AtollError("sandbox_dead", `the sandbox ${id} is not running`, { cause: error });
      throw error;
    }
  }

  /** An ephemeral sandbox exists only as its handle. */
  async #listEphemeral(): Promise<readonly SandboxListing[]> {
    const held = await Promise.allSettled(
      [...this.#handles].map(async ([id, handle]) => ({ id, info: (await handle).info })),
    );
    return held.flatMap((entry) =>
      entry.status === "fulfilled" && entry.value.info.mode === "ephemeral"
        ? [{ ...entry.value, state: "running" as const }]
        : [],
    );
  }

  async #findNetwork(id: string): Promise<Pick<AttachOptions, "network" | "egress">> {
    if (!this.#network) return {};
    const [listed] = await Sandbox.list({ ...this.#location(), ids: [ID_PREFIX + id] });
    const network = this.#network.narrow(listed?.info.network ?? "none");
    return { egress: this.#network.egress(id), network };
  }

  async #claim(id: string, options: { isNew?: boolean } = {}): Promise<{ fence?: number }> {
    return this.#leases ? { fence: (await this.#leases.claim(id, options)).fence } : {};
  }

  /** A sandbox on another machine looks dead from here; the lease of its server tells. */
  async #lookElsewhere(entry: SandboxListing): Promise<SandboxListing> {
    if (!entry.isElsewhere || !(await this.#leases?.isElsewhere(entry.id).catch(() => false))) return entry;
    return { ...entry, state: "running" };
  }

  #location(): { dataDir: string; runtime?: string } {
    return { dataDir: this.#dataDir, runtime: this.#runtime };
  }
}

function notFound(id: string): AtollError {
  return new AtollError("not_found", `there is no sandbox ${id}`);
}

/** The connection is gone; the sandbox may still run and can be attached to again. */
function isLost(error: unknown): boolean {
  return isDead(error) || (error instanceof AtollError && error.code === "protocol_error");
}

function isDead(error: unknown): boolean {
  return isCode(error, "sandbox_dead");
}

function isCode(error: unknown, code: AtollError["code"]): boolean {
  return error instanceof AtollError && error.code === code;
}

function atAnotherServer(id: string, cause: unknown): AtollError {
  return new AtollError(
    "already_exists",
    `another server owns the sandbox ${id}: use it, or delete it first`,
    {
      cause,
    },
  );
}
