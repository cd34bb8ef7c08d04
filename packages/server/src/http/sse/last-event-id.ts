import type { HttpContext } from "../environment.ts";

/** Where a reader that comes back wants to go on. */
export function lastEventId(c: HttpContext): number | undefined {
  const given = c.req.header("last-event-id") ?? "";
  return /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}
