export type { AnalystActions, PythonOutcome } from "./analyst-context.ts";
export { answerBuiltIn } from "./answer.ts";
export { describeData } from "./tables/describe-data.ts";
export { loadTables, type LoadOptions } from "./tables/load-tables.ts";
export { type FileTable, previewTable, type PreviewOptions } from "./tables/preview-table.ts";
export { analystThread } from "./thread/analyst-thread.ts";
