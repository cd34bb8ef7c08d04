import { evaluate, runOk } from "@atoll/sandbox/conformance";
import { expect, it } from "vitest";
import { createLimited, makeQuotaDataDir, missingQuota, readQuota } from "../support/quota.ts";
import { describeIf } from "../support/requirements.ts";

const MiB = 1024 * 1024;
const limit = 16 * MiB;

/** Python that ends at the first refusal, with what it was. */
const until = (step: string) => `
import errno, os
refusal = None
number = 0
try:
    while number < 150_000:
        ${step}
        number += 1
except OSError as error:
    refusal = error.errno in (errno.EDQUOT, errno.ENOSPC)
(refusal, number)`;

describeIf({ suite: "a disk limit that the file system keeps", missing: missingQuota }, () => {
  it("is said to be enforced, and is the size of the disk inside", async () => {
    const dataDir = await makeQuotaDataDir();
    const sandbox = await createLimited(dataDir, limit);
    expect(sandbox.info.capabilities.diskLimit).toBe("enforced");
    const size = "import os\ns = os.statvfs('/workspace')\ns.f_blocks * s.f_frsize";
    expect(Number(await evaluate(sandbox, size))).toBe(limit);
    expect(await readQuota(dataDir, sandbox)).toMatchObject({ hard_kib: limit / 1024, hard_inodes: 4096 });
  });

  it("stops a writer at the limit and not one block later, says so, and lets it write when there is room", async () => {
    const dataDir = await makeQuotaDataDir();
    const sandbox = await createLimited(dataDir, limit);
    const result = await sandbox.python.run(`
with open("filler", "wb", buffering=0) as file:
    while True:
        file.write(bytes(4096))`);
    expect(result).toMatchObject({ status: "error", error: { name: "OSError" } });
    expect(result.notices.join()).toMatch(/disk limit of 16 MiB is reached \(diskBytes\)/);
    const { used_bytes } = await readQuota(dataDir, sandbox);
    expect(used_bytes).toBeLessThanOrEqual(limit);
    expect(used_bytes).toBeGreaterThan(limit - 64 * 1024);
    await expect(sandbox.files.write("more", "x".repeat(MiB))).rejects.toMatchObject({ code: "disk_full" });
    expect(await sandbox.python.run("import os; os.remove('filler')")).toMatchObject({ notices: [] });
    await runOk(sandbox, "open('fits', 'wb').write(bytes(1 << 20))");
  });

  it.each([
    ["in one write", "assert open('large', 'wb', buffering=0).write(bytes(12 << 20)) == 12 << 20"],
    ["ahead of time", "import os\nos.posix_fallocate(os.open('large', os.O_RDWR | os.O_CREAT), 0, 12 << 20)"],
  ])("refuses what is larger than what is left, %s, and says so", async (_, code) => {
    const dataDir = await makeQuotaDataDir();
    const sandbox = await createLimited(dataDir, limit);
    await runOk(sandbox, "open('first', 'wb').write(bytes(12 << 20))");
    const result = await sandbox.python.run(code);
    expect(result.status).toBe("error");
    expect((await readQuota(dataDir, sandbox)).used_bytes).toBeLessThanOrEqual(limit);
    expect(result.notices.join()).toContain("diskBytes");
  });

  it.each([
    ["files", "open(f'{number}', 'x').close()"],
    ["folders", "os.mkdir(f'{number}')"],
    ["symbolic links", "os.symlink('x', f'{number}')"],
  ])("refuses the one that is too many of 150,000 %s", async (_, step) => {
    const dataDir = await makeQuotaDataDir();
    const sandbox = await createLimited(dataDir, limit);
    const result = await sandbox.python.run(until(step), { timeoutMs: 100_000 });
    expect(result.results[0]?.text).toMatch(/^\(True, /);
    expect((await readQuota(dataDir, sandbox)).used_inodes).toBeLessThanOrEqual(4096);
    expect(result.notices.join()).toContain("diskBytes");
  });

  it("bounds the names of one file, which have no inode of their own, by the watch", async () => {
    const dataDir = await makeQuotaDataDir();
    const sandbox = await createLimited(dataDir, limit);
    await sandbox.python.run(`open('one', 'x').close()\n${until("os.link('one', f'{number}')")}`);
    await sandbox.python.restart();
    expect(Number(await evaluate(sandbox, "import os\nlen(os.listdir())"))).toBeLessThan(150_000);
    expect((await readQuota(dataDir, sandbox)).used_bytes).toBeLessThanOrEqual(limit);
  });

  it.each([
    [
      "a raised file-size limit",
      `
import resource
with open("raised", "wb", buffering=0) as file:
    for _ in range(64):
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        file.write(bytes(1 << 20))`,
    ],
    [
      "a mapped file full of holes",
      `
import mmap
with open("holes", "wb+") as file:
    file.truncate(1 << 26)
    with mmap.mmap(file.fileno(), 0) as pages:
        for at in range(0, 1 << 26, 4096):
            pages[at] = 1`,
    ],
    [
      "files that are deleted but open",
      `
held = []
for number in range(64):
    held.append(open(f"{number}", "wb", buffering=0))
    held[-1].write(bytes(1 << 20))
    import os; os.remove(f"{number}")`,
    ],
  ])("gains nothing by %s", async (_, code) => {
    const dataDir = await makeQuotaDataDir();
    const sandbox = await createLimited(dataDir, limit);
    await sandbox.python.run("import os; open('kept', 'w').write('x')");
    const result = await sandbox.python.run(code);
    expect(result.status).not.toBe("ok");
    expect((await readQuota(dataDir, sandbox)).used_bytes).toBeLessThanOrEqual(limit);
    await sandbox.python.restart();
    expect(await sandbox.files.readText("kept")).toBe("x");
  });

  it("cannot be left for another project, by the files or by what is made in the folders", async () => {
    const dataDir = await makeQuotaDataDir();
    const sandbox = await createLimited(dataDir, limit);
    const { project } = await readQuota(dataDir, sandbox);
    const answer = await evaluate(sandbox, forge);
    expect(answer).toBe(`'${project} refused 5 of 5, then ${project}'`);
  });
});

const forge = `
import fcntl, os, struct
def attributes(file):
    return list(struct.unpack("=IIIII8x", fcntl.ioctl(file, 0x801C581F, bytes(28))))
open("own", "w").write("x")
file, folder = os.open("own", os.O_RDWR), os.open("/workspace", os.O_RDONLY)
before, refused = attributes(file)[3], 0
def attempt(act):
    global refused
    try:
        act()
    except OSError:
        refused += 1
def change(target, flags, project):
    old = attributes(target)
    fcntl.ioctl(target, 0x401C5820, struct.pack("=IIIII8x", flags(old[0]), old[1], old[2], project, old[4]))
attempt(lambda: change(file, lambda flags: flags, 0))
attempt(lambda: change(file, lambda flags: flags, before + 1))
attempt(lambda: change(folder, lambda flags: flags, 0))
attempt(lambda: change(folder, lambda flags: flags & ~0x200, before))
def clear_inheritance():
    flags = struct.unpack("l", fcntl.ioctl(folder, 0x80086601, bytes(8)))[0]
    fcntl.ioctl(folder, 0x40086602, struct.pack("l", flags & ~0x20000000))
    assert struct.unpack("l", fcntl.ioctl(folder, 0x80086601, bytes(8)))[0] & 0x20000000 == 0
    raise SystemError("the folder hands its project on no more")
attempt(clear_inheritance)
open("new", "w").write("x")
f"{before} refused {refused} of 5, then {attributes(os.open('new', os.O_RDONLY))[3]}"`;
