import { AtollError, Sandbox } from "@atoll/sandbox";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findObstacles } from "./readiness.ts";
import { Damages } from "../store/damage/damages.ts";

const writable = { checkWritable: async () => {}, damages: new Damages() };
const able = { findObstacle: async () => undefined };

/** The machine has what the runtime needs, or lacks it for this reason. */
function pretendRuntime(lack?: string): void {
  const asked = vi.spyOn(Sandbox, "unavailableBecause").mockResolvedValue(lack);
  onTestFinished(() => asked.mockRestore());
}

describe("what keeps a server from answering", () => {
  it("is nothing while the database can be written and a sandbox can be made", async () => {
    pretendRuntime();
    expect(await findObstacles(writable, undefined, able)).toEqual([]);
  });

  it("is that a sandbox cannot be made, although the machine has all that is needed", async () => {
    pretendRuntime();
    const unable = { findObstacle: async () => "no sandbox can be made: ENOENT" };
    expect(await findObstacles(writable, undefined, unable)).toEqual([
      { name: "sandbox", message: "no sandbox can be made: ENOENT" },
    ]);
  });

  it("is what the machine lacks, and no sandbox is tried then", async () => {
    pretendRuntime("bubblewrap is missing");
    const findObstacle = vi.fn<() => Promise<undefined>>();
    expect(await findObstacles(writable, undefined, { findObstacle })).toEqual([
      { name: "sandbox", message: "bubblewrap is missing" },
    ]);
    expect(findObstacle).not.toHaveBeenCalled();
  });

  it("is a disk that is full, damage, and a Redis that does not answer, each by its name", async () => {
    pretendRuntime();
    const damages = new Damages();
    damages.note({ what: "x", message: "x is damaged", isContained: true });
    const full = {
      checkWritable: () => Promise.reject(new AtollError("disk_full", "the disk is full")),
      damages,
    };
    const found = await findObstacles(full, undefined, able, { isRedisThere: false });
    expect(found.map(({ name }) => name)).toEqual(["database", "damage", "redis"]);
    expect(found[1]).toEqual({ name: "damage", message: "x is damaged", isContained: true });
  });
});
