import { expect, it, onTestFinished } from "vitest";
import { answer, finish, reply, toolCall } from "../../support/scripted-openai/index.ts";
import { openPanel } from "../../support/ui/test-thread.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { openNew } from "./sandbox.harness.ts";

const ENDLESS_LOOP = "open('/workspace/begun', 'w').close()\nimport time\nwhile True: time.sleep(0.05)";

export function testKernel(ui: () => UiHarness): void {
  it("interrupts the running code, and the answer continues", async () => {
    const app = await ui().open({ model: "scripted" });
    onTestFinished(() => app.close());
    const panel = await openPanel(app, "Variables");
    const interrupt = panel.getByRole("button", { name: "Interrupt" });
    expect(await interrupt.isDisabled()).toBe(true);
    ui().models.script(
      reply(
        toolCall("execute_python", { code: `print("begun", flush=True)\n${ENDLESS_LOOP}` }),
        finish("tool_calls"),
      ),
      answer("It was interrupted."),
    );
    const sandbox = await app.send("run for ever");
    await sandbox.getByText("begun", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "Refresh" }).click();
    await panel.getByText("Code is running. Try again when it has finished.").waitFor();
    await interrupt.click();
    await sandbox.locator(".answer-foot").waitFor();
    expect(await sandbox.innerText()).toContain("KeyboardInterrupt");
    expect(await sandbox.innerText()).toContain("It was interrupted.");
    await panel.getByText("Code is running.").waitFor({ state: "detached" });
  });

  it("stops the answer and its code", async () => {
    const app = await ui().open({ model: "scripted" });
    onTestFinished(() => app.close());
    const panel = await openPanel(app, "Sandbox");
    const stop = panel.getByRole("button", { name: "Stop the answer" });
    expect(await stop.isDisabled()).toBe(true);
    ui().models.script(
      reply(
        toolCall("execute_python", { code: `print("begun", flush=True)\n${ENDLESS_LOOP}` }),
        finish("tool_calls"),
      ),
    );
    const sandbox = await app.send("run for ever");
    await sandbox.getByText("begun", { exact: true }).waitFor();
    await stop.click();
    await sandbox.locator(".answer-foot", { hasText: "Stopped" }).waitFor();
    await expect.poll(() => stop.isDisabled()).toBe(true);
    expect(app.problems).toEqual([]);
  });

  it("restarts Python after a confirmation: variables go, files stay, tables return", async () => {
    const { thread, app, panel } = await openNew(ui(), "Variables");
    await thread.run("mine = 1\nopen('/workspace/mine.txt', 'w').write('stays')");
    const mine = panel.getByRole("row", { name: /^mine 1 int/ });
    await mine.waitFor();
    const restart = panel.getByRole("button", { name: "Restart Python" });
    await restart.click();
    const question = panel.getByRole("alertdialog", { name: "Restart Python" });
    await question.getByText("All variables are lost. Files are kept.").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await mine.waitFor();
    await restart.click();
    await question.getByRole("button", { name: "Restart", exact: true }).click();
    await app.page.getByText("Python was restarted. Its variables are gone, your files are kept.").waitFor();
    await mine.waitFor({ state: "detached" });
    await panel.getByRole("row", { name: /^df .* DataFrame 6,218 × 6/ }).waitFor();
    expect(await thread.files.readText("mine.txt")).toBe("stays");
    // A kernel that runs code says so with 409, and is asked again.
    expect(app.problems.filter((problem) => !/status of 409/.test(problem))).toEqual([]);
  });
}
