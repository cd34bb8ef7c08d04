import { useTexts } from "../../i18n/language.tsx";
import type { RowProblem } from "./row-source.ts";

/** Why the kernel cannot return the rows. */
export function TableProblem({ problem }: { problem: RowProblem | undefined }) {
  const texts = useTexts();
  if (problem === undefined) return null;
  const text = problem === "busy" ? texts.kernelBusy : problem === "gone" ? texts.tableGone : problem.message;
  return (
    <p className={`table-problem small-text ${problem === "busy" ? "quiet" : "warn"}`} role="status">
      {text}
    </p>
  );
}
