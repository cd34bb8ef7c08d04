// `npm run bench`: how fast sandboxes are, beside what else one could use, all in one run on one machine.
// What each figure means: docs/benchmarks.md.
import { describeUsage, parseArguments, type BenchOptions } from "./arguments.ts";
import { describeMachine } from "./machine.ts";
import { measures } from "./measures/index.ts";
import type { Findings, Measure } from "./measure.ts";
import { progress } from "./progress.ts";
import { toJson, toTable } from "./report.ts";
import { Session } from "./session.ts";

const names = measures.map(({ name }) => name);
const figures = measures.flatMap((measure) => measure.figures);

const options = readOptions();
if (options) await main(options);

function readOptions(): BenchOptions | undefined {
  try {
    return parseArguments(process.argv.slice(2), names);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${describeUsage(names)}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function main(options: BenchOptions): Promise<void> {
  const machine = describeMachine();
  const interruption = abortOnSignals();
  const findings = await runAll(options, interruption);
  if (interruption.aborted) return;
  console.log(toTable(figures, findings));
  console.log(`\n${machine.cores} cores, load average ${machine.load_average.join(" ")} at the start`);
  if (options.isJson) console.log(JSON.stringify(toJson(figures, findings, machine)));
}

async function runAll(options: BenchOptions, signal: AbortSignal): Promise<Findings> {
  await using session = await Session.open(options, signal);
  let findings: Findings = {};
  for (const measure of measures.filter(({ name }) => options.only.includes(name))) {
    if (signal.aborted) break;
    findings = { ...findings, ...(await runOne(measure, session)) };
  }
  return findings;
}

/** A measure that fails spoils neither the others nor the report, but the exit code. */
async function runOne(measure: Measure, session: Session): Promise<Findings> {
  progress.note(measure.name);
  try {
    return await measure.run(session);
  } catch (error) {
    await session.destroyAll();
    if (!session.signal.aborted) {
      process.exitCode = 1;
      progress.note(`${measure.name} failed: ${error instanceof Error ? error.stack : error}`);
    }
    const reason = `failed: ${error instanceof Error ? error.message : error}`;
    return Object.fromEntries(measure.figures.map(({ key }) => [key, { missing: reason }]));
  }
}

/** The first Ctrl-C ends everything in order, a second one at once. */
function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const [name, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(code);
      progress.note("ending all sandboxes; once more to leave them behind");
      process.exitCode = code;
      controller.abort();
    });
  }
  return controller.signal;
}
