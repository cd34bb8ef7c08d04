import type { HttpContext } from "../environment.ts";

export interface Resumption {
  readonly threadId: string;
  readonly isAnswer: boolean;
  readonly after: number | undefined;
}

/** Whether a stream of events can go on at another server, and where it began. */
export function findResumption(c: HttpContext): Resumption | undefined {
  const [, thread, threadId = "", ...rest] = c.req.path.split("/");
  if (thread !== "thread") return undefined;
  if (c.req.method === "POST" && rest.join("/") === "message/stream")
    return { threadId, isAnswer: true, after: undefined };
  if (c.req.method !== "GET" || rest.join("/") !== "events") return undefined;
  const given = c.req.header("last-event-id") ?? c.req.query("after") ?? "0";
  return { threadId, isAnswer: false, after: /^\d{1,15}$/.test(given) ? Number(given) : 0 };
}
