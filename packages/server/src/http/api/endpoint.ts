import { Hono } from "hono";
import type { z } from "zod";
import type { ApiErrorCode } from "@atoll/protocol";
import { type BodyLimits, readJson, refuseForms } from "./body.ts";
import type { HttpContext, HttpEnvironment } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";

/**
 * One route: what it is called, what it takes and what it gives. The document, the checks and the types come from this.
 *
 * `@hono/zod-openapi` does the same in general. It is not used here, since three things would be written beside it again:
 * an operation lists error codes, and the table of errors gives their statuses and hints; a handler may answer on Node's
 * own response, as event streams do; and the document uses zod's own JSON Schema, so that it shows exactly what is checked.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** With parameters in braces: `/thread/{thread_id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly params?: Params;
  readonly query?: Query;
  /** JSON. A body that may be left out is an optional schema. */
  readonly body?: Body;
  /** A body that works, for the document and the curl line in /docs. */
  readonly example?: z.input<Body>;
  /** A body that the handler reads by itself, for the document. */
  readonly rawBody?: {
    readonly type: string;
    readonly schema: Record<string, unknown>;
    readonly isOptional?: boolean;
  };
  readonly result?: Result;
  readonly status?: 200 | 201 | 202;
  /** What it answers instead of, or beside, JSON: media type → what it is. */
  readonly otherResults?: Readonly<Record<string, string>>;
  /** Further statuses that are no errors, and what they say. */
  readonly otherStatuses?: Readonly<Record<number, string>>;
  readonly errors?: readonly ApiErrorCode[];
  readonly hasHead?: boolean;
  /** Needs no token. */
  readonly isPublic?: boolean;
  /** The next version removes it; its description names the successor. */
  readonly isDeprecated?: boolean;
  /** Further arguments of the curl line in /docs. */
  readonly curl?: string;
}

interface Call<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  readonly c: HttpContext;
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

export class Api {
  readonly app = new Hono<HttpEnvironment>();
  readonly endpoints: Endpoint[] = [];
  /** Paths without parameters: `/files/list` is not the file with the id "list". */
  readonly #literalPaths = new Set<string>();
  readonly #bodyLimits: BodyLimits;

  constructor(bodyLimits: BodyLimits) {
    this.#bodyLimits = bodyLimits;
  }

  add<
    Params extends z.ZodType = z.ZodUndefined,
    Query extends z.ZodType = z.ZodUndefined,
    Body extends z.ZodType = z.ZodUndefined,
    Result extends z.ZodType = z.ZodNever,
  >(
    endpoint: Endpoint<Params, Query, Body, Result>,
    answer: (
      call: Call<Params, Query, Body>,
    ) => Promise<z.input<Result> | Response> | z.input<Result> | Response,
  ): void {
    this.endpoints.push(endpoint as Endpoint);
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1");
    const isLiteral = path === endpoint.path;
    if (isLiteral) this.#literalPaths.add(path);
    this.app.on(endpoint.method.toUpperCase(), path, async (c) => {
      if (!isLiteral && this.#literalPaths.has(c.req.path)) return c.notFound();
      c.set("route", endpoint.path);
      const params = check(endpoint.params, c.req.param(), "address") as z.output<Params>;
      const query = check(endpoint.query, firstOfEach(c), "query") as z.output<Query>;
      const body = (await this.#readBody(c, endpoint as Endpoint)) as z.output<Body>;
      const answered = await answer({ c, params, query, body, signal: c.req.raw.signal });
      if (isResponse(answered)) return answered;
      return c.json(answered as object, endpoint.status ?? 200);
    });
  }

  async #readBody(c: HttpContext, endpoint: Endpoint): Promise<unknown> {
    if (endpoint.body) return check(endpoint.body, await readJson(c, this.#bodyLimits), "body");
    if (!endpoint.rawBody && endpoint.method !== "get") refuseForms(c);
    return undefined;
  }
}

/** By its tag: the Node adapter puts a lighter class in the place of `Response`. */
function isResponse(value: unknown): value is Response {
  return (value as Response | undefined)?.[Symbol.toStringTag as never] === "Response";
}

type RequestPart = "address" | "query" | "body";

function check(schema: z.ZodType | undefined, value: unknown, part: RequestPart): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (part === "address") throw new ApiError("not_found", "nothing is at this address");
  if (part === "body" && value === undefined) {
    throw new ApiError("invalid_argument", "a JSON body is needed", {
      hint: "Send it with `Content-Type: application/json`.",
    });
  }
  throw new ApiError("invalid_argument", describeIssues(parsed.error, part));
}

function describeIssues(error: z.ZodError, part: RequestPart): string {
  const words = error.issues.slice(0, 5).map(({ path, message }) => {
    const name = [...(part === "body" && path.length > 0 ? [] : [part]), ...path.map(String)].join(".");
    return `${name}: ${message.slice(0, 300)}`;
  });
  return words.join("; ");
}

/** A parameter that comes twice counts once: the first. */
function firstOfEach(c: HttpContext): Record<string, string> {
  const query = Object.entries(c.req.queries()).map(([name, values]) => [name, values[0] ?? ""]);
  return Object.fromEntries(query) as Record<string, string>;
}
