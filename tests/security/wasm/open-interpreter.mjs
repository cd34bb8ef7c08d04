// Plain Pyodide with nothing closed, to show that every way of ways_out.py would be noticed. Its argument is Pyodide's
// module; its input has the code.
import { readFileSync } from "node:fs";

const { loadPyodide } = await import(process.argv[2] ?? "");
const pyodide = await loadPyodide();
const { source, names } = JSON.parse(readFileSync(0, "utf8"));
pyodide.runPython(source);
/** @type {Record<string, unknown>} */
const outcomes = {};
for (const name of names)
  outcomes[name] = await pyodide.runPythonAsync(`await try_out(${JSON.stringify(name)})`);
process.stdout.write(`\n${JSON.stringify(outcomes)}\n`);
process.exit(0);
