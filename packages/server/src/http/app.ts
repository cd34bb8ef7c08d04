import type { SharedCounter } from "../cluster/request-counter.ts";
import type { Forwarding } from "./forwarding/forwarding.ts";
import { lead, leadToOwner, recogniseForwarded } from "./forwarding/middleware.ts";
import type { Services } from "./services.ts";
import { Api } from "./api/endpoint.ts";
import type { HttpContext } from "./environment.ts";
import { ApiError } from "./errors/api-error.ts";
import { describeFailure } from "./errors/describe-failure.ts";
import type { HttpConfig } from "./http-config.ts";
import { Counters } from "./metrics/counters.ts";
import type { OpenApiDocument } from "./api/openapi.ts";
import { addAllRoutes } from "./routes.ts";
import { Authentication } from "./security/authentication.ts";
import { identifyClient } from "./security/client-address.ts";
import { Guesses, refuseGuesses } from "./security/guesses.ts";
import { addSecurityHeaders, setSecurityHeaders } from "./security/headers.ts";
import { LoginCodes } from "./login/login-codes.ts";
import { checkOrigin } from "./security/origin.ts";
import { RateLimit } from "./security/rate-limit.ts";
import { checkUrl } from "./security/url.ts";
import { countSessionUses } from "./sessions/track-use.ts";
import { Channels } from "./sse/channels.ts";
import { findMethods } from "./api/unknown-route.ts";

/** The page at /ui and all below it, which it sees as `/`. A Hono app's `fetch` is one. */
export type Ui = (request: Request) => Response | Promise<Response>;

export interface App {
  fetch(request: Request, environment?: object): Response | Promise<Response>;
  /** In-process requests, as tests make them. */
  request(path: string, init?: RequestInit): Promise<Response>;
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  document(): OpenApiDocument;
  /** The path of a link that logs a browser in, once. */
  makeLoginPath(): string;
  /** A failure outside of any route, as an answer. */
  renderFailure(error: unknown): Response;
  /** Ends every event stream. */
  close(): void;
}

export interface AppOptions {
  readonly ui?: Ui;
  /** With several servers: passes requests on to the server that owns what they are for. */
  readonly forwarding?: Forwarding | undefined;
  /** Counts the requests of all servers together. */
  readonly requestCounter?: SharedCounter | undefined;
  /** Shared with previews. */
  readonly guesses?: Guesses | undefined;
}

const jsonBytes = 1024 * 1024;

/** The HTTP surface over the services, without a socket. */
export function createApp(services: Services, config: HttpConfig, options: AppOptions = {}): App {
  const { forwarding } = options;
  const { log = console.error, idleMs = 30_000 } = config;
  const describe = (error: unknown) => describeFailure(error, { dataDir: config.dataDir, log });
  const api = new Api({ idleMs, maxBytes: Math.max(jsonBytes, config.maxInputChars * 6 + 65_536) });
  const channels = new Channels({
    heartbeatMs: config.heartbeatMs,
    describe: (error) => describe(error).body,
  });
  const authentication = new Authentication(config);
  const loginCodes = new LoginCodes();
  const counters = new Counters();
  const { app } = api;

  const render = (error: unknown): Response => {
    const { status, body, headers } = describe(error);
    const response = Response.json(body, { status, headers: { ...headers, "cache-control": "no-store" } });
    addSecurityHeaders(response.headers);
    return response;
  };
  app.onError(render);
  app.notFound((c) => answerUnknown(c, api));

  app.use(countRequests(counters));
  app.use(setSecurityHeaders());
  app.use(checkUrl());
  if (forwarding) app.use(recogniseForwarded(forwarding.signatures));
  app.use(checkOrigin({ isHostChecked: config.isLoopback && config.token === undefined }));
  app.use(identifyClient(config.trustedProxies));
  app.use(authentication.recognise());
  app.use(
    new RateLimit({ ...config.rateLimit, shared: options.requestCounter }).guard({
      keyOf: (c) => (c.get("isAuthenticated") ? "token" : c.get("client")),
      // What Redis says refuses no valid token; a request of another server is counted there for all of them.
      isLocal: (c) => c.get("isAuthenticated") || c.get("forwarded") !== undefined,
      isExempt: (c) =>
        ["/healthz", "/readyz"].includes(c.req.path) ||
        c.get("forwarded")?.isAuthenticated === true ||
        (isTyping(c) && (config.token === undefined || c.get("isAuthenticated") === true)),
    }),
  );
  app.use(
    refuseGuesses(options.guesses ?? new Guesses(), {
      isGuess: (c) =>
        authentication.isRequired &&
        !c.get("isAuthenticated") &&
        authentication.hasCredential(c) &&
        (c.req.path === "/login" || !isPublic(c)),
      clientOf: (c) => c.get("client"),
    }),
  );
  app.use(authentication.demand(isPublic));
  app.use(async (c, next) => {
    await next();
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  });
  if (forwarding) app.use(leadToOwner(forwarding));
  app.use(countSessionUses(services));

  const document = addAllRoutes(
    {
      api,
      services,
      config,
      channels,
      counters,
      authentication,
      loginCodes,
      lead: async (c, threadId, instead) =>
        forwarding ? lead(forwarding, c, `thread:${threadId}`, instead) : undefined,
      forwarding,
    },
    options.ui,
  );
  return {
    fetch: (request, environment) => app.fetch(request, environment),
    request: async (path, init) => app.request(path, init),
    routes: app.routes,
    document,
    makeLoginPath: () => `/login?code=${loginCodes.issue()}`,
    renderFailure: render,
    close() {
      forwarding?.forwarder.close();
      channels.close();
      services.mcp?.shut();
    },
  };
}

/** Signed addresses are let through here and checked by their route. */
function isPublic(c: HttpContext): boolean {
  const { path, method } = c.req;
  // A link's reader has no token: what the link shows. The page holds nothing of anybody's, and is where one logs in.
  if (
    ["GET", "HEAD"].includes(method) &&
    /^\/(shared\/|ui$|ui\/(shared$|assets\/|(chart|html)\.html$))/.test(path)
  )
    return true;
  if (["/healthz", "/readyz", "/login", "/docs.css"].includes(path)) return true;
  return /^\/thread\/[\w-]+\/blobs\/[0-9a-f]{64}$/.test(path) && c.req.query("signature") !== undefined;
}

/** Every key is a request: whoever may type is not to be stopped by typing fast. */
function isTyping(c: HttpContext): boolean {
  return c.req.method === "POST" && /^\/thread\/[\w-]+\/terminals\/[0-9a-f]+\/input$/.test(c.req.path);
}

function countRequests(counters: Counters) {
  return async (c: HttpContext, next: () => Promise<void>) => {
    const startedAt = performance.now();
    await next();
    const { method } = c.req;
    counters.countRequest({
      method: /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) ? method : "OTHER",
      route: c.get("route") ?? "unknown",
      status: c.res.status,
      seconds: (performance.now() - startedAt) / 1000,
    });
  };
}

function answerUnknown(c: HttpContext, api: Api): Response {
  const methods = findMethods(api.endpoints, c.req.path);
  if (methods.length === 0)
    throw new ApiError("not_found", `there is no route ${c.req.method} ${c.req.path.slice(0, 200)}`);
  const headers = { allow: methods.join(", ") };
  if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers });
  throw new ApiError("method_not_allowed", `${c.req.path} does not take ${c.req.method}`, { headers });
}
