import { AsyncLocalStorage } from "node:async_hooks";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestExtra } from "./tool-call.ts";

export interface McpRequest {
  readonly server: Server;
  readonly extra: RequestExtra;
}

/** Holds for all that a call does, also for calls that a program in the sandbox makes. */
const storage = new AsyncLocalStorage<McpRequest>();

export function withRequest<Result>(request: McpRequest, work: () => Promise<Result>): Promise<Result> {
  return storage.run(request, work);
}

/** The client's request that is being answered, for tools and approvals that speak with the client themselves. */
export function currentRequest(): McpRequest | undefined {
  return storage.getStore();
}
