import { z } from "zod";
import { errorCodes } from "../error-codes.ts";

/** Codes that only the HTTP surface has, beside those of the sandbox. */
const httpErrorCodes = [
  "bad_request", // the request cannot be read: broken JSON, encoding, multipart
  "unauthorized", // no token, or a wrong one
  "forbidden", // another site's page asks, or a signature does not fit
  "method_not_allowed",
  "request_timeout", // the client stopped sending
  "changed", // what is to be replaced is not what the client knew
  "range_not_satisfiable",
  "unsupported_media_type",
  "uri_too_long",
  "headers_too_large",
  "rate_limited",
  "expired", // the temporary thread has ended, by its time or by its user
  "shutting_down",
] as const;

export const apiErrorCodes = [...errorCodes, ...httpErrorCodes] as const;

export type ApiErrorCode = (typeof apiErrorCodes)[number];

export const errorSchema = z.object({
  code: z.enum(apiErrorCodes),
  message: z.string().describe("What happened"),
  hint: z.string().describe("What to do about it"),
});

export type ErrorBody = z.infer<typeof errorSchema>;
