import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../contract/limits.ts";
import type { CreateOptions, SandboxHandle } from "../../contract/sandbox.ts";
import { evaluate } from "../run-code.ts";
import { expectRefusals, refusal, type Suite } from "../suite.ts";

export function describeCreation({ driver, create, dataDir }: Suite): void {
  describe("creation", () => {
    it("describes the new sandbox", async () => {
      const sandbox = await create({ labels: { thread: "t1" }, limits: { outputBytes: 5000 } });
      expect(sandbox.id).toMatch(/^[A-Za-z0-9_-]{6,64}$/);
      expect(sandbox.info).toMatchObject({
        id: sandbox.id,
        driver: driver.name,
        mode: "pinned",
        limits: { ...(driver.defaultLimits ?? defaultLimits), outputBytes: 5000 },
        labels: { thread: "t1" },
      });
      expect(new Date(sandbox.info.createdAt).getTime()).toBeGreaterThan(0);
      expect(await sandbox.state()).toBe("running");
    });

    it("claims no ability that the driver does not declare", async () => {
      const { capabilities } = (await create()).info;
      expect(capabilities.isolation).toBe(driver.capabilities.isolation);
      for (const name of ["shell", "pty", "pause", "snapshot", "ports", "attach"] as const) {
        expect([name, capabilities[name] && !driver.capabilities[name]]).toEqual([name, false]);
      }
      expect(driver.capabilities.network).toEqual(expect.arrayContaining([...capabilities.network]));
    });

    it("names the folders inside", async () => {
      const { paths } = (await create()).info;
      for (const path of Object.values(paths)) expect(path).toMatch(/^\//);
      if (!driver.capabilities.isolation) return;
      expect(paths).toMatchObject({
        workspace: "/workspace",
        session: "/session",
        artifacts: "/session/artifacts",
        data: "/data",
        outputs: "/data/outputs",
      });
    });

    it("takes the id it is given", async () => {
      expect((await create({ id: "my_sandbox-1" })).id).toBe("my_sandbox-1");
    });

    it("gives every sandbox an id of its own", async () => {
      const ids = (await Promise.all([create(), create(), create()])).map((sandbox) => sandbox.id);
      expect(new Set(ids).size).toBe(3);
    });

    it("gives an id to one of two that ask for it at once, new or kept", async () => {
      const id = `both-${Date.now()}`;
      for (const round of ["new", "kept"]) {
        const asked = await Promise.allSettled([create({ id }), create({ id })]);
        const made = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
        const refused = asked.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
        expect(refused, round).toMatchObject([{ code: "already_exists" }]);
        expect(await evaluate(made[0] as SandboxHandle, "1 + 1")).toBe("2");
        await made[0]?.destroy({ keepFiles: true });
      }
    });

    it("refuses an id that is alive", async () => {
      const { id } = await create();
      await expect(create({ id })).rejects.toMatchObject(refusal("already_exists"));
    });

    it.each(["short", "a".repeat(65), "../../etc", "with space", "nul\0nul", "new\nline", ""])(
      "refuses the id %j",
      async (id) => {
        await expect(create({ id })).rejects.toMatchObject(refusal("invalid_argument"));
      },
    );

    it.each<CreateOptions>([
      { limits: { memoryBytes: -1 } },
      { limits: { processes: 0 } },
      { limits: { cpus: Number.NaN } },
      { limits: { timeoutMs: Number.POSITIVE_INFINITY } },
      { limits: { diskBytes: "1 GB" as unknown as number } },
      { mode: "other" as "pinned" },
      { env: { "A=B": "1" } },
      { env: { A: "nul\0nul" } },
      { network: "everything" as "none" },
      { network: { allow: ["*"] } },
      { orphanTimeoutMs: -5 },
      { timeoutMs: -1 },
    ])("refuses %j", async (options) => {
      await expect(create(options)).rejects.toMatchObject(refusal("invalid_argument"));
    });

    it("takes as much environment and as many labels as it may have, in any script, and refuses more", async () => {
      const env = { A: "字".repeat(20_000) };
      const labels = { b: "字".repeat(5000) };
      const sandbox = await create({ env, labels });
      expect(await evaluate(sandbox, "len(__import__('os').environ['A'])")).toBe("20000");
      expect(sandbox.info.labels).toEqual(labels);
      const many = Object.fromEntries(
        Array.from({ length: 2000 }, (_, at) => [`label${at}`, "x".repeat(400)]),
      );
      await expectRefusals("invalid_argument", [
        create({ env: { A: "字".repeat(22_000) } }),
        create({ labels: { b: "字".repeat(6000) } }),
        create({ labels: many }),
      ]);
    });

    it("takes the network policies it can enforce and refuses the others", async () => {
      const policies = {
        none: "none",
        allow: { allow: ["example.com"] },
        "all-public": "all-public",
      } as const;
      for (const kind of Object.keys(policies) as (keyof typeof policies)[]) {
        const creation = create({ network: policies[kind] });
        if (driver.capabilities.network.includes(kind)) expect((await creation).id).toBeTruthy();
        else await expectRefusals("not_supported", [creation]);
      }
    });

    it("leaves nothing behind when its signal has aborted", async () => {
      const options = { id: "never-made-1", signal: AbortSignal.abort() };
      await expect(create(options)).rejects.toMatchObject(refusal("aborted"));
      if (!driver.capabilities.attach) return;
      expect((await driver.list({ dataDir: dataDir() })).map((listing) => listing.id)).not.toContain(
        "never-made-1",
      );
    });

    it("keeps the variables and files of two sandboxes apart", async () => {
      const [one, two] = await Promise.all([create(), create()]);
      await evaluate(one, "secret = 1; open('only-one.txt', 'w').close()");
      expect(await evaluate(two, "import os; ('secret' in globals(), os.listdir('.'))")).toBe("(False, [])");
    });

    // A driver may have to start each of them from nothing.
    it("makes many at once", { timeout: 240_000 }, async () => {
      const sandboxes = await Promise.all(Array.from({ length: 10 }, () => create()));
      const answers = await Promise.all(sandboxes.map((sandbox, n) => evaluate(sandbox, `${n} * ${n}`)));
      expect(answers).toEqual(sandboxes.map((_, n) => String(n * n)));
    });
  });
}
