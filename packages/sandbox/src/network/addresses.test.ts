import { networkInterfaces } from "node:os";
import { describe, expect, it, vi } from "vitest";
import { isPublicAddress } from "./addresses.ts";

vi.mock("node:os", { spy: true });

describe("isPublicAddress", () => {
  it.each([
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "192.0.0.8",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "2001::1",
    "2001:db8::1",
    "100::1",
    "0.255.255.255",
    "100.127.255.255",
    "192.0.2.1",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.175.48.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "239.255.255.255",
    "240.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:100.64.0.1",
    "::FFFF:0.0.0.0",
    "::ffff:0:127.0.0.1",
    "::ffff:127.0.0.1%eth0",
    "::8.8.8.8",
    "64:ff9b::a00:1",
    "64:ff9b::100.64.0.1",
    "64:ff9b:1::808:808",
    "2002::",
    "2002:a9fe:a9fe::1",
    "2002:6440:1::",
    "2001:4:112::1",
    "2001:20::1",
    "2620:4f:8000::1",
    "3fff::1",
    "3fff:fff:ffff::1",
    "4000::1",
    "5f00::1",
    "fec0::1",
    "febf::1",
    "0:0:0:0:0:0:0:1",
    "0x7f.1",
    "0177.0.0.1",
    "2130706433",
    "127.1",
    "1.1.1.1/8",
    " 8.8.8.8",
    "[::1]",
    "example.com",
    "",
  ])("%s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::200e"])(
    "%s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each(["::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"])(
    "%s leads to a public one",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it("an address of this machine is not public", () => {
    const own = Object.values(networkInterfaces()).flatMap(
      (found) => found?.map(({ address }) => address) ?? [],
    );
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(isPublicAddress)).toEqual([]);
  });

  it("an address of this machine is not public in another spelling either", () => {
    vi.mocked(networkInterfaces).mockReturnValueOnce({ eth0: [{ address: "2a00:1450::1" }] } as never);
    expect(isPublicAddress("2A00:1450:0:0::0001")).toBe(false);
    expect(isPublicAddress("2a00:1450::2")).toBe(true);
  });
});
