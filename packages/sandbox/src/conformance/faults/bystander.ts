import { afterEach, beforeAll, expect } from "vitest";
import type { Sandbox } from "../../contract/sandbox.ts";
import { evaluate, runOk } from "../run-code.ts";
import type { Suite } from "../suite.ts";

/** Keeps a second sandbox beside every test of the block, and looks after each test whether anything of it was touched. */
export function useBystander({ share }: Suite): void {
  const bystander = share();

  beforeAll(async () => {
    await runOk(bystander(), "import os\nuntouched = 41\nkernel = os.getpid()");
    await bystander().files.write("untouched.txt", "as it was");
  });

  afterEach(async () => {
    expect(await evaluate(bystander(), "untouched + 1, kernel == os.getpid()")).toBe("(42, True)");
    const files = await bystander().files.list();
    expect(files.map((file) => file.name)).toEqual(["untouched.txt"]);
    expect(await bystander().files.readText("untouched.txt")).toBe("as it was");
  });
}

/** Runs, writes and reads: all that a user would try next. */
export async function expectUsable(sandbox: Sandbox): Promise<void> {
  expect(await evaluate(sandbox, "6 * 7")).toBe("42");
  await sandbox.files.write("usable.txt", "yes");
  expect(await evaluate(sandbox, "open('usable.txt').read()")).toBe("'yes'");
  expect(await sandbox.files.readText("usable.txt")).toBe("yes");
  if (sandbox.info.capabilities.shell)
    expect((await sandbox.commands.run("echo usable")).stdout).toBe("usable\n");
}
