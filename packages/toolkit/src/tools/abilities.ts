import { AtollError, type Capabilities } from "@atoll/sandbox";
import type { ToolContext } from "../tool.ts";

type Ability = "shell" | "pty" | "ports";

const MISSING_ABILITIES: Record<Ability, string> = {
  shell: "its sandboxes run no programs, only Python",
  pty: "its sandboxes have no terminal",
  ports: "the ports of its sandboxes cannot be reached",
};

/** Fails with `not_supported` where the driver MISSING_ABILITIES the ability. */
export function requireAbility({ sandbox }: Pick<ToolContext, "sandbox">, ability: Ability): void {
  const capabilities: Capabilities = sandbox.info.capabilities;
  if (!capabilities[ability]) throw notSupported(MISSING_ABILITIES[ability]);
}

export function notSupported(reason: string): AtollError {
  return new AtollError("not_supported", reason);
}
