import { AtollError } from "@atoll/sandbox";
import type { ThreadRecord } from "../../store/contract.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { type HttpContext, whenAnswered } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import type { RouteContext } from "../api/route-context.ts";

/** A session that a client has named, for one request. */
export interface SessionRequest {
  readonly sessionId: string;
  /** What has been read of the request already, for the server that has the session. */
  readonly body?: unknown;
}

/** Answers at the server that has the session's thread; where there is none, this one makes it. */
export async function inSession<Result>(
  context: RouteContext,
  c: HttpContext,
  { sessionId, body }: SessionRequest,
  answer: (thread: ThreadRecord) => Promise<Result>,
): Promise<Result | Response> {
  const sessions = requireSessions(context);
  const threadId = sessions.threadIdOf(sessionId);
  for (let tries = 1; ; tries += 1) {
    const led = await context.lead(c, threadId, { body });
    if (led) return led;
    try {
      const thread = await sessions.open(sessionId);
      whenAnswered(c, sessions.use(thread.id));
      return await answer(thread);
    } catch (error) {
      // Another server made it in the meantime, or took it: nothing was done here.
      const hasMoved = error instanceof AtollError && error.code === "not_owner";
      if (!hasMoved || c.get("forwarded") || tries === maxTries) throw error;
    }
  }
}

const maxTries = 3;

export function requireSessions({ services }: Pick<RouteContext, "services">): Sessions {
  if (services.sessions) return services.sessions;
  throw new ApiError("not_supported", "this server has no temporary threads");
}
