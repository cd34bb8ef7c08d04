import { afterAll, beforeAll } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { findFreePort } from "../support/free-port.ts";
import { describeIf } from "../support/requirements.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Stage } from "../support/ui/stage.ts";
import { describeChanges } from "./safety/approval-changes.ts";
import { describeDecisions } from "./safety/approval-decisions.ts";
import { describeRestart } from "./safety/approval-restart.ts";

describeIf({ suite: "approvals", missing: missingChromium, isRequired: true }, () => {
  let stage: Stage;
  let env: Record<string, string>;
  let later: ServerProcess | undefined;
  beforeAll(async () => {
    env = { PORT: String(await findFreePort()) };
    stage = await Stage.set(env);
  });
  afterAll(async () => {
    await later?.stop();
    await stage[Symbol.asyncDispose]();
  });

  describeChanges(() => stage);
  describeDecisions(() => stage);
  // The last: the stage's own server is gone afterwards.
  describeRestart(
    () => stage,
    async () => {
      await stage.server.kill();
      const model = {
        ATOLL_MODEL: "built-in",
        OPENAI_BASE_URL: stage.models.baseUrl,
        OPENAI_API_KEY: "sk-test",
      };
      later = await ServerProcess.start({ dataDir: stage.dataDir, env: { ...model, ...env } });
    },
  );
});
