import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EgressOptions } from "../../contract/network.ts";
import type { SandboxHandle } from "../../contract/sandbox.ts";
import { fetching, openSite, type Site } from "./network-site.ts";
import { evaluate, runOk } from "../run-code.ts";
import type { Suite } from "../suite.ts";

/** One sandbox for all of it, in this order: nothing that runs in it ends meanwhile. */
export function describeNetworkChanges({ driver, dataDir }: Suite): void {
  const { network, attach, pause } = driver.capabilities;

  describe.runIf(network.includes("allow"))("a network policy that changes", () => {
    let site: Site;
    let sandbox: SandboxHandle;
    const egress = (): EgressOptions => ({
      addresses: { "one.test": site.url, "two.test": site.url },
      env: { MIRROR: "http://one.test/simple/" },
    });
    const get = (host: string) => evaluate(sandbox, fetching(`http://${host}/hello`));
    const refused = /^\(403,/;
    beforeAll(async () => {
      site = await openSite();
      sandbox = await driver.create({ dataDir: dataDir(), egress: egress() });
      await runOk(sandbox, "kept = object()");
    });
    afterAll(async () => {
      await sandbox?.destroy();
      await site?.close();
    });

    it("gives a network to a sandbox that had none, not even names", async () => {
      expect(await get("one.test")).toMatch(/name/i);
      await sandbox.setNetwork({ allow: ["one.test"] });
      expect(sandbox.info.network).toEqual({ allow: ["one.test"] });
      expect(await get("one.test")).toBe("(200, b'hello')");
      expect(await get("two.test")).toMatch(refused);
      const { stdout } = await sandbox.commands.run("echo $HTTP_PROXY $MIRROR");
      expect(stdout).toBe("http://127.0.0.1:3128 http://one.test/simple/\n");
    });

    it("gives others, and takes those of before", async () => {
      await sandbox.setNetwork({ allow: ["two.test"] });
      expect(await get("two.test")).toBe("(200, b'hello')");
      expect(await get("one.test")).toMatch(refused);
    });

    it.runIf(pause)("changes also while all stands still", async () => {
      await sandbox.pause();
      await sandbox.setNetwork({ allow: ["one.test"] });
      await sandbox.resume();
      expect(await get("one.test")).toBe("(200, b'hello')");
      expect(await get("two.test")).toMatch(refused);
    });

    it.runIf(attach)("is the one that whoever joins brings along, or else the one it has", async () => {
      const join = async (options: { network?: { allow: string[] } }) => {
        const { id } = sandbox;
        await sandbox.detach();
        sandbox = await driver.attach(id, { dataDir: dataDir(), egress: egress(), ...options });
      };
      await join({});
      expect(await get("one.test")).toBe("(200, b'hello')");
      await join({ network: { allow: ["two.test"] } });
      expect(await get("one.test")).toMatch(refused);
      await join({});
      expect([await get("two.test"), sandbox.info.network]).toEqual([
        "(200, b'hello')",
        { allow: ["two.test"] },
      ]);
    });

    it("cuts connections that are open", async () => {
      const code = `
import http.client
held = http.client.HTTPConnection("127.0.0.1", 3128)
held.request("GET", "http://two.test/hello")
held.getresponse().read()`;
      expect(await evaluate(sandbox, code)).toBe("b'hello'");
      await sandbox.setNetwork("none");
      const again = `
try:
    held.sock.settimeout(20)
    left = held.sock.recv(1)
except OSError as error:
    left = b""
left`;
      expect(await evaluate(sandbox, again)).toBe("b''");
    });

    it("takes the network away, with what tells of it", async () => {
      expect(await get("two.test")).toMatch(/name/i);
      const { stdout } = await sandbox.commands.run("echo [$HTTP_PROXY$MIRROR]");
      expect(stdout).toBe("[]\n");
      expect(await evaluate(sandbox, "import os; os.environ.get('http_proxy')")).toBeUndefined();
    });

    it("has lost nothing on the way", async () => {
      expect(await evaluate(sandbox, "type(kept).__name__")).toBe("'object'");
    });

    it("is refused where it is none", async () => {
      const nonsense = sandbox.setNetwork({ allow: ["*"] });
      await expect(nonsense).rejects.toMatchObject({ code: "invalid_argument" });
    });
  });
}
