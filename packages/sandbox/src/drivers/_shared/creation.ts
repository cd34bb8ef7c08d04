import type { Capabilities, SandboxHandle, SandboxInfo, SandboxPaths } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import type { SandboxSpec } from "./create-options.ts";
import { nameMachine } from "./machine-name.ts";

export function describeSandbox(
  spec: SandboxSpec,
  driver: string,
  capabilities: Capabilities,
  paths: SandboxPaths,
): SandboxInfo {
  const { id, mode, limits, labels, network } = spec;
  const createdAt = new Date().toISOString();
  return {
    id,
    driver,
    mode,
    createdAt,
    limits,
    capabilities,
    paths,
    labels,
    machine: nameMachine(),
    network,
  };
}

/** The caller may give up at once; a sandbox that arrives all the same is destroyed, not left behind. */
export function settleOrDestroy(
  creation: Promise<SandboxHandle>,
  { signal, timeoutMs }: SandboxSpec,
): Promise<SandboxHandle> {
  if (!signal && timeoutMs === undefined) return creation;
  const { promise, resolve, reject } = Promise.withResolvers<SandboxHandle>();
  const giveUp = (reason: AtollError) => {
    reject(reason);
    creation.then((sandbox) => sandbox.destroy()).catch(() => {});
  };
  const onAbort = () => giveUp(new AtollError("aborted", "the caller gave up", { cause: signal?.reason }));
  const onTimeout = () => giveUp(new AtollError("timeout", `no sandbox within ${timeoutMs} ms (timeoutMs)`));
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
  signal?.addEventListener("abort", onAbort, { once: true });
  creation.then(resolve, reject).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  });
  return promise;
}
