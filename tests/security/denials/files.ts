import type { Suite } from "@atoll/sandbox/conformance";
import { beforeAll, describe, expect, it } from "vitest";
import { probe } from "./probe.ts";

interface Places {
  readonly foldersTried: number;
  readonly writable: readonly string[];
  readonly devices: readonly string[];
  readonly made: Record<string, string>;
}

interface Interfaces {
  readonly tried: number;
  readonly written: readonly string[];
  readonly read: readonly string[];
}

const ownPlaces = /^\/(workspace|session|tmp|dev\/shm|data\/outputs|work)(\/|$)/;
const harmlessDevices = /^\/dev\/(null|zero|full|random|urandom|tty|console|ptmx|pts\/.*)$/;

export function describeFileDenials({ share }: Suite): void {
  describe("writing outside its own folders:", () => {
    const sandbox = share();
    let places: Places;
    let interfaces: Interfaces;
    beforeAll(async () => {
      places = await probe(sandbox(), "writable_places");
      interfaces = await probe(sandbox(), "kernel_interfaces");
    }, 120_000);

    it("in no folder and to no file", () => {
      expect(places.foldersTried).toBeGreaterThan(100);
      expect(places.writable).toEqual(expect.arrayContaining(["/workspace", "/session", "/tmp"]));
      expect(places.writable.filter((path) => !ownPlaces.test(path))).toEqual([]);
    });

    it("to no device but harmless ones", () => {
      expect(places.devices.filter((path) => !harmlessDevices.test(path))).toEqual([]);
    });

    it.each(["memory", "disk", "null"])("to no device of its own making: %s", (device) => {
      expect(places.made[device]).toMatch(/Error$/);
    });

    it("to none of the kernel's settings", () => {
      expect(interfaces.tried).toBeGreaterThan(0);
      expect(interfaces.written).toEqual([]);
    });

    it("and reads none of the kernel's secrets", () => {
      expect(interfaces.read).toEqual([]);
    });
  });
}
