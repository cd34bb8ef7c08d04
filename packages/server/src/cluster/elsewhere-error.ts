import { AtollError } from "@atoll/sandbox";
import type { LeaseKey, ServerRecord } from "./contract.ts";

/** Another server owns it. Without `server`, none does, and this one must not take it now. */
export class ElsewhereError extends AtollError {
  readonly server: ServerRecord | undefined;

  constructor(key: LeaseKey, server: ServerRecord | undefined) {
    super("not_owner", `Another server owns this ${key.split(":")[0]}.`);
    this.server = server;
  }
}
