import { expect, it } from "vitest";
import type { TestThread } from "../../support/ui/test-thread.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { openNew } from "./sandbox.harness.ts";

export function testPorts(ui: () => UiHarness): void {
  it("shows a listening port in another origin, by path, and says when it closes", async () => {
    const { thread, app, panel } = await openNew(ui(), "Ports");
    await panel.getByText("No server is running in the sandbox.").waitFor();
    await thread.files.write(
      "site/index.html",
      "<h1>Home</h1><p id=p></p><script>fetch('docs/').then(({ status }) => (p.textContent = origin + ' ' + status))</script>",
    );
    await thread.files.write("site/docs/index.html", "<h1>Documents</h1>");
    await serve(thread, 8000);
    const frame = panel.frameLocator("iframe");
    await frame.getByRole("heading", { name: "Home" }).waitFor();
    const { port } = new URL(ui().server.url);
    await frame.getByText(`http://8000-${thread.id}.localhost:${port} 200`).waitFor();

    const address = panel.getByRole("textbox", { name: "Path" });
    await address.fill("http://localhost:8000/docs/");
    await address.press("Enter");
    await frame.getByRole("heading", { name: "Documents" }).waitFor();
    expect(await address.inputValue()).toBe("/docs/");
    await thread.files.write("site/docs/index.html", "<h1>Documents, second edition</h1>");
    await panel.getByRole("button", { name: "Reload" }).click();
    await frame.getByRole("heading", { name: "Documents, second edition" }).waitFor();
    const link = panel.getByRole("link", { name: "Open in a new tab" });
    expect(await link.getAttribute("href")).toBe(`http://8000-${thread.id}.localhost:${port}/docs/`);
    expect(await link.getAttribute("rel")).toContain("noopener");

    await thread.run("server.kill(); server.wait()");
    await panel.getByText("Nothing is listening on port 8000 any more.").waitFor();
    expect(await panel.locator("iframe").count()).toBe(0);
    await serve(thread, 8000);
    await frame.getByRole("heading", { name: "Documents, second edition" }).waitFor();
    expect(app.problems.filter((problem) => !/favicon|404/.test(problem))).toEqual([]);
  });

  it("lets the user choose among ports, which cannot reach the page", async () => {
    const { thread, app, panel } = await openNew(ui(), "Ports");
    await thread.files.write(
      "site/index.html",
      `<h1 id=h>?</h1><script>
        try { h.textContent = "reached: " + parent.document.title } catch { h.textContent = "kept out on " + location.host.split("-")[0] }
      </script>`,
    );
    await serve(thread, 8000);
    await serve(thread, 8001);
    const frame = panel.frameLocator("iframe");
    await panel.getByRole("button", { name: "8001", exact: true }).click();
    await frame.getByRole("heading", { name: "kept out on 8001" }).waitFor();
    await panel.getByRole("button", { name: "8000", exact: true }).click();
    await frame.getByRole("heading", { name: "kept out on 8000" }).waitFor();
    expect(app.problems.filter((problem) => /reached/.test(problem))).toEqual([]);
  });
}

/** Serves from Python, so it lives as long as the kernel. Listening when this returns. */
async function serve(thread: TestThread, port: number): Promise<void> {
  await thread.run(`
import socket, subprocess, sys, time
server = subprocess.Popen([sys.executable, "-m", "http.server", "${port}", "-d", "/workspace/site"])
while True:
    try:
        socket.create_connection(("127.0.0.1", ${port}), 1).close()
        break
    except OSError:
        time.sleep(0.02)`);
}
