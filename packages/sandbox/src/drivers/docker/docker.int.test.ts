import { describeIf } from "../../../../../tests/support/requirements.ts";
import { useDockerEngine } from "../../../../../tests/support/docker-engine/index.ts";
import { describeConformance } from "../../conformance/index.ts";
import { dockerDriver } from "./driver.ts";

const { missing } = await useDockerEngine();

describeIf({ suite: "containers", missing, isRequired: true }, () => {
  describeConformance(dockerDriver, { module: new URL("driver.ts", import.meta.url).href });
});
