import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { localDriver } from "../../local/driver.ts";

it("the first sandbox of a zygote, for which none was parked, can be taken over like any other", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "atoll-first-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  const before = await localDriver.create({ dataDir, fence: 1 });
  const endless = before.python.run("while True: pass").catch((error: unknown) => error);
  const after = await localDriver.attach(before.id, { dataDir, fence: 2 });
  expect(await endless).toMatchObject({ code: "sandbox_dead" });
  await after.destroy();
});
