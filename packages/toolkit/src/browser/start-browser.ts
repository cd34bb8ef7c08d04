import { AtollError, type Sandbox } from "@atoll/sandbox";
import type { Browser as Connection } from "playwright-core";
import type { Activity } from "./activity.ts";
import { Browser } from "./browser.ts";
import { startChromium } from "./chromium/chromium.ts";
import { Dialogs } from "./page/dialogs.ts";
import { Downloads, DOWNLOADS_FOLDER } from "./page/downloads.ts";
import { describeFault } from "./fault.ts";
import type { Notes } from "./page/notes.ts";
import { createPipeTransport } from "./chromium/pipe-transport.ts";
import type { Refusals } from "./page/refusals.ts";
import { Tabs } from "./page/tabs.ts";

const CONNECT_TIMEOUT_MS = 60_000;
const ACTION_TIMEOUT_MS = 7000;

export interface StartOptions {
  /** Its own. */
  readonly sandbox: Sandbox;
  /** The session's, for downloads. */
  session(): Promise<Sandbox>;
  readonly notes: Notes;
  readonly refusals: Refusals;
  readonly activity: Activity;
}

export interface RunningBrowser {
  readonly browser: Browser;
  /** In order, so that the profile is complete. */
  end(): Promise<void>;
}

export async function startBrowser(options: StartOptions): Promise<RunningBrowser> {
  const { sandbox, session, notes, refusals, activity } = options;
  const [{ chromium }, { pipe, ended }] = await Promise.all([
    import("playwright-core"),
    startChromium(sandbox),
  ]);
  const connecting = chromium.connectOverCDP(createPipeTransport(pipe), {
    timeout: CONNECT_TIMEOUT_MS,
    // A path inside: nothing on this host is written to or read.
    artifactsDir: DOWNLOADS_FOLDER,
  });
  const connection = await connecting.catch((cause: unknown) => {
    const reason = describeFault(cause);
    throw new AtollError("runtime_unavailable", `the browser did not start: ${reason}`, { cause });
  });
  const context = connection.contexts()[0] ?? (await connection.newContext());
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  context.on("request", (request) => refusals.noteRequest(request.url()));
  const dialogs = new Dialogs(notes);
  const downloads = new Downloads(sandbox, session, notes);
  const tabs = new Tabs(context, { notes, dialogs, downloads });
  await announceTabs(connection, tabs);
  const parts = { connection, tabs, notes, dialogs, downloads, refusals, activity };
  return {
    browser: new Browser(sandbox.id, parts),
    async end() {
      await connection.close().catch(() => {});
      await ended();
    },
  };
}

/** Tabs are known to be coming before they can be used. */
async function announceTabs(connection: Connection, tabs: Tabs): Promise<void> {
  const session = await connection.newBrowserCDPSession();
  await session.send("Target.setDiscoverTargets", { discover: true });
  session.on("Target.targetCreated", ({ targetInfo: { type, targetId } }) => {
    if (type === "page") tabs.expect(targetId);
  });
  session.on("Target.targetDestroyed", ({ targetId }) => tabs.forget(targetId));
}
