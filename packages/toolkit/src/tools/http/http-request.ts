import { readFileSync } from "node:fs";
import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { failure, success } from "../../output.ts";
import type { ToolContext, ToolOutput } from "../../tool.ts";
import { timeoutSeconds } from "../code-run.ts";
import { resolvePath } from "../paths.ts";
import { runProgram } from "../program.ts";
import { showAnswer, type WireAnswer } from "./http-answer.ts";

const DEFAULT_TIMEOUT_S = 30;
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** The body in base64, and headers. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_REDIRECTS = 5;
/** For the program to say that its time is up, before it is ended. */
const GRACE_MS = 2000;

const input = z
  .strictObject({
    url: z
      .string()
      .refine(
        (text) => ["http:", "https:"].includes(URL.parse(text)?.protocol ?? ""),
        "an http or https address",
      ),
    method: z
      .enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      .optional()
      .describe("Default GET, or POST with a body"),
    headers: z
      .record(
        z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "a header's name"),
        z.string().regex(/^[^\r\n\0]*$/, "one line"),
      )
      .optional(),
    body: z
      .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
      .optional()
      .describe("Text, or a JSON value"),
    save_to: z.string().min(1).optional().describe("File for the body, instead of showing it"),
    timeout_seconds: timeoutSeconds,
  })
  // Rules and users see what is sent: the address as it is understood, and the method.
  .overwrite((given) => ({
    ...given,
    url: URL.parse(given.url)?.href ?? given.url,
    method: given.method ?? (given.body === undefined ? "GET" : "POST"),
  }));

type Input = z.infer<typeof input>;

export const httpRequest = defineTool(import.meta.url, {
  name: "http_request",
  input,
  isReadOnly: false,
  isOpenWorld: true,
  async run(given, context) {
    const { timeout_seconds: seconds = DEFAULT_TIMEOUT_S } = given;
    // Nothing of the workspace may take the place of a module of the standard library.
    const command = ["python3", "-I", "-c", (program ??= readProgram())] as const;
    const result = await runProgram(context, command, {
      stdin: JSON.stringify(writeOrder(given, context, seconds)),
      timeoutMs: seconds * 1000 + GRACE_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    if (result.status === "timeout") return failure(`The request took longer than ${seconds} s.`);
    const told = parse(result.stdout);
    if (!told) return failure(`The request failed.\n${result.stderr.trimEnd()}`);
    return "failure" in told ? showFailure(told) : success(...showAnswer(told, given.save_to));
  },
});

let program: string | undefined;

function readProgram(): string {
  return readFileSync(new URL("http_request.py", import.meta.url), "utf8");
}

function writeOrder(given: Input, { sandbox }: ToolContext, timeout: number): object {
  const { body, save_to: saveTo } = given;
  const url = new URL(given.url);
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const usual: Record<string, string> = { "user-agent": "atoll", "accept-encoding": "identity" };
  if (text !== undefined)
    usual["content-type"] = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  if (url.username !== "") {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    usual["authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`;
    url.username = url.password = "";
  }
  url.hash = "";
  const own = Object.entries(given.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method: given.method,
    url: url.href,
    headers: { ...usual, ...(Object.fromEntries(own) as Record<string, string>) },
    body: text === undefined ? null : Buffer.from(text).toString("base64"),
    save_to: saveTo === undefined ? null : resolvePath(sandbox, saveTo),
    timeout,
    max_bytes: MAX_BODY_BYTES,
    max_redirects: MAX_REDIRECTS,
  };
}

interface WireFailure {
  readonly failure: string;
  readonly message: string;
}

/** From a program in the sandbox, which could be another than ours. */
function parse(stdout: string): WireAnswer | WireFailure | undefined {
  try {
    const told: unknown = JSON.parse(stdout);
    return typeof told === "object" && told !== null ? (told as WireAnswer | WireFailure) : undefined;
  } catch {
    return undefined;
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  refused: "Ask the user to allow the host in the network settings of the thread.",
  no_network: "Ask the user to allow the host in the network settings of the thread.",
};

function showFailure({ failure: kind, message }: WireFailure): ToolOutput {
  const hint = ADVICE[kind];
  return failure(`No answer: ${message}.${hint ? ` ${hint}` : ""}`, { data: { failure: kind, message } });
}
