import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { named } from "@atoll/protocol/schemas";
import { makeTestServer } from "../test-server.harness.ts";

test("every route of the app is in the document, and nothing else is", async () => {
  const { app } = await makeTestServer(onTestFinished);
  const routes = app.routes
    .filter(({ method, path }) => method !== "ALL" && path !== "/ui/*")
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  const documented = Object.entries(app.document().paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => method !== "head")
      .map((method) => `${method} ${path}`),
  );
  expect(documented.toSorted()).toEqual(routes.toSorted());
  expect(routes.length).toBeGreaterThan(50);
});

test("every operation has a name of its own, a summary, a tag and error responses", async () => {
  const { app } = await makeTestServer(onTestFinished);
  const operations = Object.values(app.document().paths).flatMap((item) => Object.values(item));
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const operation of operations) {
    expect(operation["summary"]).toMatch(/\w/);
    expect(operation["tags"]).toHaveLength(1);
    const statuses = Object.keys(operation["responses"] as object);
    expect(
      statuses.some((status) => Number(status) >= 400),
      String(operation["operationId"]),
    ).toBe(true);
  }
});

test("every reference in the document leads somewhere", async () => {
  const { app } = await makeTestServer(onTestFinished);
  const document = app.document();
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, target]) => target ?? "",
  );
  expect(references.length).toBeGreaterThan(100);
  for (const reference of new Set(references)) {
    expect(reference).toMatch(/^#\/components\/schemas\/\w+$/);
    expect(Object.keys(document.components.schemas)).toContain(reference.split("/").at(-1));
  }
});

test("every parameter in a path is declared", async () => {
  const { app } = await makeTestServer(onTestFinished);
  for (const [path, operations] of Object.entries(app.document().paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();
    for (const operation of Object.values(operations)) {
      const parameters = (operation["parameters"] ?? []) as { name: string; in: string }[];
      expect(
        parameters
          .filter((each) => each.in === "path")
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(inPath);
    }
  }
});

test.each([
  ["/files/list", "GET, HEAD, OPTIONS"],
  ["/files/upload", "POST, OPTIONS"],
  ["/files/clear", "POST, OPTIONS"],
  ["/files/0123456789abcdef", "GET, HEAD, DELETE, OPTIONS"],
  ["/thread/new", "POST, OPTIONS"],
])("Allow of %s names the methods that the document has for it", async (path, allowed) => {
  const { ask } = await makeTestServer(onTestFinished);
  expect((await ask(path, { method: "OPTIONS" })).headers.get("allow")).toBe(allowed);
});

test.each([
  ["DELETE", "/files/list"],
  ["DELETE", "/files/upload"],
  ["GET", "/files/clear"],
  ["GET", "/thread/new"],
  ["PATCH", "/thread/new"],
])("%s %s is no operation: 405, not an id that is unknown", async (method, path) => {
  const { ask } = await makeTestServer(onTestFinished);
  const response = await ask(path, { method });
  expect([response.status, await response.json()]).toMatchObject([405, { code: "method_not_allowed" }]);
  expect(response.headers.get("allow")).not.toContain(method);
});

test("every operation documents what any request may be refused with", async () => {
  const { app } = await makeTestServer(onTestFinished);
  for (const operations of Object.values(app.document().paths))
    for (const { responses } of Object.values(operations))
      expect(Object.keys(responses as object)).toEqual(expect.arrayContaining(["403", "414", "431", "500"]));
});

test("every JSON body has an example, in the document and on the page", async () => {
  const { app, ask } = await makeTestServer(onTestFinished);
  const operations = Object.values(app.document().paths).flatMap((item) => Object.values(item));
  const contents = operations.flatMap(({ operationId, requestBody }) => {
    const { content } = (requestBody ?? {}) as { content?: Record<string, { example?: unknown }> };
    return content?.["application/json"] ? [[operationId, content["application/json"].example] as const] : [];
  });
  expect(contents.length).toBeGreaterThan(20);
  expect(contents.filter(([, example]) => example === undefined)).toEqual([]);
  const characters: Record<string, string> = { "&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&" };
  const html = await (await ask("/docs")).text();
  const page = html.replaceAll(/&(?:quot|lt|gt|amp);/g, (entity) => characters[entity] ?? "");
  expect(contents.filter(([, example]) => !page.includes(`-d '${JSON.stringify(example)}'`))).toEqual([]);
});

test("two shapes cannot have one name", () => {
  named("OnlyHere", z.string());
  expect(() => named("OnlyHere", z.number())).toThrow("two schemas are named OnlyHere");
});

test("the reference is a page without scripts and without foreign addresses", async () => {
  const { ask } = await makeTestServer(onTestFinished);
  const response = await ask("/docs");
  const page = await response.text();
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(page).not.toMatch(/<script|\son\w+=|style="/);
  const addresses = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses.filter((address) => !/^(#|\/|data:,$)/.test(address ?? ""))).toEqual([]);
  expect(page).toContain("curl -X POST &quot;http://localhost/thread/{thread_id}/message&quot;");
  expect((await ask("/docs.css")).headers.get("content-type")).toContain("text/css");
});

/** The words of JSON Schema 2020-12 that may stand in a schema, and what follows each. */
const keywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  $ref: (value) => typeof value === "string",
  type: (value) =>
    [value].flat().every((each) => /^(string|number|integer|boolean|null|object|array)$/.test(String(each))),
  properties: (value) => Object.values(value as object).every(isSchema),
  patternProperties: (value) => Object.values(value as object).every(isSchema),
  propertyNames: isSchema,
  additionalProperties: (value) => typeof value === "boolean" || isSchema(value),
  items: isSchema,
  prefixItems: (value) => Array.isArray(value) && value.every(isSchema),
  oneOf: (value) => Array.isArray(value) && value.every(isSchema),
  anyOf: (value) => Array.isArray(value) && value.every(isSchema),
  allOf: (value) => Array.isArray(value) && value.every(isSchema),
  required: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
  enum: (value) => Array.isArray(value) && value.length > 0,
  const: () => true,
  description: (value) => typeof value === "string",
  examples: Array.isArray,
  format: (value) => typeof value === "string",
  pattern: (value) => new RegExp(value as string, "u") instanceof RegExp,
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  exclusiveMinimum: Number.isFinite,
  minLength: Number.isInteger,
  maxLength: Number.isInteger,
  minItems: Number.isInteger,
  maxItems: Number.isInteger,
};

function isSchema(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const wrong = Object.entries(schema).find(([word, value]) => keywords[word]?.(value) !== true);
  if (wrong) throw new Error(`${wrong[0]}: ${JSON.stringify(wrong[1])} is not a part of a schema`);
  return true;
}

test("the document is OpenAPI 3.1: its objects have their fields, its schemas the words of JSON Schema", async () => {
  const { app } = await makeTestServer(onTestFinished);
  const { openapi, info, tags, paths, components } = app.document();
  expect(openapi).toBe("3.1.0");
  expect(Object.keys(info)).toEqual(["title", "version", "description"]);
  for (const [name, schema] of Object.entries(components.schemas)) {
    expect(name).toMatch(/^[\w.-]+$/);
    expect(isSchema(schema), name).toBe(true);
  }
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const known = [
      "operationId",
      "summary",
      "description",
      "tags",
      "parameters",
      "requestBody",
      "responses",
      "security",
      "deprecated",
    ];
    expect(Object.keys(operation).filter((field) => !known.includes(field))).toEqual([]);
    expect(tags.map(({ name }) => name)).toContain((operation["tags"] as string[])[0]);
    for (const parameter of (operation["parameters"] ?? []) as { schema: unknown }[])
      expect(isSchema(parameter.schema)).toBe(true);
    const { requestBody, responses } = operation as {
      requestBody?: { content: Record<string, { schema: unknown }> };
      responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
    };
    const answers = Object.entries(responses);
    for (const [status, { description }] of answers)
      expect([status, description]).toEqual([
        expect.stringMatching(/^[2-5]\d\d$/),
        expect.stringMatching(/\w/),
      ]);
    const contents = [requestBody?.content, ...answers.map(([, { content }]) => content)];
    for (const { schema } of contents.flatMap((content) => Object.values(content ?? {})))
      expect(isSchema(schema)).toBe(true);
  }
});
