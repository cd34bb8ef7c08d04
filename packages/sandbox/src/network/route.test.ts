import { expect, it } from "vitest";
import { Routes } from "./route.ts";

/** A name server of the attacker's, which gives another answer each time. */
function rebind(...answers: string[][]) {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return answers[Math.min(asked.length, answers.length) - 1] ?? [];
  };
  return { asked, resolve };
}

it("a name is looked up once, and the address that was checked is the one that is connected to", async () => {
  const { asked, resolve } = rebind(["1.2.3.4"], ["127.0.0.1"]);
  const routes = new Routes("all-public", {}, resolve);
  expect(await routes.find({ host: "Rebound.test.", port: 443 })).toEqual({
    host: "rebound.test",
    address: "1.2.3.4",
    port: 443,
  });
  expect(asked).toEqual(["rebound.test"]);
  await expect(routes.find({ host: "rebound.test", port: 443 })).rejects.toThrow("not public");
});

it("of several addresses only a public one is taken", async () => {
  const { resolve } = rebind(["10.0.0.1", "::ffff:127.0.0.1", "1.2.3.4"]);
  const route = await new Routes("all-public", {}, resolve).find({ host: "mixed.test", port: 80 });
  expect(route.address).toBe("1.2.3.4");
});

it("a name that is not allowed is told to no name server: nothing leaves in it", async () => {
  const { asked, resolve } = rebind(["1.2.3.4"]);
  const routes = new Routes({ allow: ["mirror.test"] }, {}, resolve);
  for (const host of ["c2VjcmV0.tunnel.test", "x.mirror.test", "mirror.test.tunnel.test"])
    await expect(routes.find({ host, port: 443 })).rejects.toThrow("does not allow");
  expect(asked).toEqual([]);
});
