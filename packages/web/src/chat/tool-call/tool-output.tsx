import type { Call } from "../../thread/conversation.ts";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import { resolveTool } from "../tool-names.ts";

/** What the model was told of a call. Other agents report in prose. */
export function Told({ call: { tool }, told }: { call: Call; told: NonNullable<Call["told"]> }) {
  const isReport = ["task", "browser_tool"].includes(resolveTool(tool)) && !told.isError;
  if (isReport) {
    return (
      <div className="report">
        <Markdown text={told.output} />
      </div>
    );
  }
  return (
    <pre className={`told ${told.isError ? "bad" : ""}`} tabIndex={0}>
      {told.output}
    </pre>
  );
}
