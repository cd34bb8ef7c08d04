// `npm test`: every static check, then the tests. All checks run even if one fails, so that one sees all
// findings; the last line is `N passed, N failed`, where a check counts as one.
//   npm test -- <filter>    only the tests whose file name contains the filter
//   npm run check           only the static checks
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative, resolve } from "node:path";

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

const CHECKS: { name: string; command: string[] }[] = [
  { name: "lint", command: [join(bin, "oxlint"), "--deny-warnings"] },
  { name: "format", command: [join(bin, "oxfmt"), "--check"] },
  { name: "types", command: [join(bin, "tsc")] },
  { name: "types of the page", command: [join(bin, "tsc"), "-p", "packages/web"] },
  { name: "layers", command: [process.execPath, "scripts/check-layers.ts"] },
  { name: "unused code", command: [join(bin, "knip"), "--no-config-hints"] },
  { name: "python syntax", command: [process.execPath, "scripts/check-python.ts"] },
  { name: ".env.example", command: [process.execPath, "scripts/env-example.ts", "--check"] },
  { name: "workflows", command: [process.execPath, "scripts/check-workflows.ts"] },
];

const args = process.argv.slice(2);
const isStaticOnly = args.includes("--static");
const filters = args.filter((arg) => arg !== "--static");

const tallies: Tally[] = [];
if (filters.length === 0) tallies.push(runChecks());
if (!isStaticOnly) tallies.push(runTests(filters));

const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function runChecks(): Tally {
  const failures = CHECKS.filter(({ name, command: [program = "", ...rest] }) => {
    const startedAt = performance.now();
    const { status, stdout, stderr, error } = spawnSync(program, rest, { cwd: root, env, encoding: "utf8" });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${status === 0 ? "ok    " : "FAILED"}  ${name} (${seconds} s)`);
    if (status !== 0) console.log([stdout, stderr, error?.message].filter(Boolean).join("\n").trimEnd());
    return status !== 0;
  });
  return { passed: CHECKS.length - failures.length, failed: failures.length };
}

function runTests(filters: string[]): Tally {
  const reportDir = mkdtempSync(join(tmpdir(), "atoll-test-"));
  const reportPath = join(reportDir, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
  try {
    const { status } = spawnSync(join(bin, "vitest"), ["run", ...reporters, ...filters], {
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
