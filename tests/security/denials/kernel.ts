import type { Suite } from "@atoll/sandbox/conformance";
import { beforeAll, describe, expect, it } from "vitest";
import { probe, probeByCommand, probeOnHost } from "./probe.ts";

type Outcomes = Record<string, string>;

/** By the names in `probes/syscalls.py`. */
const calls = `
  mount, umount2, pivot_root, chroot, open_tree, move_mount, fsopen, fspick, mount_setattr,
  ptrace attach, ptrace seize, process_vm_readv, process_vm_writev, pidfd_getfd, kcmp,
  bpf map, bpf program, keyctl, add_key, request_key, userfaultfd, perf_event_open,
  io_uring_setup, io_uring_enter, io_uring_register,
  unshare user, unshare mount, unshare net, unshare pid, unshare user and mount, clone user, clone3 user, setns,
  init_module, finit_module, delete_module, kexec_load, kexec_file_load, reboot, swapon, swapoff,
  clock_settime, acct, syslog, quotactl, open_by_handle_at, sethostname, setdomainname
`
  .trim()
  .split(/,\s+/);
const onlyOnX86 = ["iopl", "ioperm"];

export function describeKernelDenials({ share }: Suite): void {
  describe("system calls:", () => {
    const sandbox = share();
    let byKernel: Outcomes = {};
    let byCommand: Outcomes = {};
    beforeAll(async () => {
      byKernel = await probe(sandbox(), "syscalls");
      byCommand = await probeByCommand(sandbox(), "syscalls");
    });

    it("(the probe can make one that is allowed)", async () => {
      expect([byKernel["getpid"], byCommand["getpid"]]).toEqual(["allowed", "allowed"]);
      expect(await probeOnHost("syscalls", { only: ["getpid"] })).toEqual({ getpid: "allowed" });
    });

    it.each(calls)("%s", (call) => {
      for (const outcomes of [byKernel, byCommand])
        expect(["EPERM", "EACCES", "ENOSYS"]).toContain(outcomes[call]);
    });

    it.runIf(process.arch === "x64").each(onlyOnX86)("%s", (call) => {
      for (const outcomes of [byKernel, byCommand]) expect(["EPERM", "ENOSYS"]).toContain(outcomes[call]);
    });

    it("(the probe made no other)", () => {
      expect(
        Object.keys(byKernel).filter((call) => ![...calls, ...onlyOnX86, "getpid"].includes(call)),
      ).toEqual([]);
    });
  });
}
