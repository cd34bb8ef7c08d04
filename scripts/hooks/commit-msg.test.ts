import { expect, test } from "vitest";
import { findMessageFaults } from "./commit-msg.ts";

test.each([
  "fix(server): close idle streams\n",
  "feat!: drop Node 18\n\nIt has no type stripping.\n",
  "# a comment of git\n\ndocs: tell of hooks\n# ------ >8 ------\nsecond: line of a diff",
  "build(web/page): split the build",
  'Revert "fix(server): close idle streams"\n',
  "Merge branch 'main' into habits\n",
  "fixup! fix(server): close idle streams\n",
  `test(x): ${"a".repeat(63)}`,
  "# nothing but comments\n",
])("%j is fine", (message) => {
  expect(findMessageFaults(message)).toEqual([]);
});

test.each([
  ["Close idle streams", /must read "type\(scope\): summary"/],
  ["fix(server):close idle streams", /must read/],
  ["fix (server): close idle streams", /must read/],
  ["fixes(server): close idle streams", /"fixes" is none of the types/],
  [`test(x): ${"a".repeat(64)}`, /has 73 characters; the most is 72/],
  ["fix(server): close idle streams.", /without a full stop/],
  ["fix(server): close idle streams\nand more", /second line must be empty/],
])("%j is refused", (message, reason) => {
  expect(findMessageFaults(message)).toEqual([expect.stringMatching(reason)]);
});
