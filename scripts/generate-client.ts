// Writes the client's types and its table of routes from the API's own document: `node scripts/generate-client.ts`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeApi, type OpenApiDocument } from "@atoll/server/openapi";
import { format, type FormatConfig } from "oxfmt";

type Json = Record<string, unknown>;

const root = join(import.meta.dirname, "..");
const target = join(root, "packages/client/src/generated.ts");

if (import.meta.main) writeFileSync(target, await generateClient());

/** The text of `packages/client/src/generated.ts`, formatted as everything else. */
export async function generateClient(): Promise<string> {
  const {
    ignorePatterns: _,
    $schema: __,
    ...options
  } = JSON.parse(readFileSync(join(root, ".oxfmtrc.json"), "utf8"));
  const { code } = await format("generated.ts", writeModule(describeApi()), options as FormatConfig);
  return code;
}

function writeModule(document: OpenApiDocument): string {
  const shapes = Object.entries(document.components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== "head")
      .map(([method, operation]) => ({ path, method, operation })),
  );
  return [
    "// Made by scripts/generate-client.ts from the server's OpenAPI document. A test fails when it is stale.",
    ...shapes.map(([name, shape]) => `${comment(shape, "")}export type ${name} = ${typeOf(shape, "")};`),
    `/** What each operation takes and gives. */\nexport interface Operations {\n${operations.map(describeOperation).join("\n")}\n}`,
    `export const routes = {\n${operations.map(describeRoute).join("\n")}\n} as const satisfies Record<keyof Operations, { method: string; path: string }>;`,
    "",
  ].join("\n\n");
}

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
}

function describeOperation({ operation }: Operation): string {
  const parameters = (operation["parameters"] ?? []) as {
    name: string;
    in: string;
    required: boolean;
    schema: Json;
  }[];
  const group = (place: string) => {
    const fields = parameters.filter((each) => each.in === place);
    const lines = fields.map(
      ({ name, required, schema }) => `${name}${required ? "" : "?"}: ${typeOf(schema, "    ")}`,
    );
    return lines.length === 0 ? "Record<never, never>" : `{ ${lines.join("; ")} }`;
  };
  const body = operation["requestBody"] as
    | { required: boolean; content: Record<string, { schema: Json }> }
    | undefined;
  const bodyType = body && jsonOf(body.content);
  return [
    comment({ description: operation["summary"] }, "  "),
    `  ${String(operation["operationId"])}: {\n`,
    `    params: ${group("path")};\n`,
    `    query: ${group("query")};\n`,
    `    body: ${bodyType ? typeOf(bodyType, "    ") + (body?.required ? "" : " | undefined") : "undefined"};\n`,
    `    result: ${resultOf(operation)};\n`,
    "  };",
  ].join("");
}

function describeRoute({ path, method, operation }: Operation): string {
  return `  ${String(operation["operationId"])}: { method: "${method.toUpperCase()}", path: "${path}" },`;
}

function resultOf(operation: Json): string {
  const responses = operation["responses"] as Record<string, { content?: Record<string, { schema: Json }> }>;
  const [, success] = Object.entries(responses).find(([status]) => Number(status) < 300) ?? [];
  const json = success?.content && jsonOf(success.content);
  return json ? typeOf(json, "    ") : "unknown";
}

function jsonOf(content: Record<string, { schema: Json }>): Json | undefined {
  const schema = content["application/json"]?.schema;
  return schema && schema["type"] !== "string" ? schema : undefined;
}

/** A JSON Schema as a TypeScript type. */
function typeOf(schema: Json, indent: string): string {
  if (schema["$ref"]) return String(schema["$ref"]).split("/").at(-1) ?? "unknown";
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (schema["enum"]) return (schema["enum"] as unknown[]).map((value) => JSON.stringify(value)).join(" | ");
  const options = (schema["anyOf"] ?? schema["oneOf"]) as Json[] | undefined;
  if (options) return options.map((option) => wrap(typeOf(option, indent))).join(" | ");
  if (schema["allOf"])
    return (schema["allOf"] as Json[]).map((part) => wrap(typeOf(part, indent))).join(" & ");
  if (Array.isArray(schema["type"])) {
    return schema["type"].map((type) => typeOf({ ...schema, type }, indent)).join(" | ");
  }
  switch (schema["type"]) {
    case "string":
    case "boolean":
    case "null":
      return schema["type"];
    case "integer":
    case "number":
      return "number";
    case "array":
      return `readonly ${wrap(typeOf((schema["items"] ?? {}) as Json, indent))}[]`;
    case "object":
      return objectType(schema, indent);
    default:
      return "unknown";
  }
}

function objectType(schema: Json, indent: string): string {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Json>);
  const rest = schema["additionalProperties"];
  if (properties.length === 0) {
    return `Readonly<Record<string, ${typeof rest === "object" && rest ? typeOf(rest as Json, indent) : "unknown"}>>`;
  }
  const needed = (schema["required"] ?? []) as string[];
  const inner = `${indent}  `;
  const fields = properties.map(
    ([name, value]) =>
      `${comment(value, inner)}${inner}readonly ${name}${needed.includes(name) ? "" : "?"}: ${typeOf(value, inner)};`,
  );
  return `{\n${fields.join("\n")}\n${indent}}`;
}

function wrap(type: string): string {
  return /[|&]|^readonly/.test(type.replaceAll(/\{[\s\S]*\}/g, "{}")) ? `(${type})` : type;
}

function comment(schema: Json, indent: string): string {
  return schema["description"]
    ? `${indent}/** ${String(schema["description"]).replaceAll("*/", "* /")} */\n`
    : "";
}
