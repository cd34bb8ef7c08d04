import { expect, it } from "vitest";
import { Credentials } from "./credentials.ts";
import { networkEnv } from "./inside.ts";

const egress = {
  credentials: [
    { host: "Git.test", value: "secret" },
    { host: "hidden.test", value: "secret" },
    { host: "git.test", header: "x-more", value: "secret" },
  ],
  env: { MIRROR: "http://mirror.test/" },
};

it("programs are told of the proxy, of hosts with a credential that they may reach, and of no secret", () => {
  const env = networkEnv({ allow: ["git.test", "other.test"] }, egress);
  expect(env).toMatchObject({
    HTTPS_PROXY: "http://127.0.0.1:3128",
    NO_PROXY: "localhost,127.0.0.1,::1",
    ATOLL_CREDENTIAL_HOSTS: "git.test",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "url.http://git.test/.insteadOf",
    GIT_CONFIG_VALUE_0: "https://git.test/",
    MIRROR: "http://mirror.test/",
  });
  expect(JSON.stringify(env)).not.toMatch(/secret|hidden/);
});

it("without a network they are told nothing", () => {
  expect(networkEnv("none", egress)).toEqual({});
});

it("a host may have several credentials, in any spelling of its name, and shares them with no other", () => {
  const credentials = new Credentials(egress.credentials);
  expect(credentials.of("GIT.test.")).toEqual({ authorization: "secret", "x-more": "secret" });
  expect(credentials.of("a.git.test")).toBeUndefined();
});
