export type * from "./request.ts";
export type * from "./history.ts";
export { answer } from "./answer/answer.ts";
export { defaultAnswerLimits } from "./loop/limits.ts";
export { checkModel, type ModelCheck } from "./models/check.ts";
export {
  type ChosenModel,
  chooseModel,
  nameModel,
  openaiAddress,
  parseModel,
  type Provider,
  providers,
} from "./models/choice.ts";
export { openModel } from "./models/open.ts";
export { makeCallId } from "./prompt/call-id.ts";
export { describeRestore } from "./prompt/restore.ts";
export { deriveTitle } from "./prompt/title.ts";
