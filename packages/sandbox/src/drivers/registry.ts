import type { Driver } from "../contract/driver.ts";

/** A driver under the name by which callers choose it, without its code: `load` brings that. */
export interface Runtime {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line for lists of runtimes. */
  readonly description: string;
  /** Runs CPython with the packages for data, so that it can be the heavy half of `routed`. */
  readonly isHeavy: boolean;
  /** `auto` may choose it. */
  readonly isAutomatic: boolean;
  /** Takes the name of another runtime after a colon, as in `routed:docker`. */
  readonly takesRuntime?: boolean;
  /** The environment variables that its driver reads. */
  readonly environment: readonly string[];
  load(otherRuntime: string): Promise<Driver>;
}

const PYTHON_VARIABLES = ["ATOLL_PYTHON", "CPYTHON_BIN", "PYTHON_BIN", "ATOLL_ZYGOTE_IDLE_S"] as const;

/**
 * Every runtime, in the order in which `auto` tries them. This table is the only place that lists drivers: the texts of
 * `SANDBOX_RUNTIME` and of the command line come from it, and a test compares the docs with it.
 */
export const RUNTIMES: readonly Runtime[] = [
  {
    name: "local",
    description: "forks of a warm Python in Linux namespaces, inside a bubblewrap jail",
    isHeavy: true,
    isAutomatic: true,
    environment: [...PYTHON_VARIABLES, "ATOLL_JAIL_UID", "ATOLL_SANDBOX_UIDS", "ATOLL_PROJECT_IDS"],
    load: async () => (await import("./local/driver.ts")).localDriver,
  },
  {
    name: "docker",
    description: "a container for each sandbox",
    isHeavy: true,
    isAutomatic: true,
    environment: [
      "DOCKER_HOST",
      "SANDBOX_DOCKER_RUNTIME",
      "ATOLL_JAIL_UID",
      "ATOLL_POOL_SIZE",
      "ATOLL_POOL_PRELOAD",
      "ATOLL_POOL_IDLE_S",
    ],
    load: async () => (await import("./docker/driver.ts")).dockerDriver,
  },
  {
    name: "pyodide",
    description: "Python in WebAssembly: light work, no Linux needed",
    isHeavy: false,
    isAutomatic: true,
    environment: ["SANDBOX_TIMEOUT_S", "SANDBOX_AS_MB", "PYODIDE_INDEX_URL", "ATOLL_PYODIDE_POOL_SIZE"],
    load: async () => (await import("./pyodide/driver.ts")).pyodideDriver,
  },
  {
    name: "host",
    aliases: ["none"],
    description: "processes of this user, with no isolation at all",
    isHeavy: true,
    isAutomatic: false,
    environment: PYTHON_VARIABLES,
    load: async () => (await import("./host/driver.ts")).hostDriver,
  },
  {
    name: "routed",
    description: "pyodide for light code, CPython for the rest; routed:docker names the second",
    isHeavy: false,
    isAutomatic: false,
    takesRuntime: true,
    environment: [
      "CPYTHON_TIMEOUT_S",
      "CPYTHON_FSIZE_MB",
      "CPYTHON_NOFILE",
      "CPYTHON_AS_MB",
      "CPYTHON_DATA_ROOT",
    ],
    load: async (heavy) => (await import("./routed/default-driver.ts")).openRoutedDriver(heavy),
  },
];

/** What callers can write as `runtime`. */
export const RUNTIME_NAMES: readonly string[] = [...RUNTIMES.map(({ name }) => name), "auto"];
