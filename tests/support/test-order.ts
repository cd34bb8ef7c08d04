import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take long though they are short, in the order in which they start: last, they would keep one worker busy
 * while the other has nothing left to do. Where no image is built yet, the first one builds it and the others need not
 * wait for it.
 */
const first = [
  "drivers/docker/docker.int",
  "drivers/local/local.int",
  "drivers/host/host.int",
  "lifecycle/src/cycles",
  "drivers/docker/faults.int",
  "security/denials",
  "server/schemathesis.int",
];

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = first.findIndex((part) => moduleId.includes(part));
      return found === -1 ? first.length : found;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, not an array's
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}
