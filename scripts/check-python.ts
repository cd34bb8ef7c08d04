// Compiles every Python file of the repo in memory, with the Python that sandboxes run.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const { python } = JSON.parse(readFileSync(join(root, ".atoll/python.json"), "utf8"));
const files = globSync("{packages,bench,tests,examples,data}/**/*.py", {
  cwd: root,
  exclude: (name) => name.includes("node_modules"),
});

const COMPILE = `
import sys
failed = False
for path in sys.argv[1:]:
    try:
        compile(open(path, "rb").read(), path, "exec", dont_inherit=True)
    except SyntaxError as error:
        failed = True
        print(f"{path}:{error.lineno}: {error.msg}", file=sys.stderr)
sys.exit(failed)
`;

const { status } = spawnSync(python, ["-I", "-W", "error", "-c", COMPILE, ...files], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
