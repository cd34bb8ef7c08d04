import type { Suite } from "@atoll/sandbox/conformance";
import { beforeAll, describe, expect, it } from "vitest";
import type { Kernel } from "./kernels.ts";
import { probe } from "./probe.ts";

interface Places {
  readonly foldersTried: number;
  readonly writable: readonly string[];
  readonly devices: readonly string[];
  readonly made: Record<string, string>;
  readonly madeAndOpened: Record<string, string>;
  readonly tunnel: string;
}

interface Interfaces {
  readonly tried: number;
  readonly written: readonly string[];
  readonly read: readonly string[];
  readonly told: readonly string[];
}

/** What of the whole machine programs need to know: see the known limits. */
const toldOfTheMachine =
  /^\/proc\/(cpuinfo|meminfo|stat|uptime|loadavg|version|filesystems|swaps|vmstat|cgroups)$/;
const ownPlaces = /^\/(workspace|session|tmp|dev\/shm|data\/outputs|work)(\/|$)/;
const harmlessDevices = /^\/dev\/(null|zero|full|random|urandom|tty|console|ptmx|pts\/.*)$/;

/** They open there, and lead to the sandbox's own kernel; a mount or an interface made with them is refused. */
const gvisorDevices = ["/dev/fuse", "/dev/net/tun"];

export function describeFileDenials({ share }: Suite, kernel: Kernel): void {
  describe("writing outside its own folders:", () => {
    const sandbox = share();
    let places: Places;
    let interfaces: Interfaces;
    beforeAll(async () => {
      places = await probe(sandbox(), "writable_places");
      interfaces = await probe(sandbox(), "kernel_interfaces");
    });

    it("in no folder and to no file", () => {
      expect(places.foldersTried).toBeGreaterThan(100);
      expect(places.writable).toEqual(expect.arrayContaining(["/workspace", "/session", "/tmp"]));
      expect(places.writable.filter((path) => !ownPlaces.test(path))).toEqual([]);
    });

    it("to no device but harmless ones", () => {
      const others = places.devices.filter((path) => !harmlessDevices.test(path));
      expect(kernel === "gvisor" ? others.filter((path) => !gvisorDevices.includes(path)) : others).toEqual(
        [],
      );
    });

    it("to no network interface of its own making", () => {
      expect(places.tunnel).toMatch(/Error$/);
    });

    // gVisor lets anyone make one, of which those that it does not have itself lead nowhere.
    it.runIf(kernel === "gvisor").each(["memory", "disk"])("to no device of its own making: %s", (device) => {
      expect(places.madeAndOpened[device]).toMatch(/Error$/);
    });

    it.runIf(kernel === "linux").each(["memory", "disk", "null"])(
      "to no device of its own making: %s",
      (device) => {
        expect(places.made[device]).toMatch(/Error$/);
      },
    );

    it("to none of the kernel's settings", () => {
      expect(interfaces.tried).toBeGreaterThan(0);
      expect(interfaces.written).toEqual([]);
    });

    it("and reads none of the kernel's secrets", () => {
      expect(interfaces.read).toEqual([]);
    });

    it.runIf(kernel === "linux")("and reads no more of the machine than programs need", () => {
      expect(interfaces.told.filter((path) => !toldOfTheMachine.test(path))).toEqual([]);
      expect(interfaces.told).toContain("/proc/meminfo");
    });
  });
}
