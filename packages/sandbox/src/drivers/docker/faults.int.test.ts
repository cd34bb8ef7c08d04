import { describeIf } from "../../../../../tests/support/requirements.ts";
import { useDockerEngine } from "../../../../../tests/support/docker-engine/index.ts";
import { describeFaults, findSupervisor } from "../../conformance/index.ts";
import { dockerDriver } from "./driver.ts";

const { missing } = await useDockerEngine();

describeIf({ suite: "containers", missing, isRequired: true }, () => {
  describeFaults(dockerDriver, {
    hooks: { killSupervisor: async (sandbox) => void process.kill(await findSupervisor(sandbox), "SIGKILL") },
  });
});
