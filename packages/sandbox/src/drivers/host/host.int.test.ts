import { describeConformance, describeFaults } from "../../conformance/index.ts";
import { hostDriver } from "./driver.ts";

// Zygote, supervisor and kernel are those of the local driver, which passes everything. What differs is what a boundary
// does: paths, limits, the network, and what is refused without one.
describeConformance(hostDriver, {
  module: new URL("driver.ts", import.meta.url).href,
  suites: [
    "creation",
    "files",
    "folders",
    "ports",
    "network",
    "networkChanges",
    "system",
    "datasets",
    "artifacts",
    "lifecycle",
    "survival",
    "ephemeral",
    "limits",
  ],
});
describeFaults(hostDriver, { suites: ["crashes", "exhaustion", "processes"] });
