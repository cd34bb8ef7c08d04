import { dockerDriver } from "@atoll/sandbox";
import { useDockerEngine } from "../support/docker-engine/index.ts";
import { describeIf } from "../support/requirements.ts";
import { describeDenials } from "./denials.ts";

const engine = await useDockerEngine();
const missing =
  engine.missing ??
  (engine.runtimes.includes("runsc") ? undefined : "the engine has no runtime runsc (apt-get install runsc)");
process.env["SANDBOX_DOCKER_RUNTIME"] = "runsc";

describeIf({ suite: "containers under gVisor", missing }, () => describeDenials(dockerDriver, "gvisor"));
