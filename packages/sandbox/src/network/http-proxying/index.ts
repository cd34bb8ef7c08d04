export { type AnswerHeadOptions, formatAnswerHead, writeAnswerHead } from "./answer-head.ts";
export { type EndToEndRequest, endToEndRequest, type EndToEndRequestOptions } from "./end-to-end-request.ts";
export { ProxyingError } from "./proxying-error.ts";
export { receiveAnswer, receiveUpgrade, type UpgradeAnswer } from "./receive-answer.ts";
