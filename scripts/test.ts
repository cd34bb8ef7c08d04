// `npm test`: every static check, then the tests of the quick tiers (tests/tiers.ts). All checks run even if one fails,
// so that all findings show at once. The last line is `N passed, N failed`; a check counts as one.
//   npm test -- --all       the tests of every tier: what CI runs
//   npm test -- <filter>    only the tests, of any tier, whose file name contains the filter
//   npm run check           only the static checks
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative, resolve } from "node:path";
import { QUICK_TIERS } from "../tests/tiers.ts";

interface Tally {
  passed: number;
  failed: number;
}

/** What is used of the report that vitest writes. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: FileReport[];
}

interface FileReport {
  name: string;
  /** Milliseconds since 1970. */
  startTime: number;
  endTime: number;
  assertionResults: { ancestorTitles: string[]; title: string }[];
}

const root = resolve(import.meta.dirname, "..");
const bin = join(root, "node_modules/.bin");
/** The tools run on the pinned Node, however this script was started. */
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` };

interface Check {
  name: string;
  command: string[];
}

const CHECKS: Check[] = [
  { name: "lint", command: [join(bin, "oxlint"), "--deny-warnings"] },
  { name: "format", command: [join(bin, "oxfmt"), "--check"] },
  { name: "types", command: [join(bin, "tsc")] },
  { name: "types of the page", command: [join(bin, "tsc"), "-p", "packages/web"] },
  { name: "layers", command: [process.execPath, "scripts/check-layers.ts"] },
  { name: "names", command: [process.execPath, "scripts/check-names.ts"] },
  { name: "unused code", command: [join(bin, "knip"), "--no-config-hints"] },
  { name: "python syntax", command: [process.execPath, "scripts/check-python.ts"] },
  { name: ".env.example", command: [process.execPath, "scripts/env-example.ts", "--check"] },
  { name: "workflows", command: [process.execPath, "scripts/check-workflows.ts"] },
];

const FLAGS = ["--all", "--static"];

const args = process.argv.slice(2);
const filters = args.filter((arg) => !FLAGS.includes(arg));
const unknown = filters.find((filter) => filter.startsWith("-"));
if (unknown !== undefined) {
  console.error(`${unknown} is not an option of npm test: it takes --all, --static, or parts of file names`);
  process.exit(2);
}
const isStaticOnly = args.includes("--static");
const tiers = args.includes("--all") || filters.length > 0 ? [] : QUICK_TIERS;

const tallies: Tally[] = [];
if (filters.length === 0) tallies.push(await runChecks());
if (!isStaticOnly) tallies.push(runTests());

const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function runChecks(): Promise<Tally> {
  const results = await Promise.all(CHECKS.map(runCheck));
  const failed = results.filter((isOk) => !isOk).length;
  return { passed: CHECKS.length - failed, failed };
}

async function runCheck({ name, command: [program = "", ...rest] }: Check): Promise<boolean> {
  const startedAt = performance.now();
  const { isOk, output } = await execute(program, rest);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${isOk ? "ok    " : "FAILED"}  ${name} (${seconds} s)`);
  if (!isOk) console.log(output.trimEnd());
  return isOk;
}

function execute(program: string, args: string[]): Promise<{ isOk: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      // A check that could not start has printed nothing.
      const output = [stdout, stderr].filter(Boolean).join("\n") || (error?.message ?? "");
      resolve({ isOk: error === null, output });
    });
  });
}

function runTests(): Tally {
  const reportDir = mkdtempSync(join(tmpdir(), "atoll-test-"));
  const reportPath = join(reportDir, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
  const projects = tiers.map((tier) => `--project=${tier}`);
  try {
    const { status } = spawnSync(join(bin, "vitest"), ["run", ...reporters, ...projects, ...filters], {
      cwd: root,
      env,
      stdio: "inherit",
    });
    const { passed, failed } = readReport(reportPath);
    // A crash or an unhandled error fails the run without failing a test.
    return { passed, failed: status === 0 ? failed : Math.max(failed, 1) };
  } finally {
    rmSync(reportDir, { recursive: true, force: true });
  }
}

function readReport(path: string): Tally {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(path, "utf8")) as Report;
    for (const line of [...listSlowestFiles(testResults), ...listSkippedSuites(testResults)])
      console.log(line);
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** Of a run of many files: where its time goes. */
function listSlowestFiles(files: FileReport[]): string[] {
  if (files.length <= 20) return [];
  const secondsOf = ({ startTime, endTime }: FileReport) => (endTime - startTime) / 1000;
  const slowest = files.toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, 20);
  return slowest.map((file) => `${secondsOf(file).toFixed(1).padStart(7)} s  ${relative(root, file.name)}`);
}

/** Suites that this machine cannot run, each with its reason; see tests/support/requirements.ts. */
function listSkippedSuites(files: FileReport[]): string[] {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const skipped = tests.filter(({ title }) => title.startsWith("skipped, since "));
  return skipped.map(
    ({ ancestorTitles, title }) => `skipped  ${ancestorTitles.join(" ")}: ${title.slice(9)}`,
  );
}
