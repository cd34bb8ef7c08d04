import {
  AtollError,
  type CreateOptions,
  type LostVariable,
  type NetworkPolicy,
  Sandbox,
} from "@atoll/sandbox";
import type { StructuredTool } from "@langchain/core/tools";
import type { ToolPick } from "../adapters/tool-pick.ts";
import { SessionBrowser } from "../browser/session-browser.ts";
import type { Tool, ToolOutput } from "../tool.ts";
import { type KeptSandbox, openKeptSandbox } from "./kept-sandbox.ts";
import type { Permitted } from "../permissions/permit-call.ts";
import { pick } from "./pick.ts";
import {
  type GuardedSession,
  openToolSession,
  type SessionCallOptions,
  type ToolSessionOptions,
} from "./tool-session.ts";

const CREATION_OPTIONS = [
  "runtime",
  "mode",
  "image",
  "limits",
  "network",
  "egress",
  "datasets",
  "env",
  "dataDir",
  "signal",
] as const;

export interface SandboxSessionOptions
  extends ToolSessionOptions, Pick<CreateOptions, (typeof CREATION_OPTIONS)[number]> {
  /**
   * Any text of 1 to 200 characters. A later session with this id, also in another process, finds its files and
   * variables again. Without it, and in ephemeral mode, nothing is kept.
   */
  readonly sessionId?: string;
}

/**
 * A sandbox with its tools, for a program that brings its own agent:
 *
 *     await using session = await SandboxSession.create({ sessionId: "chat_123" });
 *     const tools = await session.getTools();
 *
 * At the end of its scope no process is left. With a `sessionId` files and variables are kept.
 */
export class SandboxSession implements GuardedSession, AsyncDisposable {
  readonly sessionId: string | undefined;
  readonly sandbox: Sandbox;
  readonly tools: readonly Tool[];
  /** What came back of an earlier session. */
  readonly found: Pick<KeptSandbox, "restored" | "lost" | "variablesAt">;
  readonly #kept: KeptSandbox;
  readonly #inner: GuardedSession;
  /** Its own, of which nothing runs until it is used. */
  readonly #browser: SessionBrowser | undefined;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;
  #ended: Promise<readonly LostVariable[]> | undefined;

  static async create(options: SandboxSessionOptions = {}): Promise<SandboxSession> {
    return new SandboxSession(await openSandbox(options), options);
  }

  private constructor(kept: KeptSandbox, options: SandboxSessionOptions) {
    const { handle, rest: _, destroy: __, ...found } = kept;
    this.sessionId = options.sessionId;
    this.sandbox = handle.restricted();
    this.found = found;
    this.#kept = kept;
    const { ports } = this.sandbox;
    const previewUrl: ToolSessionOptions["previewUrl"] = (port, around) => ports.url(port, around);
    if (!options.browser && handle.info.mode === "pinned") this.#browser = this.#prepareBrowser(options);
    const browser = this.#browser && { browser: this.#browser };
    this.#inner = openToolSession(this.sandbox, { previewUrl, ...browser, ...options });
    this.tools = this.#inner.tools;
  }

  call(name: string, input: unknown, options: SessionCallOptions = {}): Promise<ToolOutput> {
    const signals = [this.#closing.signal, ...(options.signal ? [options.signal] : [])];
    const work = this.#inner.call(name, input, { ...options, signal: AbortSignal.any(signals) });
    this.#underWay.add(work);
    return work.finally(() => this.#underWay.delete(work));
  }

  needsApproval(name: string, input: unknown): boolean {
    return this.#inner.needsApproval?.(name, input) ?? false;
  }

  permit(name: string, input: unknown, options?: Pick<SessionCallOptions, "signal">): Promise<Permitted> {
    return this.#inner.permit(name, input, options);
  }

  /** What it may reach from now on; connections that are open are cut. */
  setNetwork(policy: NetworkPolicy): Promise<void> {
    return this.#kept.handle.setNetwork(policy);
  }

  /** As LangChain's. Needs the package `@langchain/core`. */
  async getTools(pick?: ToolPick): Promise<StructuredTool[]> {
    const { toLangChainTools } = await importLangChain();
    return toLangChainTools(this, pick);
  }

  /** Stops the calls under way, keeps what is to be kept and leaves no process. Gives the variables that could not be kept. */
  close(): Promise<readonly LostVariable[]> {
    return this.#end(async () => {
      await (this.sessionId === undefined ? this.#browser?.remove() : this.#browser?.end());
      const lost = await this.#kept.rest();
      this.#isClosed = true;
      return lost;
    });
  }

  /** With all its files. Of a session that is closed and kept: open it again for that. */
  async destroy(): Promise<void> {
    if (this.#isClosed && this.sessionId !== undefined)
      throw new AtollError(
        "sandbox_dead",
        "the session is closed: create it again with its sessionId to destroy it",
      );
    await this.#end(async () => {
      await this.#browser?.remove();
      await this.#kept.destroy();
      return [];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #prepareBrowser({ dataDir, egress }: SandboxSessionOptions): SessionBrowser {
    const { id, info } = this.sandbox;
    return new SessionBrowser({
      id: `browser-${id}`,
      sandbox: async () => this.sandbox,
      runtime: info.driver,
      labels: info.labels,
      dataDir,
      egress,
    });
  }

  #end(end: () => Promise<readonly LostVariable[]>): Promise<readonly LostVariable[]> {
    this.#closing.abort();
    this.#ended ??= Promise.allSettled(this.#underWay)
      .then(end)
      .catch((error: unknown) => {
        // It can be tried again.
        this.#ended = undefined;
        throw error;
      });
    return this.#ended;
  }
}

async function openSandbox(options: SandboxSessionOptions): Promise<KeptSandbox> {
  const creation = pick(options, CREATION_OPTIONS);
  if (options.sessionId !== undefined && options.mode !== "ephemeral")
    return openKeptSandbox(options.sessionId, creation);
  const handle = await Sandbox.create(creation);
  const destroy = () => handle.destroy();
  const rest = async () => {
    await destroy();
    return [];
  };
  return { handle, restored: [], lost: [], rest, destroy };
}

async function importLangChain() {
  try {
    return await import("../adapters/langchain.ts");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    const message = "getTools needs LangChain: npm install @langchain/core";
    throw new AtollError("not_supported", message, { cause });
  }
}
