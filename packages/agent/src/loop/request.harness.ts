import { AtollError } from "@atoll/sandbox";
import type { RunEvent } from "@atoll/protocol";
import type { AnswerRequest } from "../request.ts";

export interface TestRequest {
  readonly request: AnswerRequest;
  readonly events: readonly RunEvent[];
  /** The first event of this type, of those that come from now on or were there. */
  until<Type extends RunEvent["type"]>(type: Type): Promise<Extract<RunEvent, { type: Type }>>;
  of<Type extends RunEvent["type"]>(type: Type): Extract<RunEvent, { type: Type }>[];
  readonly types: RunEvent["type"][];
  stop(): void;
}

/** For tests: a request to the model at `baseUrl` that remembers its events. Without a sandbox, unless one is given. */
export function testRequest(baseUrl: string, overrides: Partial<AnswerRequest> = {}): TestRequest {
  const events: RunEvent[] = [];
  const waiters: { type: string; resolve: (event: RunEvent) => void }[] = [];
  const stopping = new AbortController();
  const of = <Type extends RunEvent["type"]>(type: Type) =>
    events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);
  const request: AnswerRequest = {
    message: "How much did we spend?",
    history: [],
    model: {
      kind: "model",
      provider: "openai-compatible",
      model: "scripted",
      apiKey: "sk-secret-123456",
      baseUrl,
    },
    data: { tables: [], others: [] },
    wake: () => Promise.reject(new AtollError("runtime_unavailable", "there is no sandbox in this test")),
    emit: (event) => {
      events.push(event);
      for (const { type, resolve } of waiters) if (type === event.type) resolve(event);
    },
    approve: () => Promise.resolve({ decision: "allow" }),
    takeSteering: () => [],
    keepImage: ({ mime }) => `/kept/${mime}`,
    keepArtifact: (_, { path }) => Promise.resolve(`/kept${path}`),
    signal: stopping.signal,
    ...overrides,
    limits: { retryBaseMs: 1, ...overrides.limits },
  };
  return {
    request,
    events,
    of,
    until: async (type) => {
      const known = of(type)[0];
      if (known) return known;
      return new Promise((resolve) => {
        waiters.push({ type, resolve: resolve as (event: RunEvent) => void });
      });
    },
    get types() {
      return events.map(({ type }) => type);
    },
    stop: () => stopping.abort(new Error("the user's stop")),
  };
}
