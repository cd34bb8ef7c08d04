import type { CallOptions } from "@atoll/sandbox";
import type { Browser } from "./browser.ts";

/** The way to a session's browser. */
export interface BrowserAccess {
  /** The browser of this session; the first use starts it. Fails with `not_supported` where it cannot. */
  use(options: CallOptions): Promise<Browser>;
}
