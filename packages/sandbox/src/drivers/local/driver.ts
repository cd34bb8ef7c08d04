import type { Driver } from "../../contract/driver.ts";
import { isolatedPaths } from "../_shared/inside-env.ts";
import { defineZygoteDriver } from "../_shared/zygote/driver.ts";
import { libraryPath } from "./bubblewrap.ts";
import { launchInJail } from "./jail.ts";
import { jailOwner, whyUnavailable } from "./requirements.ts";

/** Sandboxes on this machine: forks of a zygote in a bubblewrap jail, each in namespaces of its own. Linux only. */
export const localDriver: Driver = defineZygoteDriver({
  name: "local",
  capabilities: {
    isolation: true,
    shell: true,
    pty: true,
    pause: true,
    snapshot: true,
    ports: true,
    ephemeral: true,
    attach: true,
    network: ["none", "allow", "all-public"],
    memoryLimit: "cgroup",
    diskLimit: "watched",
  },
  unavailableBecause: whyUnavailable,
  owner: jailOwner,
  paths: () => isolatedPaths,
  env: libraryPath,
  launcher: launchInJail,
});
