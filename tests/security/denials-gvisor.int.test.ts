import { dockerDriver } from "@atoll/sandbox";
import { useDockerEngine } from "../support/docker-engine/index.ts";
import { describeIf } from "../support/requirements.ts";
import { describeDenials } from "./denials.ts";

const { missing } = await useDockerEngine({ runtime: "runsc" });

describeIf({ suite: "containers under gVisor", missing }, () => describeDenials(dockerDriver, "gvisor"));
