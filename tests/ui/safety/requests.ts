import type { Page, Request } from "playwright-core";

/** Watches for requests to other servers. The returned function lists those that the policy did not block. */
export function watchRequests(page: Page, server: string): () => Promise<string[]> {
  const elsewhere: Request[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob|about):/.test(url) && new URL(url).origin !== new URL(server).origin)
      elsewhere.push(request);
  });
  return async () => {
    await Promise.all(elsewhere.map((request) => request.response().catch(() => null)));
    const left = elsewhere.filter((request) => request.failure()?.errorText !== "csp");
    return left.map((request) => request.url());
  };
}
