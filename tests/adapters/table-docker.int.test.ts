import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { allTools } from "@atoll/toolkit";
import { buildTemplate } from "../../scripts/images/build.ts";
import { useDockerEngine } from "../support/docker-engine/index.ts";
import { describeIf } from "../support/requirements.ts";
import { describeTable } from "./table.harness.ts";

const { missing } = await useDockerEngine();
const hasBrowser = existsSync(resolve(import.meta.dirname, "../../templates/browser"));
if (hasBrowser && missing === undefined)
  await buildTemplate("browser", {
    say: (text) => process.stderr.write(`[docker] ${text}\n`),
    isQuick: process.env["DOCKER_HOST"] !== undefined,
  });

/** Browsers in containers need an image of their own. */
const withoutBrowser = allTools.map(({ name }) => name).filter((name) => name.startsWith("browser_"));

describeIf({ suite: "every tool through every library", missing, isRequired: true }, () => {
  describeTable("docker", hasBrowser ? [] : withoutBrowser);
});
