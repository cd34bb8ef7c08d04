import { AtollError } from "@atoll/sandbox";
import { applyUserInput, type UserInput } from "@atoll/toolkit";
import type { z } from "zod";
import { showLive } from "./live-view.ts";
import { Viewers } from "./viewers.ts";
import { toWireTabs } from "./view.ts";
import { browserInputSchema, browserStateSchema, threadParams } from "@atoll/protocol/schemas";
import { ApiError } from "../errors/api-error.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

/** A thread's browser, for a person who watches it or takes it over. */
export function addBrowserRoutes({ api, services, channels }: RouteContext): void {
  const viewers = new Viewers();
  const browserOf = (threadId: string) => {
    const { id } = requireThread(services, threadId);
    if (!services.browsers) throw new AtollError("not_supported", "this server has no browsers");
    return services.browsers.of(id);
  };

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/browser/live",
      operationId: "watchBrowser",
      tag: "Threads",
      summary: "The thread's browser as it is seen, as server-sent events",
      description:
        "`frame`: the page in front as JPEG (base64), its size, and the tabs; a slow reader gets fewer. `off`: no browser runs; when one starts, frames follow. Looking never starts it.",
      params: threadParams,
      otherResults: {
        "text/event-stream": "Events: `frame` with a BrowserState, `jpeg`, `width` and `height`; `off`",
      },
      errors: ["not_found", "busy", "not_supported", "shutting_down"],
      curl: "-N",
    },
    ({ c, params }) => {
      const browser = browserOf(params.thread_id);
      const leave = viewers.enter(params.thread_id);
      try {
        return channels.start(c, (channel) => showLive(browser, channel).finally(leave));
      } catch (error) {
        leave();
        throw error;
      }
    },
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/browser/input",
      operationId: "useBrowser",
      tag: "Threads",
      summary: "Uses the thread's browser as a person does: mouse, keys, text, addresses, tabs",
      description: "Starts the browser when none runs.",
      params: threadParams,
      body: browserInputSchema,
      example: { type: "navigate", url: "http://localhost:8000/" },
      result: browserStateSchema,
      errors: [
        "not_found",
        "invalid_argument",
        "permission_denied",
        "not_supported",
        "runtime_unavailable",
        "timeout",
      ],
    },
    async ({ params, body, signal }) => {
      const browser = await browserOf(params.thread_id).use({ signal });
      await tellAllowing(applyUserInput(browser, toInput(body), { signal }));
      return toWireTabs(await browser.tabs.list());
    },
  );
}

/** The general hint is about files. */
async function tellAllowing(used: Promise<unknown>): Promise<void> {
  try {
    await used;
  } catch (error) {
    if (!(error instanceof AtollError && error.code === "permission_denied")) throw error;
    throw new ApiError("permission_denied", error.message, {
      hint: "Allow the host in the thread's network settings, then try again.",
    });
  }
}

function toInput(body: z.infer<typeof browserInputSchema>): UserInput {
  if (body.type !== "wheel") return body as UserInput;
  return { type: "wheel", x: body.x, y: body.y, deltaX: body.delta_x, deltaY: body.delta_y };
}
