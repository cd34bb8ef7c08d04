import { buildDocument, type OpenApiDocument } from "../api/openapi.ts";
import { renderDocsPage } from "./docs-page.ts";
import { docsStyle } from "./docs-style.ts";
import type { RouteContext } from "../api/route-context.ts";

const tag = "Server";

const tags: Readonly<Record<string, string>> = {
  Threads: "A conversation with its own sandbox",
  Sessions: "Temporary threads, by names that the client chooses",
  Messages: "Ask, follow the answer, stop",
  Files: "Uploads, files of a thread, artifacts",
  Desk: "What is in a thread's sandbox: tables, variables, terminals",
  Sandboxes: "For programs without an agent",
  Server: "Settings, health, documents",
  Operator: "What goes on behind the threads",
};

/** The last to be added: they describe all the others. */
export function addDocumentRoutes({ api, config }: RouteContext): () => OpenApiDocument {
  let known: OpenApiDocument | undefined;
  const document = () =>
    (known ??= buildDocument(api.endpoints, { version: config.version ?? "0.1.0", tags }));

  api.add(
    {
      method: "get",
      path: "/openapi.json",
      operationId: "getOpenApi",
      tag,
      summary: "This API as an OpenAPI 3.1 document",
      otherResults: { "application/json": "The document" },
    },
    ({ c }) => c.json(document()),
  );

  api.add(
    {
      method: "get",
      path: "/docs",
      operationId: "getDocs",
      tag,
      summary: "This API, to be read",
      otherResults: { "text/html": "A page" },
    },
    ({ c }) => c.html(renderDocsPage(document(), api.endpoints, new URL(c.req.url).origin)),
  );

  api.add(
    {
      method: "get",
      path: "/docs.css",
      operationId: "getDocsStyle",
      tag,
      summary: "The style of the documents",
      otherResults: { "text/css": "A style sheet" },
      isPublic: true,
    },
    () =>
      new Response(docsStyle, {
        headers: { "content-type": "text/css; charset=utf-8", "cache-control": "max-age=3600" },
      }),
  );

  return document;
}
