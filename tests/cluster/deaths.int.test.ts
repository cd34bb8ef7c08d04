import { afterAll, beforeAll } from "vitest";
import { Installation, whyNoInstallation } from "../support/installation.ts";
import { describeIf } from "../support/requirements.ts";
import { describeApprovals } from "./deaths/approvals.ts";
import { describeKill } from "./deaths/kill.ts";
import { describeOutages } from "./deaths/outages.ts";
import { describeSleep } from "./deaths/sleep.ts";
import { describeStop } from "./deaths/stop.ts";
import { describeUnderLoad } from "./deaths/under-load.ts";

const requirement = { suite: "servers that go and come", missing: whyNoInstallation(), isRequired: true };

describeIf(requirement, () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await Installation.create("deaths");
  });
  afterAll(() => installation[Symbol.asyncDispose]());

  const bench = () => installation;
  describeStop(bench);
  describeKill(bench);
  describeApprovals(bench);
  describeSleep(bench);
  describeOutages(bench);
  describeUnderLoad(bench);
});
