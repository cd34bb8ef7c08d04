import { z } from "zod";
import { errorSchema, schemaNames } from "@atoll/protocol/schemas";
import type { Endpoint } from "./endpoint.ts";
import { failures } from "../errors/statuses.ts";

type Json = Record<string, unknown>;

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
  readonly security: readonly Json[];
}

/** Made of zod's own JSON Schema (2020-12), which is the dialect of OpenAPI 3.1: every check is in the document. */
export function buildDocument(
  endpoints: readonly Endpoint[],
  info: { version: string; tags: Readonly<Record<string, string>> },
): OpenApiDocument {
  const shapes = new Shapes();
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const operations = (paths[endpoint.path] ??= {});
    operations[endpoint.method] = describeOperation(endpoint, shapes);
    if (endpoint.hasHead) operations["head"] = describeHead(endpoint, shapes);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Atoll",
      version: info.version,
      description:
        "Every conversation has its own computer. Threads for people and agents, sandboxes for programs. What cannot be read as a request to any operation is refused with 400, 405, 408, 414 or 431.",
    },
    tags: Object.entries(info.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: shapes.components,
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "Only where the server demands a token" },
        session: { type: "apiKey", in: "cookie", name: "atoll_session", description: "From the login link" },
      },
    },
    security: [{}, { token: [] }, { session: [] }],
  };
}

function describeOperation(endpoint: Endpoint, shapes: Shapes): Json {
  const { operationId, summary, description, tag, body, example, rawBody } = endpoint;
  const operation: Json = { operationId, summary, tags: [tag] };
  if (description) operation["description"] = description;
  if (endpoint.isPublic) operation["security"] = [];
  if (endpoint.isDeprecated) operation["deprecated"] = true;
  const parameters = describeParameters(endpoint, shapes);
  if (parameters.length > 0) operation["parameters"] = parameters;
  if (body) {
    const content = {
      "application/json": {
        schema: shapes.refer(body instanceof z.ZodOptional ? (body.unwrap() as z.ZodType) : body),
        example,
      },
    };
    operation["requestBody"] = { required: !(body instanceof z.ZodOptional), content };
  } else if (rawBody) {
    const { type, schema, isOptional = false } = rawBody;
    operation["requestBody"] = { required: !isOptional, content: { [type]: { schema } } };
  }
  operation["responses"] = describeResponses(endpoint, shapes);
  return operation;
}

function describeHead(endpoint: Endpoint, shapes: Shapes): Json {
  const { requestBody: _, ...operation } = describeOperation(endpoint, shapes);
  const { 200: __, ...failed } = operation["responses"] as Record<string, Json>;
  return {
    ...operation,
    operationId: `${endpoint.operationId}Head`,
    summary: `${endpoint.summary}: only the headers`,
    responses: { 200: { description: "The headers that GET answers" }, ...failed },
  };
}

function describeParameters(endpoint: Endpoint, shapes: Shapes): Json[] {
  return (["params", "query"] as const).flatMap((group) => {
    const schema = endpoint[group];
    if (!(schema instanceof z.ZodObject)) return [];
    return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, value]) => {
      const { description, ...shape } = shapes.refer(value, "output");
      return {
        name,
        in: group === "params" ? "path" : "query",
        required: group === "params" || !(value instanceof z.ZodOptional),
        description,
        schema: shape,
      };
    });
  });
}

function describeResponses(endpoint: Endpoint, shapes: Shapes): Json {
  const content: Json = {};
  if (endpoint.result) content["application/json"] = { schema: shapes.refer(endpoint.result) };
  const others = Object.entries(endpoint.otherResults ?? {});
  for (const [type] of others) content[type] = { schema: shapeOf(type) };
  const said = [...(endpoint.result ? ["The result"] : []), ...others.map(([, what]) => what)].join("; or ");
  const responses: Record<string, Json> = { [endpoint.status ?? 200]: { description: said, content } };
  for (const [status, description] of Object.entries(endpoint.otherStatuses ?? {}))
    responses[status] = { description };
  const codes = [...(endpoint.errors ?? []), ...commonErrors(endpoint)];
  for (const code of new Set(codes)) {
    const { status, hint } = failures[code];
    const known = responses[status]?.["description"];
    responses[status] = {
      description: `${known ? `${known} ` : ""}\`${code}\`: ${hint}`,
      content: { "application/json": { schema: shapes.refer(errorSchema) } },
    };
  }
  return responses;
}

/** Of a content that is no result: a stream of events is read event by event, anything may be in a download. */
function shapeOf(mediaType: string): Json {
  if (mediaType === "text/event-stream" || mediaType === "*/*") return {};
  return { type: /[/+]json$/.test(mediaType) ? "object" : "string" };
}

/** Routes of a thread that need its sandbox, which may have no room to wake up in. */
const inSandbox = /^\/thread\/\{thread_id\}\/(?:files|terminals|kernel|table|variables|ports|wake|browser)\b/;

function commonErrors({ method, path, body, rawBody, query, isPublic }: Endpoint) {
  const takesNothing = !body && !rawBody && method !== "get";
  return [
    ...(path.startsWith("/thread/{thread_id}") ? (["expired"] as const) : []),
    ...(takesNothing ? (["unsupported_media_type"] as const) : []),
    ...(body || query ? (["invalid_argument"] as const) : []),
    ...(body ? (["bad_request", "too_large", "unsupported_media_type"] as const) : []),
    ...(inSandbox.test(path) ? (["disk_full"] as const) : []),
    ...(path.startsWith("/sandboxes/{sandbox_id}") ? (["not_supported"] as const) : []),
    ...(isPublic ? [] : (["unauthorized"] as const)),
    ...(["/healthz", "/readyz"].includes(path) ? [] : (["rate_limited"] as const)),
    ...(["forbidden", "uri_too_long", "headers_too_large", "internal"] as const),
  ];
}

/** Turns zod schemas into JSON Schema; those with a name become components. */
class Shapes {
  readonly components: Record<string, Json> = {};

  refer(schema: z.ZodType, io: "input" | "output" = "input"): Json {
    const {
      $schema: _,
      $defs,
      ...shape
    } = z.toJSONSchema(schema, {
      metadata: schemaNames,
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        const { description, examples } = z.globalRegistry.get(zodSchema) ?? {};
        if (description) jsonSchema.description = description;
        if (examples) jsonSchema.examples = examples as never;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    }) as Json & { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs ?? {})) this.components[name] ??= point(definition);
    const name = schemaNames.get(schema)?.id;
    if (!name) return point(shape);
    this.components[name] ??= point(shape);
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Leads references from a schema's own definitions to the document's components. */
function point(shape: Json): Json {
  const text = JSON.stringify(shape, (key, value: unknown) =>
    key === "id" && typeof value === "string" ? undefined : value,
  );
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}
