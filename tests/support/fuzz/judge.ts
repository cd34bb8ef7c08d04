import { hostname, homedir } from "node:os";
import { resolve } from "node:path";
import { TRAVERSALS } from "./hostile-values.ts";
import { findFaults } from "./json-schema.ts";
import { SECRET_KEY } from "./known-values.ts";
import type { Api, Operation } from "./operations.ts";
import type { Answer } from "./wire.ts";

export interface Sent {
  /** Undefined where it is not sure that the request reaches an operation, or which. */
  readonly operation: Operation | undefined;
  readonly bytes: Buffer;
  readonly isHead: boolean;
  readonly maySayNothing: boolean;
}

export interface Grounds {
  readonly api: Api;
  readonly dataDir: string;
  /** The content of a file of the server that no request may read. */
  readonly canary: string;
}

/** What is wrong with an answer, whatever was asked. */
export function findComplaints(sent: Sent, answer: Answer, grounds: Grounds): string[] {
  const { status, headers, body } = answer;
  const isSilent = body.length === 0 || body.equals(goOn);
  if (status === 0) return sent.maySayNothing && isSilent ? [] : [`no answer: ${shorten(body)}`];
  if (!answer.isWhole && !isStream(answer))
    return sent.maySayNothing ? [] : ["the answer ends in the middle"];
  return [
    ...findStatusComplaints(sent, answer),
    ...(status >= 400 && !sent.isHead ? findErrorComplaints(sent, answer) : []),
    ...(status < 300 && !sent.isHead ? findResultComplaints(sent, answer, grounds.api) : []),
    ...SECURITY_HEADERS.filter((name) => !headers.has(name)).map((name) => `the header ${name} is missing`),
    ...findLeaks(sent, answer, grounds),
  ];
}

const goOn = Buffer.from("HTTP/1.1 100 Continue\r\n\r\n");

/** Refusals of the connection and the address, before any operation; /docs describes them once. */
const generalStatuses = new Set([400, 408, 414, 431]);
/** What a server may be unable to do, if the operation says so. */
const inabilities = new Set([501, 503, 507]);

function findStatusComplaints({ operation }: Sent, { status, body }: Answer): string[] {
  const isDocumented = operation && status in operation.responses;
  if (status < 200) return [`status ${status}`];
  if (status >= 500 && !(isDocumented && inabilities.has(status)))
    return [`status ${status}: ${shorten(body)}`];
  if (!operation || isDocumented || generalStatuses.has(status)) return [];
  return [`status ${status} is not documented for ${operation.id}: ${shorten(body)}`];
}

function findErrorComplaints({ operation }: Sent, { status, headers, body }: Answer): string[] {
  if (!headers.get("content-type")?.startsWith("application/json")) {
    return [`an error as ${headers.get("content-type")}: ${shorten(body)}`];
  }
  const error = parse(body) as Record<string, unknown> | undefined;
  const isReadiness = operation?.id === "getReadiness" && status === 503;
  const isTold = ["code", "message", "hint"].every(
    (name) => typeof error?.[name] === "string" && error[name] !== "",
  );
  return isTold || isReadiness ? [] : [`an error without code, message and hint: ${shorten(body)}`];
}

function findResultComplaints({ operation }: Sent, { status, headers, body }: Answer, api: Api): string[] {
  // A range has the type of the whole.
  const documented = operation?.responses[status === 206 ? 200 : status];
  if (!documented) return [];
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  // A file has the type of its own.
  if ("*/*" in documented) return [];
  const schema = documented[type];
  if (!schema) return [`the type ${type} is not documented for ${operation?.id}`];
  if (type !== "application/json") return [];
  const value = parse(body);
  if (value === undefined) return [`no JSON: ${shorten(body)}`];
  // A document or an export, described as text.
  if (schema.type === "string") return [];
  return findFaults(value, schema, api.definitions).slice(0, 5);
}

const SECURITY_HEADERS = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "referrer-policy",
  "x-content-type-options",
  "x-frame-options",
];

const root = resolve(import.meta.dirname, "../../..");
/** What code and commands print, and files hold, is theirs: only what the server alone knows counts there. */
const OWN_WORDS =
  /^(run|read|zip|getBlob|getCommand|listCommands|listProcesses|write|export|getHistory|followEvents|getShared|getTable|getFileTable|listVariables|followTerminal)/;

/** By itself: the name of a machine may be two letters, which are in many an id. */
const hostWord = new RegExp(String.raw`(?<![\w-])${RegExp.escape(hostname())}(?![\w-])`);

function findLeaks({ operation, bytes }: Sent, { status, body }: Answer, grounds: Grounds): string[] {
  const text = takeOutSent(body.toString("utf8"));
  const isTheirs = status < 300 && (operation === undefined || OWN_WORDS.test(operation.id));
  const needles = [
    grounds.dataDir,
    grounds.canary,
    SECRET_KEY,
    ...(isTheirs ? [] : [root, `${homedir()}/`, "node_modules"]),
  ];
  const shown = needles.filter((needle) => needle !== "" && text.includes(needle) && !bytes.includes(needle));
  if (!isTheirs && hostWord.test(text) && !hostWord.test(bytes.toString("latin1"))) shown.push(hostname());
  const hasStack = !isTheirs && /\n\s+at .+:\d+/.test(text.replaceAll("\\n", "\n"));
  return [
    ...shown.map((needle) => `it shows ${needle}: ${shorten(body)}`),
    ...(hasStack ? ["it has a stack"] : []),
  ];
}

/** What was sent before may come back, also as the folders of a path, `/proc/1/root/` for one; letters of a picture mean nothing. */
function takeOutSent(text: string): string {
  const words = text.replace(/"jpeg":"[^"]*"/g, '"jpeg":""');
  const home = `${homedir()}/`;
  return TRAVERSALS.filter((path) => path.includes(home))
    .map((path) => path.slice(0, path.indexOf(home) + home.length))
    .reduce((rest, stem) => rest.replaceAll(stem, ""), words);
}

function isStream({ headers }: Answer): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function shorten(body: Buffer): string {
  return JSON.stringify(body.toString("utf8").slice(0, 300));
}
