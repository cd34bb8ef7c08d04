import { localDriver } from "@atoll/sandbox";
import { describeIf } from "../support/requirements.ts";
import { describeTable } from "./table.harness.ts";

const missing = await localDriver.unavailableBecause();

describeIf({ suite: "every tool through every library", missing, isRequired: true }, () => {
  describeTable("local");
});
