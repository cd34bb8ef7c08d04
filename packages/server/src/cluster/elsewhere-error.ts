import { AtollError } from "@atoll/sandbox";
import type { LeaseKey, ServerRecord } from "./contract.ts";

/** Another server has it; without one: nobody has, and this server may not take it now. */
export class ElsewhereError extends AtollError {
  readonly server: ServerRecord | undefined;

  constructor(key: LeaseKey, server: ServerRecord | undefined) {
    super("not_owner", `Another server has the ${key.split(":")[0]}.`);
    this.server = server;
  }
}
