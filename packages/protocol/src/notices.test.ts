import { describe, expect, it } from "vitest";
import { makeNotice, type NoticeCode, type NoticePhrases, NOTICE_CODES, sayNotice } from "./notices.ts";

describe("a notice", () => {
  it("has its values and says them in English", () => {
    expect(makeNotice("timeout", { seconds: 0.5 })).toEqual({
      code: "timeout",
      values: { seconds: 0.5 },
      text: "Stopped after 0.5 s (timeoutMs).",
    });
  });

  it("leaves out the type of a variable that is not known", () => {
    const values = { name: "lock", runtime: "CPython", reason: "cannot pickle it" };
    expect(makeNotice("variable_left_behind", { ...values, type: "" }).text).toBe(
      "lock could not be brought to CPython: cannot pickle it.",
    );
    expect(makeNotice("variable_left_behind", { ...values, type: "_thread.lock" }).text).toBe(
      "lock (_thread.lock) could not be brought to CPython: cannot pickle it.",
    );
  });

  it("is said in another language by its code", () => {
    const phrases = { timeout: ({ seconds }) => `${seconds} Sekunden` } as NoticePhrases;
    expect(sayNotice(makeNotice("timeout", { seconds: 2 }), phrases)).toBe("2 Sekunden");
  });

  it("stays English where the language has no phrase for its code", () => {
    const phrases = {} as NoticePhrases;
    expect(sayNotice(makeNotice("stopped", {}), phrases)).toBe("Stopped.");
    const unknown = { code: "toString" as NoticeCode, values: {}, text: "Something new." };
    expect(sayNotice(unknown, phrases)).toBe("Something new.");
  });

  it("has a code that is unique and in snake case", () => {
    expect(new Set(NOTICE_CODES).size).toBe(NOTICE_CODES.length);
    for (const code of NOTICE_CODES) expect(code).toMatch(/^[a-z_]+$/);
  });
});
