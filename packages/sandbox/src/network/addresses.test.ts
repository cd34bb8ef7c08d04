import { networkInterfaces } from "node:os";
import { expect, it } from "vitest";
import { isPublicAddress } from "./addresses.ts";

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

it.each(["::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"])("%s leads to a public one", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it("no address of this machine is public", () => {
  const own = Object.values(networkInterfaces()).flatMap(
    (found) => found?.map(({ address }) => address) ?? [],
  );
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(isPublicAddress)).toEqual([]);
});
