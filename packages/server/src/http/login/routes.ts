import { z } from "zod";
import { aliveSchema } from "@atoll/protocol/schemas";
import type { HttpContext } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import { renderLoginPage } from "./login-page.ts";
import { sessionCookie } from "../security/authentication.ts";
import { isFromTrustedProxy } from "../security/client-address.ts";
import type { RouteContext } from "../api/route-context.ts";

const tag = "Server";
const sessionSeconds = 30 * 86_400;

/** How a browser comes by its cookie. */
export function addLoginRoutes(context: RouteContext): void {
  const { api, authentication, loginCodes } = context;

  api.add(
    {
      method: "get",
      path: "/login",
      operationId: "logIn",
      tag,
      summary: "Trade the code of a login link for a cookie",
      query: z.object({ code: z.string().min(1).max(200) }),
      otherResults: { "text/html": "A page that leads to /ui" },
      otherStatuses: { 302: "The link is not good any more: a browser is led to /ui, where it can log in" },
      isPublic: true,
    },
    ({ c, query }) => {
      if (authentication.isRequired && !loginCodes.redeem(query.code)) {
        if (c.req.header("accept")?.includes("text/html")) return c.redirect("/ui", 302);
        throw new ApiError("forbidden", "this login link was used before, or has expired", {
          hint: "Restart the server for a new link, or send the token as `Authorization: Bearer`.",
        });
      }
      giveCookie(c, context);
      return c.html(renderLoginPage(), 200, { "cache-control": "no-store" });
    },
  );

  api.add(
    {
      method: "post",
      path: "/login",
      operationId: "logInWithToken",
      tag,
      summary: "Trade the token for a cookie",
      description: "The token is sent as `Authorization: Bearer`; a page cannot read the cookie.",
      result: aliveSchema,
      errors: ["unauthorized", "rate_limited"],
      isPublic: true,
    },
    ({ c }) => {
      if (authentication.isRequired && c.get("isAuthenticated") !== true) {
        throw new ApiError("unauthorized", "this is not the server's token", {
          hint: "The server prints its token when it makes one; else it is ATOLL_TOKEN.",
        });
      }
      giveCookie(c, context);
      return { status: "ok" as const };
    },
  );
}

function giveCookie(c: HttpContext, { authentication, config }: RouteContext): void {
  if (!authentication.isRequired) return;
  const isSecure =
    isFromTrustedProxy(c, config.trustedProxies) && c.req.header("x-forwarded-proto") === "https";
  const cookie = [
    `${sessionCookie}=${authentication.sessionValue()}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Strict",
    `Max-Age=${sessionSeconds}`,
    ...(isSecure ? ["Secure"] : []),
  ];
  c.header("set-cookie", cookie.join("; "));
}
