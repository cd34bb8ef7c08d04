// `npm run env-example` writes .env.example from the server's table of variables; `--check`, a part of
// `npm test`, fails where the file is not what would be written.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Variable, type VariableName, sandboxVariables, variables } from "@atoll/server/variables";

/** In the order of the file. Every variable is in one group, or the check fails. */
const GROUPS: { title: string; names: readonly VariableName[] }[] = [
  {
    title: "Where it listens and keeps its data",
    names: ["PORT", "HOST", "ATOLL_DATA_DIR", "ATOLL_TOKEN", "ATOLL_TRUSTED_PROXIES"],
  },
  {
    title: "Models; without any, the built-in analyst answers",
    names: [
      "ATOLL_MODEL",
      "OPENAI_API_KEY",
      "OPENAI_BASE_URL",
      "OPENAI_MODEL",
      "ANTHROPIC_API_KEY",
      "GOOGLE_GENERATIVE_AI_API_KEY",
    ],
  },
  {
    title: "What clients may send",
    names: [
      "MAX_UPLOAD_MB",
      "ATOLL_THREAD_QUOTA_MB",
      "MAX_INPUT_CHARS",
      "RATE_LIMIT_WINDOW_MS",
      "RATE_LIMIT_MAX",
      "ATOLL_APPROVAL_TIMEOUT_S",
    ],
  },
  {
    title: "Sandboxes, and the most that a thread's may be given",
    names: [
      "SANDBOX_RUNTIME",
      "SANDBOX_PROVIDER",
      "ATOLL_MAX_MEMORY_MB",
      "ATOLL_MAX_CPUS",
      "ATOLL_MAX_DISK_MB",
      "ATOLL_MAX_RUN_S",
    ],
  },
  {
    title: "When sandboxes rest and threads go",
    names: [
      "ATOLL_WARM_AFTER_S",
      "ATOLL_COLD_AFTER_S",
      "ATOLL_MAX_HOT",
      "ATOLL_MAX_WARM",
      "ATOLL_CHECKPOINT_MB",
      "ATOLL_DELETE_AFTER_DAYS",
      "ATOLL_TRASH_DAYS",
    ],
  },
  {
    title: "Temporary threads",
    names: ["SESSION_TTL_S", "SESSION_MAX_BYTES", "SESSION_BASE_DIR", "SESSION_LEAVE_S"],
  },
  { title: "Network of sandboxes", names: ["ATOLL_NETWORK", "ATOLL_NETWORK_MAX", "ATOLL_EGRESS_FILE"] },
  {
    title: "Browsers and MCP",
    names: ["ATOLL_BROWSER_IDLE_S", "ATOLL_BROWSER_IMAGE", "ATOLL_MCP_IDLE_S", "ATOLL_MCP_SERVERS"],
  },
  {
    title: "Several servers",
    names: ["DATABASE_URL", "REDIS_URL", "REDIS_HOST", "REDIS_PORT", "ATOLL_ADVERTISE_URL", "ATOLL_LEASE_S"],
  },
  {
    title: "Python in WebAssembly and CPython",
    names: sandboxVariables,
  },
];

const HEAD = `# What the server reads from its environment, with the defaults. Copy this file to .env and remove the # of
# what you change. The real environment wins over .env; an empty value counts as not set.
# Made of packages/server/src/config/variables.ts by \`npm run env-example\`: change it there.
# Some variables of sandboxes have an effect in the real environment only: docs/sandbox.md lists them.
`;

if (import.meta.main) {
  const path = join(resolve(import.meta.dirname, ".."), ".env.example");
  const wanted = writeExample();
  if (!process.argv.includes("--check")) writeFileSync(path, wanted);
  else if (readIfThere(path) !== wanted) {
    console.error(".env.example does not match the table of variables. Run: npm run env-example");
    process.exitCode = 1;
  }
}

export function writeExample(
  table: readonly Variable[] = variables,
  groups: readonly { title: string; names: readonly string[] }[] = GROUPS,
): string {
  const grouped = groups.flatMap(({ names }) => names);
  const strays = table.filter(({ name }) => grouped.filter((other) => other === name).length !== 1);
  if (strays.length > 0)
    throw new Error(`put into exactly one group of scripts/env-example.ts: ${listNames(strays)}`);
  const blocks = groups.map(({ title, names }) => {
    const entries = names.map((name) => writeEntry(table, name));
    return [`# --- ${title} ---`, ...entries].join("\n\n");
  });
  return `${[HEAD.trimEnd(), ...blocks].join("\n\n\n")}\n`;
}

/** Commented out, so that a copy changes nothing. A secret has no value to copy, whatever its default. */
function writeEntry(table: readonly Variable[], wanted: string): string {
  const variable = table.find(({ name }) => name === wanted);
  if (!variable) throw new Error(`${wanted} of scripts/env-example.ts is not a variable of the server`);
  const value = variable.isSecret ? "" : (variable.default ?? "");
  return `# ${variable.description}\n#${wanted}=${value}`;
}

function listNames(table: readonly Variable[]): string {
  return table.map(({ name }) => name).join(", ");
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
