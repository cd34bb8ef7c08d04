// What needs no zod, and every type. The page imports this at run time: a schema must not be exported from here.
export { type TypedEvent, watchAnswer } from "./answer-end.ts";
export { COLUMN_KINDS, type ColumnKind, isTextual } from "./column-kinds.ts";
export { type ErrorCode, errorCodes } from "./error-codes.ts";
export { MIN_OPEN_FILES } from "./limits.ts";
export {
  ENGLISH_NOTICES,
  makeNotice,
  type Notice,
  NOTICE_CODES,
  type NoticeCode,
  type NoticePhrases,
  type NoticeValues,
  sayNotice,
} from "./notices.ts";
export { type PlaceReason, type PlaceReasonCode, placeReasonCodes } from "./place-reasons.ts";
export { roundMs, type RunEnd, RunTally } from "./run-outcome.ts";
export type * from "./permission-rule.ts";
export type * from "./schemas.ts";
export { findToolAlias, resolveToolName, type ToolAlias, toolAliases } from "./tool-aliases.ts";
