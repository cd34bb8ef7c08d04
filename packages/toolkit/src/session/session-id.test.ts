import { assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { sandboxIdOf } from "./session-id.ts";

describe("the id of a session's sandbox", () => {
  it("can be read where the session's id allows it", () => {
    expect(sandboxIdOf("chat_123")).toBe("session-chat_123");
    expect(sandboxIdOf("a")).toBe("session-a");
  });

  it("is a valid id of its own for any text", () => {
    const text = string({ unit: "binary", minLength: 1, maxLength: 200 });
    const near = string({
      unit: constantFrom("a", "-", "_", "/", ".", "\ud800"),
      minLength: 1,
      maxLength: 4,
    });
    const any = oneof(text, near);
    assert(
      property(any, any, (one, other) => {
        expect(sandboxIdOf(one)).toMatch(/^session-[A-Za-z0-9_-]{1,56}$/);
        expect(sandboxIdOf(one) === sandboxIdOf(other)).toBe(one === other);
      }),
    );
  });

  it("cannot be reached by a session's id that looks like a digest", () => {
    const digested = sandboxIdOf("../etc/passwd").slice("session-".length);
    expect(sandboxIdOf(digested)).not.toBe(sandboxIdOf("../etc/passwd"));
  });

  it.each(["", "x".repeat(201)])("is refused for a text of the wrong length (%#)", (text) => {
    expect(() => sandboxIdOf(text)).toThrow("sessionId must have 1 to 200 characters");
  });
});
