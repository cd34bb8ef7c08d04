import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** One package as an index has it: a page with a link to a wheel. */
export async function makeWheel(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const name = "atoll_probe-1.0-py3-none-any.whl";
  await promisify(execFile)("python3", ["-c", program, join(folder, name)]);
  await writeFile(join(folder, "index.html"), `<a href="${name}">${name}</a>`);
}

const program = `
import sys, zipfile
info = "atoll_probe-1.0.dist-info"
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("atoll_probe.py", "word = 'installed'\\n")
    wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: atoll-probe\\nVersion: 1.0\\n")
    wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{info}/RECORD", "")`;
