import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { testBrowser } from "./sandbox/browser.ts";
import { openTouchSite, type TouchSite } from "./sandbox/touch-site.ts";
import { testKernel } from "./sandbox/kernel.ts";
import { testPorts } from "./sandbox/ports.ts";
import { testState } from "./sandbox/state.ts";
import { testTerminal } from "./sandbox/terminal.ts";
import { testVariables } from "./sandbox/variables.ts";

describeIf({ suite: "the sandbox panels", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  let site: TouchSite;
  let folder: string;
  beforeAll(async () => {
    [site, folder] = await Promise.all([openTouchSite(), mkdtemp(join(tmpdir(), "atoll-egress-"))]);
    const egress = join(folder, "egress.json");
    await writeFile(egress, JSON.stringify({ addresses: { "site.test": site.url } }), { mode: 0o600 });
    ui = await UiHarness.start({ ATOLL_EGRESS_FILE: egress });
  });
  afterAll(async () => {
    await ui[Symbol.asyncDispose]();
    await site.close();
    await rm(folder, { recursive: true, force: true });
  });

  const current = () => ui;
  testState(current);
  testVariables(current);
  testKernel(current);
  testTerminal(current);
  testPorts(current);
  testBrowser(current);
});
