export * from "./replies.ts";
export { type ReceivedRequest, type Script, type ScriptedOpenAI, startScriptedOpenAI } from "./server.ts";
