import type { Services } from "../services.ts";
import type { ThreadRecord } from "../../store/contract.ts";
import type { ReadRequest } from "../forwarding/forwarder.ts";
import type { Forwarding } from "../forwarding/forwarding.ts";
import type { Api } from "./endpoint.ts";
import type { HttpContext } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import type { HttpConfig } from "../http-config.ts";
import type { Counters } from "../metrics/counters.ts";
import type { LoginCodes } from "../login/login-codes.ts";
import type { Authentication } from "../security/authentication.ts";
import type { Channels } from "../sse/channels.ts";

/** What every group of routes is given. */
export interface RouteContext {
  readonly api: Api;
  readonly services: Services;
  readonly config: HttpConfig;
  readonly channels: Channels;
  readonly counters: Counters;
  readonly authentication: Authentication;
  readonly loginCodes: LoginCodes;
  readonly forwarding?: Forwarding | undefined;
  /**
   * The answer of the server that has the thread, asked for `instead` of this request; undefined when this one has it, or
   * nobody. For routes whose address does not name the thread.
   */
  lead(c: HttpContext, threadId: string, instead: ReadRequest): Promise<Response | undefined>;
}

export function requireThread(services: Services, threadId: string): ThreadRecord {
  const thread = services.threads.get(threadId);
  if (!thread) {
    throw new ApiError("not_found", `there is no thread ${threadId}`, {
      hint: "POST /thread/new makes one; GET /threads lists those that are there.",
    });
  }
  return thread;
}

/** A choice whose key or address is missing is shown as it was made; its runs say what is missing. */
export function nameModel(services: Services, choice?: string): string {
  try {
    return services.resolveModel(choice);
  } catch {
    return choice ?? "not configured";
  }
}

/** How long the request's body may be silent. */
export function uploadLimits(config: HttpConfig): { maxBytes: number; idleMs: number } {
  return { maxBytes: config.maxUploadBytes, idleMs: config.idleMs ?? 30_000 };
}
