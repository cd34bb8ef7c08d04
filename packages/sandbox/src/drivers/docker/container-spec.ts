import type { Owner } from "../_shared/layout.ts";
import type { Home } from "./container-folders.ts";
import type { Shape } from "./container-config.ts";
import { statShimMounts } from "./stat-shim.ts";

export interface ContainerOptions {
  readonly shape: Shape;
  readonly home: Home;
  readonly owner: Owner;
  readonly idleExitS: number;
  readonly guestFolder: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** In the session's folder, until the guest waits for whose it will be. */
export const guestFiles = { socket: ".guest.sock", ready: ".guest.ready", failure: ".guest.failed" };

const guestPlace = "/opt/atoll/guest";

/** What the engine hides or makes read-only by itself, and what it should besides. A list of one's own replaces its own. */
const hiddenInProc =
  "acpi asound buddyinfo bus cmdline config.gz consoles crypto devices diskstats dma driver dynamic_debug execdomains " +
  "fb fs interrupts iomem ioports irq kallsyms kcore key-users keys kmsg kpagecgroup kpagecount kpageflags " +
  "latency_stats locks mdstat misc modules mtrr pagetypeinfo partitions pressure sched_debug schedstat scsi slabinfo " +
  "softirqs sysrq-trigger timer_list timer_stats tty vmallocinfo vmcore zoneinfo";
const maskedPaths = [
  ...hiddenInProc.split(" ").map((name) => `/proc/${name}`),
  "/sys/firmware",
  "/sys/devices/virtual/powercap",
  "/sys/kernel",
  "/dev/mqueue",
];
const readonlyPaths = ["/proc/sys"];

/** What the engine is asked for: nothing of the host but these folders, no privilege, no network, a read-only root. */
export function containerSpec({
  shape,
  home,
  owner,
  idleExitS,
  guestFolder,
  labels,
}: ContainerOptions): object {
  const bind = (Source: string, Target: string, ReadOnly = false) => ({
    Type: "bind",
    Source,
    Target,
    ReadOnly,
  });
  const start = `import sys; sys.path.insert(0, "${guestPlace}"); from atoll_guest.container.main import main; main()`;
  const config = {
    socket: `/session/${guestFiles.socket}`,
    ready: `/session/${guestFiles.ready}`,
    failure: `/session/${guestFiles.failure}`,
    idle_exit_s: idleExitS,
    preload: shape.preload,
  };
  return {
    Image: shape.image,
    Entrypoint: ["python3", "-I", "-B", "-X", "utf8", "-c", start, JSON.stringify(config)],
    Cmd: [],
    User: `${owner.uid}:${owner.gid}`,
    Hostname: "atoll",
    WorkingDir: "/",
    // For the guest alone: user code has an environment of its own.
    Env: ["HOME=/tmp"],
    Labels: { ...labels, "dev.atoll.expiry": `${idleExitS} s without a holder, then as its sandbox says` },
    // Process 1 heeds no other signal.
    StopSignal: "SIGKILL",
    NetworkDisabled: true,
    HostConfig: {
      ...shape.limits,
      ...(shape.runtime && { Runtime: shape.runtime }),
      AutoRemove: true,
      NetworkMode: "none",
      IpcMode: "private",
      CgroupnsMode: "private",
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      MaskedPaths: maskedPaths,
      ReadonlyPaths: readonlyPaths,
      Tmpfs: { "/tmp": `rw,nosuid,nodev,exec,mode=1777,size=${shape.tmpBytes}` },
      ShmSize: shape.tmpBytes,
      Ulimits: [
        { Name: "core", Soft: 0, Hard: 0 },
        { Name: "msgqueue", Soft: 65_536, Hard: 65_536 },
      ],
      LogConfig: { Type: "json-file", Config: { "max-size": "1m", "max-file": "1" } },
      // Without a network nobody answers; the host's name servers are nobody's business inside.
      Dns: ["127.0.0.1"],
      DnsSearch: ["."],
      Mounts: [
        bind(guestFolder, `${guestPlace}/atoll_guest`, true),
        // An engine that gives no network gives no names either, not even the sandbox's own.
        bind(`${guestFolder}/container/hosts`, "/etc/hosts", true),
        ...statShimMounts(shape).map(({ name, target }) => bind(home.path(name), target, true)),
        bind(home.path("workspace"), "/workspace"),
        bind(home.path("session"), "/session"),
        bind(home.path("data"), "/data", true),
        bind(home.path("outputs"), "/data/outputs"),
        ...(shape.mode === "ephemeral" ? [bind(home.path("work"), "/work")] : []),
      ],
    },
  };
}
