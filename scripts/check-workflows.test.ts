import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findWorkflowFaults } from "./check-workflows.ts";

function makeRoot(workflow?: string): string {
  const root = mkdtempSync(join(tmpdir(), "atoll-workflows-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, ".github/workflows"), { recursive: true });
  if (workflow !== undefined) writeFileSync(join(root, ".github/workflows/ci.yml"), workflow);
  return root;
}

const writeWorkflow = (step: string) =>
  `on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    strategy: { matrix: { node: [20] } }\n    steps:\n      - ${step}\n`;

test("a valid workflow has no fault", async () => {
  const root = makeRoot(writeWorkflow("run: echo ${{ matrix.node }}"));
  expect(await findWorkflowFaults(root)).toEqual([]);
});

test("a fault is told with its place", async () => {
  const root = makeRoot(writeWorkflow("run: echo ${{ matrix.nod }}"));
  expect(await findWorkflowFaults(root)).toEqual([
    expect.stringMatching(
      /^\.github\/workflows\/ci\.yml:7:\d+: property "nod" is not defined.*\[expression\]$/,
    ),
  ]);
});

test("a folder without a workflow does not pass", async () => {
  expect(await findWorkflowFaults(makeRoot())).toEqual([".github/workflows: there is no workflow"]);
});
