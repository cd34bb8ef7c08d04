import type { SandboxHandle } from "@atoll/sandbox";
import { availableMb, groupByNamespace, privateMb } from "../host-memory.ts";
import type { Measure } from "../measure.ts";
import { progress } from "../progress.ts";
import { evaluate } from "../python.ts";
import type { Session } from "../session.ts";

const WAVE = 20;
/** Less than this left on the machine, and no more sandboxes are made. */
const RESERVE_MB = 2048;

/** A sandbox is known on the host by its pid namespace, so that spares and other jails are not counted with it. */
interface Resident {
  readonly sandbox: SandboxHandle;
  readonly namespace: string;
}

/** Many sandboxes that have used pandas and are idle: what each has to itself, and whether all still answer. */
export const alive: Measure = {
  name: "alive",
  figures: [
    { key: "alive", label: "alive at once, all answering", unit: "sandboxes", goal: { atLeast: 1000 } },
    {
      key: "private_mb_per_sandbox",
      label: "private memory of each (mean)",
      unit: "MB",
      goal: { atMost: 8 },
      middle: "mean",
    },
    { key: "machine_mb_per_sandbox", label: "what the machine has less for each", unit: "MB" },
  ],
  async run(session) {
    await session.destroy(await session.create());
    const availableBefore = await availableMb();
    const residents = await settle(session, session.options.alive);
    const takenMb = (availableBefore - (await availableMb())) / residents.length;
    progress.note(`alive: ${residents.length} made; reading their memory`);
    const isVisible = process.getuid?.() === 0;
    const shares = isVisible
      ? await privateShares(residents)
      : { missing: "only root may read the memory of sandboxes" };
    const answers = await inWaves(residents, ({ sandbox }) =>
      evaluate(sandbox, "int(df.a.sum())").catch(String),
    );
    const answering = answers.filter((answer) => answer === "6").length;
    if (answering < residents.length) {
      progress.note(
        `alive: ${residents.length - answering} do not answer, e.g. ${answers.find((answer) => answer !== "6")}`,
      );
    }
    await session.destroyAll();
    return { alive: [answering], private_mb_per_sandbox: shares, machine_mb_per_sandbox: [takenMb] };
  },
};

async function settle(session: Session, wanted: number): Promise<Resident[]> {
  const residents: Resident[] = [];
  while (residents.length < wanted) {
    progress.update(`alive: ${residents.length} of ${wanted}`);
    const leftMb = await availableMb();
    if (leftMb < RESERVE_MB) {
      progress.note(
        `alive: stopped at ${residents.length}, since only ${Math.round(leftMb)} MB of memory are left`,
      );
      break;
    }
    const size = Math.min(WAVE, wanted - residents.length);
    residents.push(...(await Promise.all(Array.from({ length: size }, () => moveIn(session)))));
  }
  return residents;
}

async function moveIn(session: Session): Promise<Resident> {
  const sandbox = await session.create();
  await evaluate(sandbox, "import pandas as pd; df = pd.DataFrame({'a': [1, 2, 3]}); int(df.a.sum())");
  const answer = await evaluate(sandbox, "import os; os.readlink('/proc/self/ns/pid')");
  const namespace = /pid:\[\d+\]/.exec(answer)?.[0];
  if (namespace === undefined) throw new Error(`a sandbox says that its pid namespace is ${answer}`);
  return { sandbox, namespace };
}

async function privateShares(residents: readonly Resident[]): Promise<number[]> {
  const groups = await groupByNamespace();
  const shares: number[] = [];
  for (const { namespace } of residents) {
    const parts = await Promise.all((groups.get(namespace) ?? []).map((pid) => privateMb(pid)));
    if (parts.length === 0)
      throw new Error(`no process of the host is in the namespace ${namespace} of a sandbox`);
    shares.push(parts.reduce((sum, part) => sum + part, 0));
  }
  return shares;
}

async function inWaves<Item, Result>(
  items: readonly Item[],
  action: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += WAVE)
    results.push(...(await Promise.all(items.slice(at, at + WAVE).map(action))));
  return results;
}
