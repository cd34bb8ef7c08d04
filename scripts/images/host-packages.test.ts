import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findHostSystem } from "./host-packages.ts";

describe.runIf(existsSync("/var/lib/dpkg/status"))(
  "a system out of what is installed on this machine",
  () => {
    it("has what its packages need, and all that is essential", async () => {
      const system = (await findHostSystem(["tar"])) ?? expect.fail("tar is essential to Debian");
      const names = system.packages.map((one) => one.replace(/(:\w+)?=.*/, ""));
      // libc6 is needed by all; awk, which base-files needs, is the name of what several provide.
      for (const name of ["tar", "bash", "base-files", "libc6"]) expect(names).toContain(name);
      expect(names.some((name) => /^(mawk|gawk|original-awk|busybox)$/.test(name))).toBe(true);
      expect(names.length).toBeLessThan(200);
      expect(system.paths.some((path) => path.endsWith("/bin/tar"))).toBe(true);
      expect(system.paths.every((path) => path.startsWith("/"))).toBe(true);
    });

    it("is not there where a package of it is not", async () => {
      expect(await findHostSystem(["atoll-never-packaged"])).toBeUndefined();
    });
  },
);
