import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EgressSite, openEgressSite } from "../support/egress-site/index.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";
import { countMetric, LifecycleBench, run } from "./lifecycle/bench.ts";

/** Prints the status and the beginning of the body, or that there is no way. */
function get(url: string): string {
  return `
import urllib.request, urllib.error
try:
    answer = urllib.request.urlopen("${url}", timeout=30)
    print(answer.status, answer.read(200).decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read(200).decode())
except OSError as error:
    print("no way")`;
}

describe("the network of threads", () => {
  let bench: LifecycleBench;
  let site: EgressSite;
  let server: ServerProcess;
  let user: ThreadUser;
  const env = () => ({
    ATOLL_EGRESS_FILE: join(bench.folder.path, "egress.json"),
    ATOLL_NETWORK_MAX: "*.test",
    SITE_SECRET: site.secret,
  });
  beforeAll(async () => {
    [bench, site] = await Promise.all([LifecycleBench.create("network"), openEgressSite()]);
    const file = {
      credentials: [{ host: "secret.test", valueFromEnv: "SITE_SECRET" }],
      addresses: { "site.test": site.url, "secret.test": site.url },
    };
    await writeFile(join(bench.folder.path, "egress.json"), JSON.stringify(file), { mode: 0o600 });
    server = await bench.start(env());
    user = await ThreadUser.create(server.url, { network: { allow: ["site.test"] } });
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    await site.close();
  });

  it("a thread reaches what it was given, and its model knows what that is", async () => {
    expect(await run(user, get("http://site.test/hello"))).toBe("200 hello");
    expect(await run(user, get("http://secret.test/simple/"))).toMatch(/^403 atoll: the network policy/);
    const system = JSON.stringify(bench.models.requests.at(-1)?.body.messages[0]);
    expect(system).toContain("Network: site.test, through the proxy");
  });

  it("what it does there is in its log, as it happens, and counted", async () => {
    const stream = await user.send(get("http://elsewhere.test/"));
    expect(await stream.until("network")).toMatchObject({
      host: "elsewhere.test",
      outcome: "refused",
      count: 1,
    });
    await stream.until("done");
    const { traffic } = await user.client.threads.traffic(user.threadId);
    expect(traffic.map(({ host, outcome }) => `${host} ${outcome}`)).toEqual([
      "elsewhere.test refused",
      "secret.test refused",
      "site.test allowed",
    ]);
    expect(traffic[2]).toMatchObject({ method: "GET", port: 80, received_bytes: 5 });
    expect(await countMetric(server.url, "atoll_egress_requests_total", "refused")).toBe(2);
    expect(await countMetric(server.url, "atoll_egress_bytes_total", "received")).toBe(5);
  });

  it("a change holds at once, and loses nothing that runs", async () => {
    await run(user, "kept = open('/tmp/kept', 'w')");
    const changed = await user.client.threads.update(user.threadId, { network: { allow: ["secret.test"] } });
    expect(changed.network).toEqual({ allow: ["secret.test"] });
    expect(await run(user, `print(kept.closed)${get("http://site.test/hello")}`)).toMatch(/^False\n403 /);
    expect(await run(user, get("http://secret.test/simple/atoll-probe/"))).toMatch(/^200 .*\.whl/);
  });

  it("it is still so for the next server, also from cold, and the log is", async () => {
    await server.kill();
    server = await bench.start(env());
    user.moveTo(server.url);
    expect(await run(user, `print(kept.closed)${get("http://site.test/hello")}`)).toMatch(/^False\n403 /);
    await user.client.threads.suspend(user.threadId);
    expect(await run(user, get("http://secret.test/simple/atoll-probe/"))).toMatch(/200 .*\.whl/);
    const look = async () =>
      (await user.client.threads.traffic(user.threadId)).traffic.map(
        ({ host, outcome }) => `${host} ${outcome}`,
      );
    await expect.poll(async () => (await look())[0]).toBe("secret.test allowed");
    expect((await look()).at(-1)).toBe("site.test allowed");
  });

  it("a branch has the network of its thread and traffic of its own", async () => {
    const [last] = (await user.history()).filter(({ role }) => role === "user").toReversed();
    const { thread_id: id } = await user.client.threads.branch(user.threadId, {
      message_id: last?.message_id ?? "",
    });
    const branch = new ThreadUser(server.url, id);
    expect((await branch.client.threads.get(id)).network).toEqual({ allow: ["secret.test"] });
    expect(await run(branch, get("http://site.test/hello"))).toMatch(/403 /);
    const look = async () => (await branch.client.threads.traffic(id)).traffic.map(({ host }) => host);
    await expect.poll(look).toEqual(["site.test"]);
  });

  it("nobody gets more than the operator allows, and a thread without a choice gets nothing", async () => {
    await expect(ThreadUser.create(server.url, { network: "all-public" })).rejects.toMatchObject({
      status: 403,
      code: "forbidden",
    });
    const plain = await ThreadUser.create(server.url);
    expect((await plain.client.threads.get(plain.threadId)).network).toBe("none");
    expect(await run(plain, get("http://site.test/hello"))).toBe("no way");
  });

  it("the secret is nowhere: not in the log, the settings, the output, nor in any file", async () => {
    const word = site.secret.replace("Bearer ", "");
    const answers = await Promise.all(
      [
        `/thread/${user.threadId}/events?follow=false`,
        `/thread/${user.threadId}/traffic`,
        "/settings",
        "/metrics",
      ].map(async (path) => (await fetch(server.url + path)).text()),
    );
    expect([...answers, ...server.output].filter((text) => text.includes(word))).toEqual([]);
    await server.stop();
    const found = await promisify(execFile)("grep", ["-rlaF", word, bench.folder.path]).catch(
      (error: { code: number; stdout: string }) => error,
    );
    expect(found).toMatchObject({ code: 1, stdout: "" });
  });
});
