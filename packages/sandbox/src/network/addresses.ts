import { BlockList, isIP, isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";

/** Reachable by everybody: not loopback, private, link-local, shared, reserved, multicast, nor one of this machine's own. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*/s, "").toLowerCase();
  const version = isIP(bare);
  if (version === 0) return false;
  if (version === 4) return !special.check(bare, "ipv4") && !isOwn(bare);
  const inner = embeddedIPv4(bare);
  if (inner !== undefined) return isPublicAddress(inner);
  return globalUnicast.check(bare, "ipv6") && !special.check(bare, "ipv6") && !isOwn(bare);
}

/** The IPv4 address that a mapped, compatible or translated IPv6 address leads to. */
function embeddedIPv4(address: string): string | undefined {
  const groups = expand(address);
  const last = () => toIPv4(groups[6] ?? 0, groups[7] ?? 0);
  const startsWith = (...wanted: number[]) => wanted.every((value, index) => groups[index] === value);
  if (startsWith(0, 0, 0, 0, 0, 0xffff) || startsWith(0, 0, 0, 0, 0xffff, 0)) return last();
  if (startsWith(0x64, 0xff9b)) return last();
  if (groups[0] === 0x2002) return toIPv4(groups[1] ?? 0, groups[2] ?? 0);
  return undefined;
}

function expand(address: string): number[] {
  const dotted = /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address);
  let text = address;
  if (dotted) {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(1).map(Number);
    text = address.slice(0, dotted.index) + `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  }
  const [head = "", tail] = text.split("::");
  const parse = (part: string) => (part === "" ? [] : part.split(":").map((group) => parseInt(group, 16)));
  const [front, back] = [parse(head), tail === undefined ? [] : parse(tail)];
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
}

function toIPv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function isOwn(address: string): boolean {
  return Object.values(networkInterfaces()).some((found) =>
    found?.some((own) => own.address.replace(/%.*/s, "").toLowerCase() === address),
  );
}

const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/** From the registries of special-purpose addresses. */
const special = new BlockList();
for (const range of [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "2001::/23",
  "2001:db8::/32",
  "2620:4f:8000::/48",
  "3fff::/20",
]) {
  const [address = "", bits = ""] = range.split("/");
  special.addSubnet(address, Number(bits), isIPv4(address) ? "ipv4" : "ipv6");
}
