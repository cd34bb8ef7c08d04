import { AtollError, type Sandbox } from "@atoll/sandbox";
import { type ApiSandboxes, MCP_SESSION_LABEL } from "../../api-sandboxes/api-sandboxes.ts";

/** The sandbox of one MCP session: created by its first use, deleted with the session. */
export class OwnSandbox {
  readonly #id: string;
  readonly #apiSandboxes: ApiSandboxes;
  readonly #make: () => Promise<true>;
  #making: Promise<true> | undefined;

  constructor(
    id: string,
    apiSandboxes: ApiSandboxes,
    options: () => Omit<Parameters<ApiSandboxes["create"]>[0], "id" | "labels">,
  ) {
    this.#id = id;
    this.#apiSandboxes = apiSandboxes;
    this.#make = async () => {
      await apiSandboxes.create({ ...options(), id, labels: { [MCP_SESSION_LABEL]: "session" } });
      return true;
    };
  }

  get isThere(): boolean {
    return this.#making !== undefined;
  }

  async open(): Promise<Sandbox> {
    this.#making ??= this.#make().catch((error: unknown) => {
      this.#making = undefined;
      throw error;
    });
    await this.#making;
    try {
      return await this.#apiSandboxes.use(this.#id, (sandbox) => sandbox.restricted());
    } catch (error) {
      if (!isDead(error)) throw error;
      this.forget();
      return this.open();
    }
  }

  /** Call it when its processes have ended: the next use recreates it with the files that are left. */
  forget(): void {
    this.#making = undefined;
  }

  async remove(): Promise<void> {
    const making = this.#making;
    this.#making = undefined;
    if (await making?.catch(() => undefined)) await this.#apiSandboxes.remove(this.#id, { keepFiles: false });
  }
}

/** Deletes sandboxes of MCP sessions that a former server left. */
export async function removeLeftSandboxes(apiSandboxes: ApiSandboxes): Promise<void> {
  const left = (await apiSandboxes.list()).filter(({ info }) => info.labels[MCP_SESSION_LABEL] !== undefined);
  for (const { id } of left) {
    if (apiSandboxes.isHeld(id)) continue;
    await apiSandboxes.remove(id, { keepFiles: false }).catch((error: unknown) => {
      if (!(error instanceof AtollError)) throw error;
    });
  }
}

function isDead(error: unknown): boolean {
  return error instanceof AtollError && ["sandbox_dead", "not_found"].includes(error.code);
}
