import { describe, expect, it } from "vitest";
import { AgeClock, type AgeReading } from "./age-clock.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe("the clock that threads age by", () => {
  it("goes as long as the server runs, whatever the clock on the wall does", async () => {
    const world = new World();
    const clock = world.start();
    world.pass(hourMs);
    world.jump(40 * dayMs);
    expect(await clock.advance()).toEqual({ ageMs: hourMs, graceMs: 0 });
    world.jump(-400 * dayMs);
    world.pass(hourMs);
    expect(await clock.advance()).toEqual({ ageMs: 2 * hourMs, graceMs: 0 });
  });

  it("counts a short stop in whole", async () => {
    const world = new World();
    await world.start().advance();
    world.pass(hourMs / 2);
    expect(await world.start().advance()).toEqual({ ageMs: hourMs / 2, graceMs: 0 });
  });

  it("counts a stop of 40 days as a day, and gives an hour of grace", async () => {
    const world = new World();
    await world.start().advance();
    world.pass(40 * dayMs);
    const clock = world.start();
    expect(await clock.advance()).toEqual({ ageMs: dayMs, graceMs: hourMs });
    world.pass(hourMs);
    expect(await clock.advance()).toEqual({ ageMs: dayMs + hourMs, graceMs: 0 });
  });

  it("counts a stop after which the clock on the wall is behind as none", async () => {
    const world = new World();
    await world.start().advance();
    world.jump(-dayMs);
    expect(await world.start().advance()).toEqual({ ageMs: 0, graceMs: 0 });
  });

  it("is moved once by two servers", async () => {
    const world = new World();
    const [one, other] = [world.start(), world.start()];
    await Promise.all([one.advance(), other.advance()]);
    world.pass(hourMs);
    expect([await one.advance(), await other.advance()].map(({ ageMs }) => ageMs)).toEqual([hourMs, hourMs]);
  });
});

/** Two clocks, and what is kept over a restart. */
class World {
  #steadyMs = 0;
  #wallMs = 1_800_000_000_000;
  #kept: AgeReading = { ageMs: 0, wallMs: this.#wallMs };

  start(): AgeClock {
    return new AgeClock(
      {
        load: async () => this.#kept,
        save: async (reading) => {
          this.#kept = { ...reading, ageMs: Math.max(reading.ageMs, this.#kept.ageMs) };
        },
      },
      { wallMs: () => this.#wallMs, steadyMs: () => this.#steadyMs },
    );
  }

  pass(ms: number): void {
    this.#steadyMs += ms;
    this.#wallMs += ms;
  }

  jump(ms: number): void {
    this.#wallMs += ms;
  }
}
