import type { Endpoint } from "../api/endpoint.ts";
import type { OpenApiDocument } from "../api/openapi.ts";

type Json = Record<string, unknown>;
type Content = Record<string, { schema: Json }>;
type Answer = { description: string; content?: Content };

/** The API as one page: no script, no asset but our own style sheet. */
export function renderDocsPage(
  document: OpenApiDocument,
  endpoints: readonly Endpoint[],
  origin: string,
): string {
  const groups = document.tags.map(({ name, description }) => {
    const own = endpoints.filter(({ tag }) => tag === name);
    return {
      menu: `<li><a href="#${name}">${name}</a><ul>${own.map(menuEntry).join("")}</ul></li>`,
      body: `<section><h2 id="${name}">${name}</h2><p>${escape(description)}.</p>${own
        .map((endpoint) => renderEndpoint(document, endpoint, origin))
        .join("")}</section>`,
    };
  });
  const shapes = Object.entries(document.components.schemas).toSorted(([a], [b]) => a.localeCompare(b));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Atoll API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs.css">
</head>
<body>
<nav><h1><a href="#top">Atoll API</a></h1><ul>${groups.map(({ menu }) => menu).join("")}<li><a href="#shapes">Shapes</a></li></ul></nav>
<main id="top">
<p>${escape(document.info.description)} Version ${escape(document.info.version)}; the same as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<p>Every failure is JSON: <code>{"code", "message", "hint"}</code>. Where the server demands a token, send <code>Authorization: Bearer &lt;token&gt;</code>.</p>
${groups.map(({ body }) => body).join("")}
<section><h2 id="shapes">Shapes</h2>${shapes.map(([name, shape]) => renderShape(name, shape)).join("")}</section>
</main>
</body>
</html>
`;
}

function menuEntry({ method, path, operationId }: Endpoint): string {
  return `<li><a href="#${operationId}"><b>${method.toUpperCase()}</b> ${escape(path)}</a></li>`;
}

function renderEndpoint(document: OpenApiDocument, endpoint: Endpoint, origin: string): string {
  const operation = document.paths[endpoint.path]?.[endpoint.method] ?? {};
  const parameters = (operation["parameters"] ?? []) as {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Json;
  }[];
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td><code>${name}</code></td><td>${place}${required ? ", needed" : ""}</td><td>${describeType(schema)}</td><td>${prose(description ?? "")}</td></tr>`,
  );
  const body = operation["requestBody"] as { content: Content } | undefined;
  const responses = Object.entries((operation["responses"] ?? {}) as Record<string, Answer>);
  return `<article id="${endpoint.operationId}">
<h3><b class="${endpoint.method}">${endpoint.method.toUpperCase()}</b> <code>${escape(endpoint.path)}</code></h3>
<p>${endpoint.isDeprecated ? "<b>Deprecated.</b> " : ""}${prose(endpoint.summary)}.</p>${endpoint.description ? `<p>${prose(endpoint.description)}</p>` : ""}
${rows.length > 0 ? `<table>${rows.join("")}</table>` : ""}
${body ? `<p>Body: ${renderContent(body.content)}</p>` : ""}
<pre><code>${escape(curlLine(endpoint, origin))}</code></pre>
${renderResponses(responses.filter(([status]) => Number(status) < 400))}
<details><summary>Failures</summary>${renderResponses(responses.filter(([status]) => Number(status) >= 400))}</details>
</article>`;
}

function renderResponses(responses: readonly [string, Answer][]): string {
  const rows = responses.map(([status, { description, content }]) => {
    const type = content && Number(status) < 400 ? `<td>${renderContent(content)}</td>` : "";
    return `<tr><td>${status}</td>${type}<td>${prose(description)}</td></tr>`;
  });
  return `<table>${rows.join("")}</table>`;
}

function curlLine({ method, path, example, curl }: Endpoint, origin: string): string {
  const query = path.endsWith("/files/content") ? "?path=notes.txt" : "";
  const json = `-H "Content-Type: application/json" -d '${JSON.stringify(example)}'`;
  return [
    "curl",
    ...(method === "get" ? [] : ["-X", method.toUpperCase()]),
    `"${origin}${path}${query}"`,
    ...(curl === undefined ? [] : [curl]),
    ...(example === undefined ? [] : [json]),
  ].join(" ");
}

function renderContent(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) =>
      type === "application/json" && (schema["$ref"] || schema["properties"])
        ? describeType(schema)
        : `<code>${escape(type)}</code>`,
    )
    .join(" or ");
}

function renderShape(name: string, shape: Json): string {
  return `<article id="shape-${name}"><h3>${name}</h3>${shape["description"] ? `<p>${prose(String(shape["description"]))}</p>` : ""}${renderFields(shape)}</article>`;
}

function renderFields(shape: Json): string {
  const properties = Object.entries((shape["properties"] ?? {}) as Record<string, Json>);
  if (properties.length === 0) return `<p>${describeType(shape)}</p>`;
  const needed = (shape["required"] ?? []) as string[];
  const rows = properties.map(
    ([name, schema]) =>
      `<tr><td><code>${escape(name)}</code></td><td>${describeType(schema)}${needed.includes(name) ? "" : ", may be absent"}</td><td>${prose(String(schema["description"] ?? ""))}</td></tr>`,
  );
  return `<table>${rows.join("")}</table>`;
}

/** A schema in a few words, with links to the shapes it names. */
function describeType(schema: Json): string {
  const reference = String(schema["$ref"] ?? "")
    .split("/")
    .at(-1);
  if (reference) return `<a href="#shape-${reference}">${reference}</a>`;
  const options = (schema["oneOf"] ?? schema["anyOf"]) as Json[] | undefined;
  if (options) return options.map(describeType).join(" or ");
  if (schema["allOf"]) return (schema["allOf"] as Json[]).map(describeType).join(" and ");
  if (schema["const"] !== undefined) return `<code>${escape(JSON.stringify(schema["const"]))}</code>`;
  if (schema["enum"])
    return (schema["enum"] as unknown[]).map((value) => `<code>${escape(String(value))}</code>`).join(" | ");
  if (schema["type"] === "array") return `list of ${describeType((schema["items"] ?? {}) as Json)}`;
  if (schema["properties"])
    return `object with ${Object.keys(schema["properties"] as Json)
      .map((name) => `<code>${escape(name)}</code>`)
      .join(", ")}`;
  if (schema["type"] === "object") return "object";
  return escape(String(schema["type"] ?? "anything"));
}

/** Text in which `code` is marked. */
function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
