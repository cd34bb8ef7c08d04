import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generateClient } from "./generate-client.ts";

it("the client's types are those of the server: else run node scripts/generate-client.ts", async () => {
  const written = readFileSync(join(import.meta.dirname, "../packages/client/src/generated.ts"), "utf8");
  expect(written).toBe(await generateClient());
});
