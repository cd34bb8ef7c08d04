import { expect, it } from "vitest";
import { readRoute, type Route, writeRoute } from "./route.ts";

it("reads the places that it writes", () => {
  const places: readonly Route[] = [
    { page: "new" },
    { page: "new", isTemporary: true },
    { page: "thread", threadId: "abc-123" },
    { page: "shared", shareId: "s_1.x" },
  ];
  for (const place of places) expect(readRoute(writeRoute(place))).toEqual(place);
});

it("takes whatever else for the beginning", () => {
  for (const hash of ["", "#", "#/nowhere/x", "#/thread/", "#/thread/a/b", "#/thread/<script>"]) {
    expect(readRoute(hash)).toEqual({ page: "new" });
  }
});
