import { describe, it } from "vitest";

export interface SuiteRequirement {
  suite: string;
  /** What this machine lacks, as the end of "skipped, since …"; undefined when the suite can run. */
  missing: string | undefined;
  /** A required suite may be skipped by a person, never by CI. */
  isRequired?: boolean;
}

/** Like `describe`, for a suite that some machines cannot run: says why it is skipped, and fails in CI if it is required. */
export function describeIf(requirement: SuiteRequirement, define: () => void): void {
  const { suite, missing } = requirement;
  switch (decideSuite(requirement)) {
    case "run":
      describe(suite, define);
      break;
    case "skip":
      console.warn(`skipped: ${suite}, since ${missing}`);
      describe.skip(suite, () => it(`skipped, since ${missing}`, () => {}));
      break;
    case "fail":
      describe(suite, () => {
        it("can run in CI", () => {
          throw new Error(`CI must run "${suite}" and cannot, since ${missing}`);
        });
      });
  }
}

export function decideSuite(
  { missing, isRequired = false }: SuiteRequirement,
  isCI = process.env["CI"] === "true",
): "run" | "skip" | "fail" {
  if (missing === undefined) return "run";
  return isRequired && isCI ? "fail" : "skip";
}
