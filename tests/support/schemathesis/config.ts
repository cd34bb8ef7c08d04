import type { LiveObjects } from "../fuzz/live-objects.ts";
import type { Operation } from "../fuzz/operations.ts";

/** How much is asked; the seed repeats it. */
export interface Bounds {
  readonly seed: number;
  /** Random requests to each operation, beside those of its examples and of the edges of its schemas. */
  readonly maxExamples: number;
}

/** The one session of all requests that name any. */
export const SESSION_ID = "fuzz-session";

/** Streams without an end: they are left after their first event, or when none comes. */
const streams = new Set(["followEvents", "followTerminal", "watchBrowser"]);

/** The configuration of Schemathesis: addresses that lead to something, and bounds of count and time. */
export function writeConfig(
  operations: readonly Operation[],
  live: LiveObjects,
  { seed, maxExamples }: Bounds,
): string {
  const general = `
seed = ${seed}
workers = 1
continue-on-failure = true
request-timeout = 60
max-stream-events = 5
suppress-health-check = ["all"]
generation = { max-examples = ${maxExamples}, database = "none", no-shrink = true }
# Each operation alone: what one makes is removed before another could use it.
phases.stateful.enabled = false
# Answers of one request are no input of another: a seed repeats its requests, and no known command is run again.
phases.coverage.extra-data-sources.responses = false
phases.fuzzing.extra-data-sources.responses = false
# Only 500 and 502 are defects; the others say what this machine, its runtimes or its disk cannot do.
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "501", "503", "504", "507"]
# A precondition that does not hold, and an address that is too long.
checks.positive_data_acceptance.expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "412", "414", "431", "5xx"]
checks.negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "409", "412", "413", "414", "415", "422", "431"]
`;
  return [general, ...operations.map((operation) => describeOperation(operation, live))].join("\n");
}

function describeOperation({ id, pathNames, query }: Operation, live: LiveObjects): string {
  const address = live.address(id);
  const pinned = [
    ...pathNames.map((name) => `"path.${name}" = ${JSON.stringify(address[name])}`),
    ...query.flatMap(({ name }) => (name === "session_id" ? [`"query.${name}" = "${SESSION_ID}"`] : [])),
  ];
  return `[[operations]]
include-operation-id = "${id}"
parameters = { ${pinned.join(", ")} }
${streams.has(id) ? "request-timeout = 5\nmax-stream-events = 1" : ""}
`;
}
