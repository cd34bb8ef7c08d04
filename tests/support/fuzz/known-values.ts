import * as fc from "fast-check";
import { hostilePath, hostileText } from "./hostile-values.ts";
import { type LiveObjects, sandboxPaths, scratchPaths } from "./live-objects.ts";
import type { KnownValues } from "./schema-values.ts";

/** Looked for in every answer: no key that was given comes back. */
export const SECRET_KEY = "sk-fuzz-8d1f0c2b7a-do-not-show";
/** Nothing listens there: a model that is tried out fails at once, and no request leaves the machine. */
export const CLOSED_ADDRESS = "http://127.0.0.1:9/v1";

/** What the fields of bodies hold in requests that mean it, or nearly. */
export function knownValues(live: LiveObjects): KnownValues {
  const scratch = fc.constantFrom(...scratchPaths);
  return {
    file_ids: fc.constantFrom([], [live.fileId], [live.fileId], [live.fileId, live.fileId], ["gone"]),
    message_id: fc.constant(live.messageId),
    session_id: fc.constantFrom(...SESSION_IDS),
    message: fc.oneof(fc.constantFrom(...QUESTIONS), hostileText),
    code: fc.oneof(fc.constantFrom(...SNIPPETS), hostileText),
    command: fc.oneof(fc.constantFrom<string | string[]>(...commands), hostileText),
    stdin: hostileText,
    cwd: fc.constantFrom("/workspace", "sub", "/", "/nowhere", "notes.txt", "../..", "loop"),
    timeout_ms: fc.constantFrom(1, 50, 2000),
    context: fc.constantFrom("default", "default", "gone", "../x"),
    runtime: fc.constantFrom("auto", "local", "local", "host", "e2b", "nonsense", "__proto__"),
    id: fc.constantFrom("fuzz-one", "fuzz-two", "______"),
    model: fc.constantFrom("built-in", "openai:x", "openai-compatible:y", "openai"),
    base_url: fc.constantFrom(null, CLOSED_ADDRESS, "http://[::1", "ftp://x/", "file:///etc/passwd"),
    keys: fc.constantFrom({ openai: SECRET_KEY }, { openai: null }, { google: null }, {}),
    from: fc.oneof({ weight: 3, arbitrary: scratch }, { weight: 1, arbitrary: hostilePath }),
    to: fc.oneof({ weight: 3, arbitrary: scratch }, { weight: 1, arbitrary: hostilePath }),
  };
}

/** What the parameters of queries hold. */
export function knownQuery(operationId: string): KnownValues {
  const isWriting = /^(write|delete|upload)/.test(operationId);
  const paths = fc.constantFrom(...(isWriting ? scratchPaths : sandboxPaths));
  return {
    path: fc.oneof({ weight: 3, arbitrary: paths }, { weight: 1, arbitrary: hostilePath }),
    session_id: fc.constantFrom(...SESSION_IDS),
    query: fc.oneof(fc.constantFrom("sales", "city OR day", '"total'), hostileText),
    follow: fc.constantFrom("false", "false", "true", "1"),
    recursive: fc.constantFrom("true", "false"),
    download: fc.constantFrom("true", "0"),
    signature: hostileText,
  };
}

export const SESSION_IDS = ["fuzz-session", "fuzz-session", "fuzz_session_2"];

const QUESTIONS = [
  "total sales by city",
  "what is love?",
  "and by day?",
  "你好，按城市汇总销售额",
  "show rows",
];

const SNIPPETS = [
  "1 + 1",
  "df",
  "x = x + 1; x",
  "raise ValueError('\\ud800 \\0')",
  "print('\\ud800'.encode('utf-8', 'surrogatepass'))",
  "'\\ud83d'",
  "print('\\0\\x1b[31m' * 10)",
  "while True: pass",
  "import os; os.write(1, b'\\xff\\xfe\\xc3')",
  "float('nan'), float('inf'), 10**400",
  "pandas.DataFrame({'a': [float('nan'), float('inf'), 10**30, b'x', '\\ud800']})",
  "class A:\n  def __repr__(self): raise SystemError('no')\nA()",
  "import sys; sys.exit(3)",
  "def f(): f()\nf()",
  "(",
  "%%bash\necho hello",
  "!ls",
  "from IPython.display import display, JSON, HTML; display(JSON({'a': float('nan')}), HTML('<b>'))",
  "from IPython.display import JSON; JSON({'a': 1})",
  "display({'text/plain': 5, 'image/png': None, 'application/vnd.atoll.table+json': [7]}, raw=True)",
  "input()",
  "print('y' * 3_000_000)",
];

const commands = [
  "true",
  "echo hello; echo world >&2; exit 3",
  "cat",
  "printf '\\377\\376\\0'",
  "kill -9 $$",
  "yes | head -c 3000000",
  "sleep 60",
  "nonsense-command",
  ["echo", "$HOME", "\u202e", ""],
  [""],
  ["/workspace/notes.txt"],
  ["\0"],
  "sleep 1 &",
];
