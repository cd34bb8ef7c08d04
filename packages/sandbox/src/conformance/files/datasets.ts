import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluate, evaluateJson, py } from "../run-code.ts";
import { describeInside, refusal, type Suite } from "../suite.ts";

export function describeDatasets({ driver, create }: Suite): void {
  describe("data sets", () => {
    let host = "";
    beforeAll(async () => {
      host = await mkdtemp(join(tmpdir(), "atoll-data-"));
      await mkdir(join(host, "folder", "deep"), { recursive: true });
      await writeFile(join(host, "sales.csv"), "city,sales\nOslo,10\n");
      await writeFile(join(host, "folder", "deep", "more.csv"), "a\n1\n");
      await writeFile(join(host, "with space 漢字.csv"), "b\n2\n");
    });
    afterAll(() => rm(host, { recursive: true, force: true }));

    it("are shown under their own names", async () => {
      const sandbox = await create({
        datasets: [join(host, "sales.csv"), join(host, "folder"), join(host, "with space 漢字.csv")],
      });
      const { data } = sandbox.info.paths;
      expect(await sandbox.files.readText(`${data}/sales.csv`)).toBe("city,sales\nOslo,10\n");
      expect(await sandbox.files.readText(`${data}/folder/deep/more.csv`)).toBe("a\n1\n");
      expect(await sandbox.files.readText(`${data}/with space 漢字.csv`)).toBe("b\n2\n");
      expect(
        await evaluate(sandbox, describeInside(driver).has("pandas") ? sumByPandas(data) : sumByHand(data)),
      ).toBe("10");
    });

    it("are shown under the names they are given", async () => {
      const sandbox = await create({
        datasets: { "renamed.csv": join(host, "sales.csv"), tables: join(host, "folder") },
      });
      const { data } = sandbox.info.paths;
      expect(await sandbox.files.readText(`${data}/renamed.csv`)).toContain("Oslo");
      expect(await sandbox.files.exists(`${data}/tables/deep/more.csv`)).toBe(true);
      expect(await sandbox.files.exists(`${data}/sales.csv`)).toBe(false);
    });

    it("are not there unless asked for", async () => {
      const sandbox = await create();
      const names = (await sandbox.files.list(sandbox.info.paths.data)).map((entry) => entry.name);
      expect(names.filter((name) => name !== "outputs")).toEqual([]);
    });

    it.runIf(driver.capabilities.isolation)("cannot be changed", async () => {
      const sandbox = await create({ datasets: [join(host, "sales.csv"), join(host, "folder")] });
      const attempts = await evaluateJson<string[]>(sandbox, tryToChange);
      expect(attempts).toEqual(attempts.map(() => "OSError"));
      expect(await readFile(join(host, "sales.csv"), "utf8")).toBe("city,sales\nOslo,10\n");
      await expect(sandbox.files.write("/data/sales.csv", "x")).rejects.toMatchObject(
        refusal("permission_denied"),
      );
      await expect(sandbox.files.remove("/data/folder")).rejects.toMatchObject(refusal("permission_denied"));
    });

    it("that are not there are not found", async () => {
      await expect(create({ datasets: [join(host, "missing.csv")] })).rejects.toMatchObject(
        refusal("not_found"),
      );
      await expect(create({ datasets: { name: join(host, "missing") } })).rejects.toMatchObject(
        refusal("not_found"),
      );
    });

    it.each(["../up.csv", "/etc/abs.csv", "a/../../b", "", ".", "..", "nul\0", "outputs"])(
      "are refused under the name %j",
      async (name) => {
        await expect(create({ datasets: { [name]: join(host, "sales.csv") } })).rejects.toMatchObject(
          refusal("invalid_argument"),
        );
      },
    );

    it("are refused under one name twice", async () => {
      await mkdir(join(host, "other"), { recursive: true });
      await writeFile(join(host, "other", "sales.csv"), "other");
      const datasets = [join(host, "sales.csv"), join(host, "other", "sales.csv")];
      await expect(create({ datasets })).rejects.toMatchObject(refusal("invalid_argument"));
    });
  });
}

const tryToChange = `
import json, os
attempts = [
    lambda: open("/data/sales.csv", "a"),
    lambda: open("/data/new.csv", "w"),
    lambda: os.remove("/data/sales.csv"),
    lambda: os.rename("/data/sales.csv", "/data/moved.csv"),
    lambda: os.chmod("/data/sales.csv", 0o777),
    lambda: open("/data/folder/deep/more.csv", "w"),
    lambda: os.mkdir("/data/folder/new"),
]
def outcome(attempt):
    try:
        attempt()
        return "done"
    except OSError:
        return "OSError"
print(json.dumps([outcome(attempt) for attempt in attempts]))
`;

function sumByPandas(data: string): string {
  return `import pandas as pd; int(pd.read_csv(${py(`${data}/sales.csv`)}).sales.sum())`;
}

function sumByHand(data: string): string {
  return `import csv; sum(int(row["sales"]) for row in csv.DictReader(open(${py(`${data}/sales.csv`)})))`;
}
