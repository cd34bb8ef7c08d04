import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Names the running system that processes belong to: a container's, if this is one. Several of them may share a data
 * folder: what only works within one carries this in its name.
 */
export function nameSystem(): string {
  return digest([readBootId(), read(() => readlinkSync("/proc/self/ns/pid"))]);
}

/** Names the running kernel: containers of one machine have the same, and reach each other's sockets in a folder. */
export function nameMachine(): string {
  return digest([readBootId()]);
}

function readBootId(): string {
  return read(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"));
}

function read(fact: () => string): string {
  try {
    return fact().trim();
  } catch {
    return hostname();
  }
}

function digest(facts: readonly string[]): string {
  return createHash("sha256").update(facts.join(" ")).digest("hex").slice(0, 12);
}
