import { useDockerEngine } from "../support/docker-engine/index.ts";
import { describeIf } from "../support/requirements.ts";
import { describeBrowser } from "./suite.harness.ts";

const { missing } = await useDockerEngine({ templates: ["browser"] });

describeIf({ suite: "the browser on docker", missing, isRequired: true }, () => describeBrowser("docker"));
