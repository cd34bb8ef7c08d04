/**
 * What another server needs of a request. The rest stays here, and with it every credential: the signature speaks for
 * the user.
 */
export function isForwardedWithRequest(name: string): boolean {
  return requestHeaders.has(name) || isOfMcp(name);
}

/** What our servers say in answers that are passed on. Cookies are set by none of them. */
export function isForwardedWithAnswer(name: string): boolean {
  return answerHeaders.has(name) || isOfMcp(name);
}

const requestHeaders = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "host",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "last-event-id",
  "origin",
  "range",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
  "user-agent",
]);

const answerHeaders = new Set([
  "accept-ranges",
  "allow",
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-range",
  "content-security-policy",
  "content-type",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "date",
  "etag",
  "last-modified",
  "referrer-policy",
  "retry-after",
  "vary",
  "www-authenticate",
  "x-accel-buffering",
  "x-content-type-options",
  "x-frame-options",
  "x-robots-tag",
]);

function isOfMcp(name: string): boolean {
  return /^mcp-[a-z-]{1,40}$/.test(name);
}
