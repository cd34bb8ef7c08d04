import { expect, it } from "vitest";
import { chunked, sendBytes, statusesOf, type TwoServers } from "./bench.ts";

/** What an attacker gets who reaches the port of a server, knows the ids of a thread and a sandbox, and has no token. */
export function describePublicPort(servers: () => TwoServers): void {
  const previewHost = () => `${servers().owned.previewPort}-${servers().owned.sandboxId}.localhost`;
  const blob = () => `/thread/${servers().owned.threadId}/blobs/${"0".repeat(64)}?signature=x`;

  it("does not get a signature for a route by asking for a preview without a Host", async () => {
    for (const target of ["/settings", "/threads", "/operator/servers", "/sandboxes"]) {
      const answer = await sendBytes(servers().second, [
        `GET ${target} HTTP/1.1`,
        `Host: ${previewHost()}`,
        "Connection: close, host",
      ]);
      expect([target, statusesOf(answer)]).toEqual([target, [401]]);
      expect(answer).not.toMatch(/a secret title|approval_rules|server_id|sandbox_id/);
    }
  });

  it("does not change anything that way either", async () => {
    const body = JSON.stringify({ id: "made-without-a-token" });
    const answer = await sendBytes(
      servers().second,
      [
        "POST /sandboxes HTTP/1.1",
        `Host: ${previewHost()}`,
        "Connection: close, host",
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
      ],
      body,
    );
    expect(statusesOf(answer)).toEqual([401]);
    const { status } = await fetch(`${servers().first.url}/sandboxes/made-without-a-token`, {
      headers: servers().authorized,
    });
    expect(status).toBe(404);
  });

  it("does not smuggle a second request to the other server in the body of a GET", async () => {
    const wanted = ["GET /settings", "GET /threads", "POST /sandboxes"];
    const framings = (smuggled: string) => [
      { lines: ["Transfer-Encoding: chunked"], body: chunked(smuggled) },
      { lines: [`Content-Length: ${smuggled.length}`, "Connection: content-length"], body: smuggled },
      { lines: ["Transfer-Encoding: chunked", "Connection: transfer-encoding"], body: chunked(smuggled) },
    ];
    const heads = [
      [`GET ${blob()} HTTP/1.1`, "Host: localhost"],
      ["GET /any HTTP/1.1", `Host: ${previewHost()}`],
      ["HEAD /any HTTP/1.1", `Host: ${previewHost()}`],
      ["DELETE /any HTTP/1.1", `Host: ${previewHost()}`],
    ];
    for (const line of wanted) {
      const smuggled = `${line} HTTP/1.1\r\nHost: localhost\r\nX-Ignored: `;
      const attacks = framings(smuggled).flatMap((framing) => heads.map((first) => ({ ...framing, first })));
      for (const { first, lines, body } of attacks) {
        await sendBytes(
          servers().second,
          [...first, ...lines],
          `${body}GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
        );
        // The connection between the servers is used again by whoever comes next.
        const next = await sendBytes(servers().second, [
          `${line} HTTP/1.1`,
          `Host: ${previewHost()}`,
          "Content-Length: 0",
          "Connection: close",
        ]);
        expect(statusesOf(next), next).toEqual([401]);
        expect(next).not.toMatch(/approval_rules|a secret title|sandbox_id/);
      }
    }
  });

  it("leaves the requests of others alone, whatever follows a body", async () => {
    const { second, owned, authorized } = servers();
    const smuggled = `GET /thread/${owned.threadId}/blobs/${"1".repeat(64)}?signature=y HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    for (let round = 0; round < 5; round += 1) {
      await sendBytes(
        second,
        [`GET ${blob()} HTTP/1.1`, "Host: localhost", "Transfer-Encoding: chunked"],
        `${chunked(smuggled)}GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      const honest = await fetch(`${second.url}/thread/${owned.threadId}/status`, { headers: authorized });
      expect(honest.status).toBe(200);
      expect(await honest.json()).toMatchObject({ thread_id: owned.threadId });
    }
  });

  it("is refused with a signature that it made up, wherever it sends it", async () => {
    const { first, second, owned } = servers();
    const forged = [`${Date.now()};x;yes;AAAA`, "", ";;;", "x".repeat(5000), "1;2;3;4;5;6;7;8"];
    const targets = [
      "/settings",
      `/thread/${owned.threadId}/history`,
      `/preview/${owned.sandboxId}/${owned.previewPort}/`,
    ];
    for (const server of [first, second])
      for (const target of targets)
        for (const value of forged) {
          const answer = await sendBytes(server, [
            `GET ${target} HTTP/1.1`,
            "Host: localhost",
            `X-Atoll-Forwarded: ${value}`,
            "Connection: close",
          ]);
          expect([401, 403], target).toContain(statusesOf(answer)[0]);
        }
  });

  it("cannot name the signature, or a length, as a header of the connection", async () => {
    const { second, owned } = servers();
    for (const named of [
      "x-atoll-forwarded",
      "authorization",
      "host",
      "content-length",
      "content-type",
      "origin",
    ]) {
      for (const target of [
        blob(),
        `/thread/${owned.threadId}/history`,
        `/preview/${owned.sandboxId}/${owned.previewPort}/`,
      ]) {
        const answer = await sendBytes(second, [
          `GET ${target} HTTP/1.1`,
          "Host: localhost",
          "Origin: http://evil.example",
          `Connection: close, ${named}`,
        ]);
        expect([401, 403, 404], answer).toContain(statusesOf(answer)[0]);
      }
    }
  });

  it("gets no further with targets in other forms", async () => {
    const { first, second, owned } = servers();
    const path = `/thread/${owned.threadId}/history`;
    const targets = [
      `http://localhost${path}`,
      `http://${previewHost()}/settings`,
      `//localhost${path}`,
      `//${previewHost()}/settings`,
      path.replace("/thread/", "/thread%2f"),
      path.replace("/thread/", "/%74hread/"),
      path.replace("/history", "%2fhistory"),
      `/thread/../thread/${owned.threadId}/history`,
      `/thread/${owned.threadId}/%2e%2e/${owned.threadId}/history`,
      `/preview/${owned.sandboxId}/${owned.previewPort}/../../../settings`,
      `/preview/${owned.sandboxId}/${owned.previewPort}%2f..%2f..%2f..%2fsettings`,
      `${path}#/healthz`,
      `${path};/healthz`,
      `/healthz/../thread/${owned.threadId}/history`,
      `/ui/assets/../../thread/${owned.threadId}/history`,
      `/shared/..%2fthread/${owned.threadId}/history`,
      "*",
    ];
    for (const server of [first, second])
      for (const method of ["GET", "HEAD", "OPTIONS", "POST", "DELETE", "TRACE"])
        for (const target of targets)
          for (const host of ["localhost", previewHost()]) {
            const answer = await sendBytes(server, [
              `${method} ${target} HTTP/1.1`,
              `Host: ${host}`,
              "Content-Length: 0",
              "Connection: close",
            ]);
            const [status = 0] = statusesOf(answer);
            expect(status, `${method} ${target} at ${host}: ${answer.slice(0, 300)}`).toBeGreaterThanOrEqual(
              400,
            );
            expect(status).toBeLessThan(500);
          }
  });

  it("opens no upgraded connection through the other server", async () => {
    const { second, owned } = servers();
    const upgrade = ["Connection: Upgrade, close", "Upgrade: websocket"];
    for (const [target, host] of [
      [`/preview/${owned.sandboxId}/${owned.previewPort}/`, "localhost"],
      ["/settings", previewHost()],
      [`/thread/${owned.threadId}/events`, "localhost"],
      ["/mcp", "localhost"],
    ] as const) {
      const smuggled = "GET /settings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      const answer = await sendBytes(
        second,
        [`GET ${target} HTTP/1.1`, `Host: ${host}`, ...upgrade],
        smuggled,
      );
      expect(
        statusesOf(answer).every((status) => status >= 400 && status < 500),
        answer,
      ).toBe(true);
      expect(statusesOf(answer)[0]).toBe(401);
    }
  });
}
