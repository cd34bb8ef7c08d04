import { AtollError, type Sandbox } from "@atoll/sandbox";
import type { ProgramSandboxes } from "../../api-sandboxes/api-sandboxes.ts";
import { sessionLabel } from "../../api-sandboxes/session-label.ts";

/** The sandbox of one session: made by its first use, removed with the session. */
export class OwnSandbox {
  readonly #id: string;
  readonly #programs: ProgramSandboxes;
  readonly #make: () => Promise<true>;
  #making: Promise<true> | undefined;

  constructor(
    id: string,
    programs: ProgramSandboxes,
    options: () => Omit<Parameters<ProgramSandboxes["create"]>[0], "id" | "labels">,
  ) {
    this.#id = id;
    this.#programs = programs;
    this.#make = async () => {
      await programs.create({ ...options(), id, labels: { [sessionLabel]: "session" } });
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
      return await this.#programs.use(this.#id, (sandbox) => sandbox.restricted());
    } catch (error) {
      if (!isDead(error)) throw error;
      this.forget();
      return this.open();
    }
  }

  /** Its processes have ended: the next use makes it anew, with the files that are left. */
  forget(): void {
    this.#making = undefined;
  }

  async remove(): Promise<void> {
    const making = this.#making;
    this.#making = undefined;
    if (await making?.catch(() => undefined)) await this.#programs.remove(this.#id, { keepFiles: false });
  }
}

/** Those that a server before this one left. Another server's are its own. */
export async function removeLeftSandboxes(programs: ProgramSandboxes): Promise<void> {
  const left = (await programs.list()).filter(({ info }) => info.labels[sessionLabel] !== undefined);
  for (const { id } of left) {
    if (programs.isHeld(id)) continue;
    await programs.remove(id, { keepFiles: false }).catch((error: unknown) => {
      if (!(error instanceof AtollError)) throw error;
    });
  }
}

function isDead(error: unknown): boolean {
  return error instanceof AtollError && ["sandbox_dead", "not_found"].includes(error.code);
}
