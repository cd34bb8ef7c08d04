import { describe, expect, it } from "vitest";
import { readRoute, type Route, writeRoute } from "./route.ts";

describe("routes", () => {
  it("reads back every route that it writes", () => {
    const places: readonly Route[] = [
      { page: "new" },
      { page: "new", isTemporary: true },
      { page: "thread", threadId: "abc-123" },
      { page: "shared", shareId: "s_1.x" },
    ];
    for (const place of places) expect(readRoute(writeRoute(place))).toEqual(place);
  });

  it("treats unknown fragments as the start page", () => {
    for (const hash of ["", "#", "#/nowhere/x", "#/thread/", "#/thread/a/b", "#/thread/<script>"]) {
      expect(readRoute(hash)).toEqual({ page: "new" });
    }
  });
});
