export * from "./replies.ts";
export { type Script, type ScriptedOpenAI, startScriptedOpenAI } from "./server.ts";
