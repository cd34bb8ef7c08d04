import { describe, expect, it } from "vitest";
import { addressOf, readPath } from "./port-address.ts";

describe("the address of a port", () => {
  it("adds a path to an address and keeps its token", () => {
    const own = { url: "http://8000-abc.localhost:8361/", path: "/preview/abc/8000/" };
    expect(addressOf(own, "/a?b=1#c")).toBe("http://8000-abc.localhost:8361/a?b=1#c");
    const passed = { path: "/preview/abc/8000/?atoll_preview=1.x" };
    expect(addressOf(passed, "/")).toBe("/preview/abc/8000/?atoll_preview=1.x");
    expect(addressOf(passed, "/a?b=1#c#d")).toBe("/preview/abc/8000/a?b=1&atoll_preview=1.x#c#d");
  });

  it("reads typed paths and pasted addresses", () => {
    expect(readPath(" reports/a.html ")).toBe("/reports/a.html");
    expect(readPath("http://localhost:8000/docs?x=1")).toBe("/docs?x=1");
    expect(readPath("127.0.0.1:8000")).toBe("/");
    expect(readPath("")).toBe("/");
  });
});
