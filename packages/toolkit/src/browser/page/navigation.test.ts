import { describe, expect, it } from "vitest";
import { readAddress } from "./navigation.ts";

describe("readAddress", () => {
  it.each([
    ["example.com", "https://example.com/"],
    ["  example.com/a?b#c ", "https://example.com/a?b#c"],
    ["example.com:8443/x", "https://example.com:8443/x"],
    ["localhost:8000", "http://localhost:8000/"],
    ["LOCALHOST", "http://localhost/"],
    ["127.0.0.1:5000/x", "http://127.0.0.1:5000/x"],
    ["[::1]:5000", "http://[::1]:5000/"],
    ["http://example.com", "http://example.com/"],
    ["about:blank", "about:blank"],
    ["data:text/html,x", "data:text/html,x"],
  ])("%j is %s", (written, url) => {
    expect(readAddress(written).href).toBe(url);
  });

  it.each([
    "",
    "http://",
    "file:///etc/passwd",
    "chrome://settings",
    "javascript:alert(1)",
    "view-source:http://a",
  ])("%j is refused", (written) => {
    expect(() => readAddress(written)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
  });
});
