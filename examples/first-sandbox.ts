// A sandbox from its creation to its end. Run it with:  npx node examples/first-sandbox.ts
import { join } from "node:path";
import { Sandbox } from "@atoll/sandbox";

const transactions = join(import.meta.dirname, "../data/transactions.csv");
await using sandbox = await Sandbox.create({ datasets: [transactions] });
console.log(`sandbox ${sandbox.id} on the runtime "${sandbox.info.driver}"`);

const table = await sandbox.python.run(`
import pandas as pd
df = pd.read_csv("/data/transactions.csv", parse_dates=["date"])
spend = df[df.amount > 0].groupby("category").amount.sum().sort_values(ascending=False).round(2)
spend.head(5).reset_index()
`);
if (table.error) throw new Error(table.error.traceback);
console.log(table.results[0]?.text);

const plot = await sandbox.python.run(`
import matplotlib.pyplot as plt
spend.head(8).iloc[::-1].plot.barh(title="Spend by category")
plt.savefig("/session/artifacts/spend.png", bbox_inches="tight")
`);
for (const { path, hostPath, sizeBytes } of plot.artifacts) {
  console.log(`artifact ${path} (${sizeBytes} bytes), a copy on this host at ${hostPath}`);
}

await sandbox.pause();
console.log(`state: ${await sandbox.state()}`);
await sandbox.resume();
const kept = await sandbox.python.run("len(df)");
console.log(`state: ${await sandbox.state()}; df still has ${kept.results[0]?.text} rows`);

await sandbox.destroy();
console.log(`state: ${await sandbox.state()}`);
