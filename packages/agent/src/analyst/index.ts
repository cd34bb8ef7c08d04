export { answerBuiltIn, type AnalystContext } from "./answer.ts";
export type { AnalystHands, PythonOutcome } from "./hands.ts";
export { suggestQuestions } from "./suggest.ts";
