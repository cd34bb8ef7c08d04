import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { EgressOptions, NetworkPolicy, Sandbox } from "@atoll/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeSandboxes, evaluate } from "../../../tests/support/lifecycle/sandbox-suite.ts";

await describeSandboxes("thread network", ({ open }) => {
  const site = createServer((_request, response) => response.end("here"));
  const policies = new Map<string, NetworkPolicy>();
  const asked: string[] = [];
  let address = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(() => void site.close());

  const network = (threadId: string) => ({
    policy: policies.get(threadId) ?? "none",
    egress: {
      addresses: { "a.test": address, "b.test": address },
      onTraffic: ({ host, outcome }) => void asked.push(`${threadId} ${host} ${outcome}`),
    } satisfies EgressOptions,
  });
  const get = (sandbox: Sandbox, host: string) =>
    evaluate(
      sandbox,
      `
import urllib.request, urllib.error
def get(url):
    try:
        return urllib.request.urlopen(url, timeout=30).read().decode()
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return "no network"
get("http://${host}/")`,
    );

  it("a sandbox has its thread's policy when it is created, woken from cold and adopted", async () => {
    policies.set("net-one", { allow: ["a.test"] });
    const { sandboxes } = open({ network });
    const { sandbox } = await sandboxes.wake("net-one", {});
    expect([await get(sandbox, "a.test"), await get(sandbox, "b.test")]).toEqual(["'here'", "403"]);
    await sandboxes.hibernate("net-one");
    expect(await get(sandbox, "a.test")).toBe("'here'");
    expect(asked).toEqual(["net-one a.test allowed", "net-one b.test refused", "net-one a.test allowed"]);

    const other = open({ network }).sandboxes;
    policies.set("net-one", { allow: ["b.test"] });
    expect((await other.adopt()).joined).toContain("net-one");
    const joined = (await other.wake("net-one", {})).sandbox;
    expect([await get(joined, "a.test"), await get(joined, "b.test")]).toEqual(["403", "'here'"]);
  });

  it("a live sandbox gets a changed policy and keeps its variables", async () => {
    const { sandboxes } = open({ network });
    const { sandbox } = await sandboxes.wake("net-two", {});
    await sandbox.python.run("kept = open('/tmp/open', 'w')");
    expect(await get(sandbox, "a.test")).toBe("'no network'");
    policies.set("net-two", { allow: ["a.test"] });
    await sandboxes.updateNetwork("net-two");
    expect(sandbox.info.network).toEqual({ allow: ["a.test"] });
    expect(await get(sandbox, "a.test")).toBe("'here'");
    policies.set("net-two", "none");
    await sandboxes.updateNetwork("net-two");
    expect(await get(sandbox, "a.test")).toBe("'no network'");
    expect(await evaluate(sandbox, "kept.closed")).toBe("False");
  });

  it("a branch inherits the policy of its source", async () => {
    policies.set("net-three", { allow: ["a.test"] });
    const { sandboxes } = open({ network });
    const { sandbox } = await sandboxes.wake("net-three", {});
    await sandbox.python.run("x = 1");
    await sandboxes.checkpoint("net-three", "turn-1");
    const branched = await sandboxes.branch("net-three", ["turn-1"], "net-branch", {});
    expect([await get(branched.sandbox, "a.test"), await get(branched.sandbox, "b.test")]).toEqual([
      "'here'",
      "403",
    ]);
    expect(asked).toContain("net-branch b.test refused");
  });

  it("a thread without a policy has no network, also if its sandbox was left with one", async () => {
    policies.set("net-four", { allow: ["a.test"] });
    await open({ network }).sandboxes.wake("net-four", {});
    policies.delete("net-four");
    const { sandbox } = await open({ network }).sandboxes.wake("net-four", {});
    expect(await get(sandbox, "a.test")).toBe("'no network'");
  });
});
