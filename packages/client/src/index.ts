export { AtollClient } from "./client.ts";
export type { BrowserView } from "./browsers.ts";
export { AtollApiError } from "./errors.ts";
export type { ClientOptions } from "./transport.ts";
export type { FileContent, NamedFile } from "./form.ts";
export type { FollowOptions } from "./events.ts";
export type * from "./generated.ts";
