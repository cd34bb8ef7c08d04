import type { Ui } from "../app.ts";
import { ApiError } from "../errors/api-error.ts";
import type { RouteContext } from "../api/route-context.ts";

export function addUiRoute({ api }: RouteContext, ui: Ui | undefined): void {
  const answer = async (request: Request): Promise<Response> => {
    if (ui)
      return ui(new Request(belowUi(request.url), { method: request.method, headers: request.headers }));
    throw new ApiError("not_found", "this server has no pages", { hint: "Use the API; /docs describes it." });
  };
  api.add(
    {
      method: "get",
      path: "/ui",
      operationId: "getUi",
      tag: "Server",
      summary: "The chat, in a browser",
      otherResults: { "text/html": "A page" },
      errors: ["not_found"],
    },
    ({ c }) => answer(c.req.raw),
  );
  api.app.get("/ui/*", (c) => {
    c.set("route", "/ui/*");
    return answer(c.req.raw);
  });
}

/** The pages know themselves from `/` on. */
function belowUi(address: string): URL {
  const url = new URL(address);
  url.pathname = url.pathname.slice("/ui".length) || "/";
  return url;
}
