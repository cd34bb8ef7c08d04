import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { findFreePort } from "../support/free-port.ts";
import { describeIf } from "../support/requirements.ts";
import { ServerProcess } from "../support/server-process.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { describeChanges } from "./safety/approval-changes.ts";
import { describeDecisions } from "./safety/approval-decisions.ts";
import { describeRestart } from "./safety/approval-restart.ts";

describeIf({ suite: "approvals", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  let env: Record<string, string>;
  let later: ServerProcess | undefined;
  beforeAll(async () => {
    env = { PORT: String(await findFreePort()) };
    ui = await UiHarness.start(env);
  });
  afterAll(async () => {
    await later?.stop();
    await ui[Symbol.asyncDispose]();
  });

  describeChanges(() => ui);
  describeDecisions(() => ui);
  // Last, because it ends the harness's server.
  describeRestart(
    () => ui,
    async () => {
      await ui.server.kill();
      const model = {
        ATOLL_MODEL: "built-in",
        OPENAI_BASE_URL: ui.models.baseUrl,
        OPENAI_API_KEY: "sk-test",
      };
      later = await ServerProcess.start({ dataDir: ui.dataDir, env: { ...model, ...env } });
    },
  );
});
