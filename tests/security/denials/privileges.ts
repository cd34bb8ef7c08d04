import type { Sandbox } from "@atoll/sandbox";
import type { Suite } from "@atoll/sandbox/conformance";
import { beforeAll, describe, expect, it } from "vitest";
import type { Kernel } from "./kernels.ts";
import { probe, probeByCommand, probeOnHost } from "./probe.ts";

interface Status {
  readonly own: Record<string, string>;
  readonly noNewPrivileges: number;
  readonly setuidCopies: readonly Record<string, string>[];
  readonly setuid: string;
  readonly setgid: string;
  readonly setgroups: string;
  readonly chown: string;
  readonly nice: string;
}

export function describePrivilegeDenials({ share }: Suite, kernel: Kernel): void {
  const ways: [string, (sandbox: Sandbox) => Promise<Status>][] = [
    ["a kernel", (sandbox) => probe(sandbox, "status")],
    [
      "a restarted kernel",
      async (sandbox) => {
        await sandbox.python.restart();
        return probe(sandbox, "status");
      },
    ],
    [
      "the kernel after a crash",
      async (sandbox) => {
        await sandbox.python.run("import os; os._exit(1)");
        return probe(sandbox, "status");
      },
    ],
    ["a command", (sandbox) => probeByCommand(sandbox, "status")],
  ];

  describe.each(ways)("privileges to %s:", (_, ask) => {
    const sandbox = share();
    let status: Status;
    beforeAll(async () => {
      status = await ask(sandbox());
    });

    it("no capability, in any set", () => {
      const ambient = kernel === "linux" ? ["CapAmb"] : [];
      for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", ...ambient]) {
        expect([set, status.own[set]]).toEqual([set, "0000000000000000"]);
      }
    });

    it("no way to new ones", () => {
      expect(status.noNewPrivileges).toBe(1);
      if (kernel === "linux") expect(status.own["NoNewPrivs"]).toBe("1");
    });

    it("no system call that the filter does not let pass", () => {
      expect(status.own["Seccomp"]).toBe("2");
    });

    it("none through a setuid file", () => {
      for (const copy of status.setuidCopies) {
        if (copy["error"] !== undefined) continue;
        expect(copy["Uid"]).toBe(status.own["Uid"]);
        expect(copy["CapEff"]).toBe("0000000000000000");
      }
      expect(status.setuidCopies).toHaveLength(2);
    });

    // Under gVisor a priority is a number that nobody heeds.
    const standing = kernel === "linux" ? (["nice"] as const) : [];
    it.each(["setuid", "setgid", "setgroups", "chown", ...standing] as const)(
      "no other identity or standing by %s",
      (call) => {
        expect(status[call]).toMatch(/Error$/);
      },
    );
  });

  it("the probe of privileges sees those of the host", async () => {
    const { own } = await probeOnHost<Status>("status", { isOnHost: true });
    expect(own["CapBnd"]).toMatch(/^[0-9a-f]{16}$/);
    expect(own["Seccomp"]).toMatch(/^[012]$/);
  });
}
