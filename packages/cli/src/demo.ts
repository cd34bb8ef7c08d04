import { dirname, join } from "node:path";
import { AtollError, Sandbox, type SandboxHandle } from "@atoll/sandbox";

const transactions = join(import.meta.dirname, "../../../data/transactions.csv");

const steps: readonly { title: string; code: string }[] = [
  {
    title: "read a table and look at it",
    code: `import pandas as pd
df = pd.read_csv("/data/transactions.csv", parse_dates=["date"])
df.head(3)`,
  },
  {
    title: "ask it something",
    code: `spend = df[df.amount > 0]
spend.groupby("category").amount.agg(["sum", "count"]).nlargest(5, "sum").round(2)`,
  },
  {
    title: "draw it",
    code: `import matplotlib.pyplot as plt
spend.set_index("date").amount.resample("MS").sum().plot(figsize=(9, 3), title="Spend by month")
plt.savefig("/session/artifacts/monthly.png", bbox_inches="tight")`,
  },
  { title: "try to get out", code: `print(open("/etc/shadow").read())` },
];

/** `atoll demo`: every line comes from a real sandbox. */
export async function demonstrate(): Promise<number> {
  const start = performance.now();
  await (await Sandbox.create()).destroy();
  say(
    `the zygote is ready after ${since(start)}: libraries are imported once, every sandbox is a fork of it\n`,
  );

  const created = performance.now();
  await using sandbox = await Sandbox.create({ datasets: [transactions] });
  say(
    `created a sandbox in ${since(created)} (runtime "${sandbox.info.driver}", no network, data read-only at /data)`,
  );
  for (const step of steps) await show(sandbox, step);

  const paused = performance.now();
  await sandbox.pause();
  const resumed = performance.now();
  await sandbox.resume();
  say(
    `\npaused in ${(resumed - paused).toFixed(1)} ms, resumed in ${since(resumed)}; the variables are still there:`,
  );
  await show(sandbox, { title: "go on", code: "len(df)" });
  await sandbox.destroy();
  say(
    `\ndestroyed. Your turn:  npx atoll run -c "print(1 + 1)"   or   npx node ${join("examples", "first-sandbox.ts")}`,
  );
  return 0;
}

async function show(sandbox: SandboxHandle, { title, code }: { title: string; code: string }): Promise<void> {
  const start = performance.now();
  const result = await sandbox.python.run(code);
  say(`\n— ${title} (${since(start)})`);
  console.log(indent(code, "  > "));
  const values = result.results.map(({ png, text }) => (png ? "[a picture]" : (text ?? "")));
  const shown = [result.stdout, ...values, describeError(result.error)];
  for (const text of shown) if (text.trim()) console.log(indent(text.trimEnd(), "    "));
  for (const { path, sizeBytes, hostPath } of result.artifacts) {
    console.log(`    artifact ${path}, ${sizeBytes} bytes${hostPath ? `, in ${dirname(hostPath)}` : ""}`);
  }
  if (result.status === "killed" || result.status === "timeout") {
    throw new AtollError("internal", `the demonstration did not work: ${result.notices.join(" ")}`);
  }
}

function describeError(error: { name: string; value: string } | undefined): string {
  return error ? `${error.name}: ${error.value}` : "";
}

function say(text: string): void {
  console.log(text);
}

function since(start: number): string {
  return `${(performance.now() - start).toFixed(1)} ms`;
}

function indent(text: string, prefix: string): string {
  return text
    .split("\n")
    .map((line) => prefix + line)
    .join("\n");
}
