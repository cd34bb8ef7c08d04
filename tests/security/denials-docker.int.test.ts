import { dockerDriver } from "@atoll/sandbox";
import { useDockerEngine } from "../support/docker-engine/index.ts";
import { describeIf } from "../support/requirements.ts";
import { describeDenials } from "./denials.ts";

const { missing } = await useDockerEngine();

describeIf({ suite: "containers", missing, isRequired: true }, () => describeDenials(dockerDriver));
