import { expect, it } from "vitest";
import { offerTools, programTools } from "./tools.ts";

const names = (...args: Parameters<typeof offerTools>) => offerTools(...args).map(({ name }) => name);
const browser = { use: () => Promise.reject(new Error("not in this test")) };
const mcp = { list: async () => [], tools: async () => [], execute: () => Promise.reject(new Error("no")) };

it("a model is shown the tools that can do something in its thread", () => {
  expect(names({})).toEqual(expect.arrayContaining(["execute_python", "grep", "execute_code", "task"]));
  expect(names({})).not.toContain("http_request");
  expect(names({ network: "all-public" })).toContain("http_request");
  expect(names({ network: "all-public" })).not.toContain("browser_tool");
  expect(names({ network: "all-public", toolContext: { browser } })).toContain("browser_tool");
  expect(names({ toolContext: { mcp } })).toContain("mcp_execute");
  expect(names({ toolContext: { previewUrl: async () => "" } })).toContain("preview_url");
});

it("a request that names its tools gets these and no others, its programs too", () => {
  const tools = offerTools({}).filter(({ name }) => name === "grep" || name === "execute_code");
  expect(names({ tools, network: "all-public" })).toEqual(["grep", "execute_code"]);
  expect(programTools({ tools }).map(({ name }) => name)).toEqual(["grep"]);
  expect(programTools({}).length).toBeGreaterThan(40);
});
