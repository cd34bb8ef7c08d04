import type { Definitions, Schema } from "./json-schema.ts";

/** One operation of the server's OpenAPI document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly pathNames: readonly string[];
  readonly query: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly body?: { readonly type: string; readonly schema: Schema; readonly isRequired: boolean };
  /** Status → media type → schema. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

export interface Api {
  readonly operations: readonly Operation[];
  readonly definitions: Definitions;
}

export async function readApi(url: string, headers: Record<string, string> = {}): Promise<Api> {
  const document = (await (await fetch(`${url}/openapi.json`, { headers })).json()) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => readOperation(method, path, described)),
  );
  return { operations, definitions: document.components.schemas };
}

function readOperation(method: string, path: string, described: Described): Operation {
  const parameters = described.parameters ?? [];
  const [content] = Object.entries(described.requestBody?.content ?? {});
  const responses = Object.entries(described.responses).map(([status, { content: contents = {} }]) => [
    status,
    Object.fromEntries(Object.entries(contents).map(([type, { schema }]) => [type, schema])),
  ]);
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    pathNames: parameters.filter((each) => each.in === "path").map(({ name }) => name),
    query: parameters.filter((each) => each.in === "query"),
    ...(content
      ? {
          body: {
            type: content[0],
            schema: content[1].schema,
            isRequired: described.requestBody?.required ?? false,
          },
        }
      : {}),
    responses: Object.fromEntries(responses) as Operation["responses"],
  };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Definitions };
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { in: string; name: string; required: boolean; schema: Schema }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}
