import { randomBytes } from "node:crypto";
import type { Driver } from "@atoll/sandbox";
import { describeDriver } from "@atoll/sandbox/conformance";
import type { Kernel } from "./denials/kernels.ts";
import { describeForcedEnd } from "./denials/forced-end.ts";
import { describeDiskDenials } from "./denials/disk.ts";
import { describeFileDenials } from "./denials/files.ts";
import { describeKernelDenials } from "./denials/kernel.ts";
import { describeLimitDenials } from "./denials/limits.ts";
import { describeNetworkDenials } from "./denials/network.ts";
import { describeNoSystem } from "./denials/no-system.ts";
import { describePrivilegeDenials } from "./denials/privileges.ts";
import { describeProcessDenials } from "./denials/processes.ts";
import { describeRandomness } from "./denials/randomness.ts";
import { describeSecretDenials } from "./denials/secrets.ts";
import { describeSharedResources } from "./denials/shared-resources.ts";

/**
 * What code in a sandbox cannot do: one test for each. Every probe that can is also run on the host, to show that it
 * would have noticed.
 */
export function describeDenials(driver: Driver, kernel: Kernel = "linux"): void {
  if (!driver.capabilities.isolation) throw new Error(`the driver "${driver.name}" claims no isolation`);
  // Set before the driver starts anything, so that whatever it starts could inherit it.
  const secret = `atoll-secret-${randomBytes(16).toString("hex")}`;
  process.env["ATOLL_TEST_SECRET"] = secret;

  describeDriver("denies", driver, (suite) => {
    describeSecretDenials(suite, secret);
    describeNetworkDenials(suite);
    describeLimitDenials(suite, kernel);
    describeRandomness(suite);
    if (kernel === "none") {
      describeNoSystem(suite);
      return;
    }
    describeProcessDenials(suite, kernel);
    describePrivilegeDenials(suite, kernel);
    describeKernelDenials(suite);
    describeFileDenials(suite, kernel);
    if (kernel === "linux") describeDiskDenials(suite);
    // Containers have limits of their own for some of it, and share one user for the rest.
    if (driver.name === "local") describeSharedResources(suite);
    describeForcedEnd(suite, kernel);
  });
}
