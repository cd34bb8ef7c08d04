import type {
  HarnessV1NetworkPolicy,
  HarnessV1NetworkSandboxSession,
  HarnessV1SandboxProvider,
} from "@ai-sdk/harness";
import { AtollError, type NetworkPolicy } from "@atoll/sandbox";
import { SandboxSession, type SandboxSessionOptions } from "../session/sandbox-session.ts";
import { toAiSandbox } from "./ai-sandbox.ts";

export interface SandboxProviderOptions extends Omit<SandboxSessionOptions, "sessionId" | "mode" | "signal"> {
  /** What a harness may connect to inside. */
  readonly ports?: readonly number[];
}

/** Stays with a session's files once it is ready: who resumes it finds out whether there is anything to resume. */
const READY_MARK = "/session/.harness-ready";

/** Atoll sandboxes for the AI SDK's harness agents: `new HarnessAgent({ harness, sandbox: createSandboxProvider() })`. */
export function createSandboxProvider(options: SandboxProviderOptions = {}): HarnessV1SandboxProvider {
  const open = (sessionId: string | undefined, signal: AbortSignal | undefined) =>
    SandboxSession.create({
      ...options,
      sessionId,
      signal,
    });
  return {
    specificationVersion: "harness-sandbox-v1",
    providerId: "atoll",
    async createSession({ sessionId, abortSignal, onFirstCreate } = {}) {
      const session = await open(sessionId, abortSignal);
      try {
        const { files } = session.sandbox;
        if (!(await files.exists(READY_MARK))) {
          await onFirstCreate?.(toAiSandbox(session.sandbox), abortSignal ? { abortSignal } : {});
          await files.write(READY_MARK, "");
        }
      } catch (error) {
        await session.destroy();
        throw error;
      }
      return toNetworkSession(session, options);
    },
    async resumeSession({ sessionId, abortSignal }) {
      const session = await open(sessionId, abortSignal);
      if (await session.sandbox.files.exists(READY_MARK)) return toNetworkSession(session, options);
      await session.destroy();
      throw new AtollError("not_found", `there is no sandbox of the session ${sessionId} to resume`);
    },
  };
}

function toNetworkSession(
  session: SandboxSession,
  { ports = [], ...options }: SandboxProviderOptions,
): HarnessV1NetworkSandboxSession {
  const { sandbox, sessionId } = session;
  const restricted = toAiSandbox(sandbox);
  let isStopped = false;
  const endpoint = async (port: number, protocol = "http") => {
    if (!ports.includes(port))
      throw new AtollError("invalid_argument", `port ${port} is not among the provider's ports`);
    return (await sandbox.ports.url(port)).replace(/^http:/, `${protocol === "https" ? "http" : protocol}:`);
  };
  return {
    ...restricted,
    id: sandbox.id,
    defaultWorkingDirectory: sandbox.info.paths.workspace,
    ports,
    getPortEndpoint: async ({ port, protocol }) => ({ url: await endpoint(port, protocol) }),
    getPortUrl: ({ port, protocol }) => endpoint(port, protocol),
    async stop() {
      isStopped = true;
      await session.close();
    },
    async destroy() {
      const isKept = isStopped && sessionId !== undefined;
      if (isStopped && !isKept) return;
      const living = isKept ? await SandboxSession.create({ ...options, sessionId }) : session;
      isStopped = true;
      await living.destroy();
    },
    setNetworkPolicy: async (policy) => session.setNetwork(toNetworkPolicy(policy)),
    restricted: () => restricted,
  };
}

function toNetworkPolicy(policy: HarnessV1NetworkPolicy): NetworkPolicy {
  if (policy.mode === "allow-all") return "all-public";
  if (policy.mode === "deny-all") return "none";
  // Private and metadata addresses are refused anyway; other ranges cannot be told apart here.
  if ((policy.allowedCIDRs?.length ?? 0) > 0 || (policy.deniedCIDRs?.length ?? 0) > 0)
    throw new AtollError("not_supported", "a network policy names hosts here, no ranges of addresses");
  return { allow: policy.allowedHosts ?? [] };
}
