import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "../contract/limits.ts";
import type { Artifact } from "../contract/python.ts";
import { copyArtifacts } from "./artifact-copies.ts";
import type { Guest } from "./wire/guest.ts";

const MiB = 1024 * 1024;

describe("copies of artifacts on the host", () => {
  let copies = "";
  beforeEach(async () => void (copies = await mkdtemp(join(tmpdir(), "atoll-copies-"))));
  afterEach(() => rm(copies, { recursive: true, force: true }));

  it("of one run take no more than an eighth of the disk limit", async () => {
    const guest = guestOf(copies, 16 * MiB);
    const located = await copyArtifacts(guest, "run", many(5, MiB / 2), undefined);
    expect(located.map(({ hostPath }) => hostPath !== undefined)).toEqual([true, true, true, true, false]);
    expect(await sizeOf(copies)).toBe(2 * MiB);
  });

  it("of one run take no more than 64 MiB, however large the disk limit is", async () => {
    const guest = guestOf(copies, 4096 * MiB);
    const located = await copyArtifacts(guest, "run", many(3, 30 * MiB), undefined);
    expect(located.map(({ hostPath }) => hostPath !== undefined)).toEqual([true, true, false]);
    expect(await sizeOf(copies)).toBe(60 * MiB);
  });

  it("leave out what is too large, and take the smaller ones after it", async () => {
    const guest = guestOf(copies, 16 * MiB);
    const [large] = many(1, 3 * MiB) as [Artifact];
    const located = await copyArtifacts(guest, "run", [large, ...many(1, MiB)], undefined);
    expect(located.map(({ hostPath }) => hostPath !== undefined)).toEqual([false, true]);
  });

  it("of many runs are those of the last eight", async () => {
    const guest = guestOf(copies, 16 * MiB);
    const runs = Array.from({ length: 12 }, (_, index) => `run-${index}`);
    for (const run of runs) await copyArtifacts(guest, run, many(4, MiB / 2), undefined);
    expect((await readdir(copies)).toSorted()).toEqual(runs.slice(-8).toSorted());
    expect(await sizeOf(copies)).toBe(16 * MiB);
  });

  it("of files without content are counted too", async () => {
    const guest = guestOf(copies, 1 * MiB);
    const located = await copyArtifacts(guest, "run", many(40, 0), undefined);
    expect(located.filter(({ hostPath }) => hostPath !== undefined)).toHaveLength(32);
  });

  it("leave out a file whose content is no longer what the run had made, though its size is", async () => {
    const guest = guestOf(copies, 16 * MiB);
    const [changed, same] = many(2, 1000) as [Artifact, Artifact];
    const located = await copyArtifacts(
      guest,
      "run",
      [{ ...changed, hash: "0".repeat(64) }, same],
      undefined,
    );
    expect(located.map(({ hostPath }) => hostPath !== undefined)).toEqual([false, true]);
    expect(await sizeOf(copies)).toBe(1000);
  });

  it.each([
    ["at once", (bytes: number) => ({ end: 1000, first: bytes })],
    ["piece by piece", () => ({ end: 1000, first: 0 })],
  ])("end where a guest sends more than it said, %s", async (_, answer) => {
    const guest = guestOf(copies, 16 * MiB, answer(5 * MiB));
    const [artifact] = await copyArtifacts(guest, "run", many(1, 1000), undefined);
    expect(artifact?.hostPath).toBeUndefined();
    expect(await sizeOf(copies)).toBe(0);
  });
});

interface Lie {
  /** Where it says that the file ends, and how much it sends with that. */
  readonly end: number;
  readonly first: number;
}

/** Sends zeros, as many as are asked for; with a lie, pieces of 1 MiB. */
function guestOf(copies: string, diskBytes: number, lie?: Lie): Guest {
  const guest = {
    copies,
    limits: { ...defaultLimits, diskBytes },
    dial: () => Promise.reject(new Error("not needed")),
    call: async (method: string, params: Record<string, unknown> = {}) => {
      const size = Number(String(params["path"]).split("-").at(-1));
      const answers: Record<string, () => { result: unknown; bytes: number }> = {
        "files.open": () => ({
          result: { end: lie?.end ?? size, handle: 1 },
          bytes: lie?.first ?? 0,
        }),
        "files.chunk": () => ({ result: {}, bytes: lie ? MiB : Number(params["length"]) }),
        "files.close": () => ({ result: {}, bytes: 0 }),
      };
      const { result, bytes } = answers[method]?.() ?? { result: {}, bytes: 0 };
      return { result, body: new Uint8Array(bytes) };
    },
  };
  return guest as unknown as Guest;
}

function many(count: number, sizeBytes: number): Artifact[] {
  const hash = createHash("sha256").update(new Uint8Array(sizeBytes)).digest("hex");
  return Array.from(
    { length: count },
    (_, index) => ({ path: `/workspace/${index}-${sizeBytes}`, sizeBytes, hash }) as Artifact,
  );
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
