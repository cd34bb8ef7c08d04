import type { ToolOutput } from "../../tool.ts";

/** What the program in the sandbox reports about a response. */
export interface WireAnswer {
  readonly status: number;
  readonly reason: string;
  /** After redirects. */
  readonly url: string;
  readonly redirects: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Base64. */
  readonly body?: string;
  /** There was more. */
  readonly is_cut?: boolean;
  readonly saved_bytes?: number;
}

/** Those that a model may want to act on. */
const SHOWN_HEADERS =
  /^(allow|content-(type|length|range|disposition)|etag|last-modified|link|location|retry-after|set-cookie|www-authenticate|x-ratelimit-.*)$/;

/** Text for a model, and the same as data. */
export function showAnswer(answer: WireAnswer, savedTo?: string): [string, Pick<ToolOutput, "data">] {
  const { status, reason, url, redirects } = answer;
  const headers = joinHeaders(answer.headers);
  const type = headers["content-type"] ?? "";
  const body = Buffer.from(answer.body ?? "", "base64");
  const text = decode(body, type);
  const json = text === undefined || answer.is_cut ? undefined : parseJson(text, type);
  const head = [
    `HTTP ${status} ${reason}`.trimEnd(),
    ...(redirects > 0 ? [`[${redirects} redirects, to ${url}]`] : []),
    ...Object.entries(headers)
      .filter(([name]) => SHOWN_HEADERS.test(name))
      .map(([name, value]) => `${name}: ${value}`),
  ];
  const size = `${answer.is_cut ? "more than " : ""}${body.length} bytes`;
  const said =
    answer.saved_bytes === undefined
      ? showBody({ text, json, type, size, isCut: answer.is_cut ?? false })
      : `[${answer.saved_bytes} bytes saved to ${savedTo}]`;
  const data = {
    status,
    url,
    headers,
    ...(answer.saved_bytes === undefined
      ? { size_bytes: body.length, is_cut: answer.is_cut ?? false }
      : { saved_to: savedTo, size_bytes: answer.saved_bytes }),
    ...(text === undefined || answer.saved_bytes !== undefined ? {} : { body: text }),
    json,
  };
  return [`${head.join("\n")}\n\n${said}`, { data }];
}

function showBody(body: {
  text: string | undefined;
  json: unknown;
  type: string;
  size: string;
  isCut: boolean;
}): string {
  const { text, json, type, size, isCut } = body;
  if (text === undefined)
    return `[The body is no text: ${size}${type && ` of ${type}`}. Give save_to to keep it.]`;
  if (text === "") return "(no body)";
  const shown = json === undefined ? text : JSON.stringify(json, null, 2);
  return isCut ? `${shown}\n[The body has ${size}. Give save_to to have all of it.]` : shown;
}

/** One that comes several times is joined as HTTP does it. */
function joinHeaders(pairs: WireAnswer["headers"]): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(joined);
}

/** Undefined for what is no text. */
function decode(body: Buffer, type: string): string | undefined {
  const [, charset] = /charset="?([\w-]+)/i.exec(type) ?? [];
  if (/^(image|audio|video|font)\//.test(type) && !/svg/.test(type)) return undefined;
  try {
    // A character that was cut in two at the end is no sign of anything.
    const text = new TextDecoder(charset ?? "utf-8", { fatal: charset === undefined }).decode(body, {
      stream: true,
    });
    return text.includes("\0") ? undefined : text;
  } catch {
    return type.startsWith("text/") ? body.toString("latin1") : undefined;
  }
}

function parseJson(text: string, type: string): unknown {
  if (!/[/+]json\b/i.test(type)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
