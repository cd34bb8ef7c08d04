import { afterAll, beforeAll, describe } from "vitest";
import { whyNoInstallation } from "../support/installation.ts";
import { describeIf } from "../support/requirements.ts";
import { TwoServers } from "./two-servers/bench.ts";
import { describeEveryRoute } from "./two-servers/every-route.ts";
import { describePublicPort } from "./two-servers/public-port.ts";
import { describeRedis } from "./two-servers/redis.ts";

const requirement = { suite: "of two servers", missing: whyNoInstallation(), isRequired: true };

describeIf(requirement, () => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await TwoServers.start();
  });
  afterAll(() => servers?.[Symbol.asyncDispose]());

  describe("an attacker without a token", () => {
    describeEveryRoute(() => servers);
    describePublicPort(() => servers);
  });
  describe("an attacker with access to Redis", () => describeRedis(() => servers));
});
