import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LiveOutput } from "./live-output.ts";

describe("live output", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const record = () => {
    const sent: string[] = [];
    return { sent, output: new LiveOutput((stream, text) => void sent.push(`${stream}: ${text}`)) };
  };

  it("sends the first piece at once and gathers what follows soon", () => {
    const { sent, output } = record();
    for (const text of ["a", "b", "c"]) output.add("stdout", text);
    expect(sent).toEqual(["stdout: a"]);
    vi.advanceTimersByTime(30);
    expect(sent).toEqual(["stdout: a", "stdout: bc"]);
    vi.advanceTimersByTime(30);
    output.add("stdout", "d");
    expect(sent.at(-1)).toBe("stdout: d");
    expect(output.text).toBe("abcd");
  });

  it("keeps the streams apart, and loses nothing at the end", () => {
    const { sent, output } = record();
    output.add("stdout", "a");
    output.add("stderr", "x");
    output.add("stdout", "b");
    output.end();
    expect(sent).toEqual(["stdout: a", "stderr: x", "stdout: b"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("sends at most one piece of a stream in each interval", () => {
    const { sent, output } = record();
    for (let ms = 0; ms < 300; ms += 1) {
      output.add("stdout", "x");
      vi.advanceTimersByTime(1);
    }
    output.end();
    expect(sent.length).toBeLessThanOrEqual(12);
    expect(sent.map((piece) => piece.slice("stdout: ".length)).join("")).toBe("x".repeat(300));
  });
});
