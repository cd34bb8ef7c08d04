import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, in the order in which they start: last, they would keep one worker busy while the other
 * has nothing left to do. Where no image is built yet, the first one builds it and the others need not wait for it.
 */
const FIRST = [
  "drivers/docker/docker.int",
  "drivers/local/local.int",
  "packages/guest/guest.test",
  "drivers/local/faults.int",
  "drivers/host/host.int",
  "lifecycle/src/cycles",
  "drivers/docker/faults.int",
  "security/denials",
  "server/schemathesis.int",
];

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = FIRST.findIndex((part) => moduleId.includes(part));
      return at === -1 ? FIRST.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, not an array's
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}
