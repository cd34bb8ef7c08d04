import type { MiddlewareHandler } from "hono";
import type { HttpEnvironment } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";

const maxUrlLength = 8192;

/** What cannot be decoded is refused here, so that no route sees half-decoded text. */
export function checkUrl(): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const { url } = c.req;
    if (url.length > maxUrlLength)
      throw new ApiError("uri_too_long", `the address is longer than ${maxUrlLength} characters`);
    if (url.includes("%")) {
      try {
        decodeURIComponent(url);
      } catch {
        throw new ApiError(
          "bad_request",
          "the address has a percent sign that encodes nothing, or bytes that are not UTF-8",
          {
            hint: "Encode each part of the address, e.g. with encodeURIComponent.",
          },
        );
      }
    }
    await next();
  };
}
