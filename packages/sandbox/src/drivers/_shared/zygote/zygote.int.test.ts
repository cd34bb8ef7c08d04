import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findPython } from "../../../python-environment.ts";
import { localDriver } from "../../local/driver.ts";
import { launchInJail } from "../../local/jail.ts";
import { jailOwner } from "../../local/requirements.ts";
import { guestFolder } from "../guest-folder.ts";
import { Layout } from "../layout.ts";
import { type Launch, Zygote } from "./zygote.ts";

describe("the way to a zygote", () => {
  it("is tried again while its queue is full, and no second zygote is started", async () => {
    const python = await findPython();
    const layout = new Layout(await temporaryFolder(), "local");
    const script = `
import os, socket, sys
os.chdir(sys.argv[1])
listener = socket.socket(socket.AF_UNIX)
listener.bind("zygote.sock")
listener.listen(0)
os.write(3, b"ready")
sys.stdin.read(1)
taken = []
while True: taken.append(listener.accept())
`;
    let end = () => {};
    const launch = vi.fn<Launch>(async (folder) => {
      const stdio = ["pipe", "inherit", "inherit", "pipe"] as const;
      const child = spawn(python.executable, ["-c", script, folder], { stdio: [...stdio] });
      onTestFinished(() => void child.kill("SIGKILL"));
      await once(child.stdio[3] as unknown as Socket, "data");
      end = () => void child.stdin?.end("x");
      return ["/bin/sh", "-c", "printf ready >&3"] as const;
    });
    const zygote = new Zygote(layout, python, launch);
    const first = await zygote.connect();
    onTestFinished(() => void first.destroy());
    const [folder] = (await readdir(layout.root)).filter((name) => /^zygote-[0-9a-f]+$/.test(name));
    await fill(join(layout.root, String(folder), "zygote.sock"));
    const tries = countConnects();
    const second = zygote.connect();
    await Promise.race([second, vi.waitFor(() => expect(tries()).toBeGreaterThan(4))]);
    end();
    (await second).destroy();
    expect(launch).toHaveBeenCalledTimes(1);
  });

  it("still leads to sandboxes after another jail was started on its folder", async () => {
    const dataDir = await temporaryFolder();
    await using before = await localDriver.create({ dataDir });
    const [layout, python] = [new Layout(dataDir, "local", jailOwner()), await findPython()];
    const [name] = (await readdir(layout.root)).filter((entry) => /^zygote-[0-9a-f]+$/.test(entry));
    const key = String(name).slice("zygote-".length);
    const [program, ...args] = await (
      await launchInJail(layout, python)
    )(join(layout.root, String(name)), key);
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit", "pipe"] });
    await once(child, "exit");
    // More than those that were parked before.
    for (let round = 0; round < 6; round += 1) {
      await using sandbox = await localDriver.create({ dataDir });
      expect((await sandbox.commands.run("cat /etc/hostname")).stdout).toBe("atoll\n");
    }
    expect((await before.python.run("1 + 1")).status).toBe("ok");
  });

  it("is opened by a guest that is installed below /tmp", async () => {
    const [dataDir, installed] = [await temporaryFolder(), await temporaryFolder()];
    await cp(join(guestFolder, "atoll_guest"), join(installed, "atoll_guest"), { recursive: true });
    const [layout, python] = [new Layout(dataDir, "local", jailOwner()), await findPython()];
    const launch = await launchInJail(layout, python);
    const zygote = new Zygote(layout, python, async (folder, key) => {
      const [program, ...args] = await launch(folder, key);
      return [program, ...args.map((arg) => arg.replace(guestFolder, installed))];
    });
    const connection = await zygote.connect();
    expect(connection.destroyed).toBe(false);
    connection.destroy();
  });
});

/** How many connections this process has tried to make since. */
function countConnects(): () => number {
  let count = 0;
  const note = () => void (count += 1);
  subscribe("net.client.socket", note);
  onTestFinished(() => void unsubscribe("net.client.socket", note));
  return () => count;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "atoll-zygote-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Connects until the kernel has no room for another. */
async function fill(path: string): Promise<void> {
  for (;;) {
    const socket = connect(path);
    onTestFinished(() => void socket.destroy());
    const refusal = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      socket.once("connect", () => resolve(undefined));
      socket.once("error", resolve);
    });
    if (refusal) return void expect(refusal.code).toBe("EAGAIN");
  }
}
