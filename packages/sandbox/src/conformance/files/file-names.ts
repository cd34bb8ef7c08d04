import { describe, expect, it } from "vitest";
import { evaluateJson, py, runOk } from "../run-code.ts";
import { describeInside, refusal, type Suite } from "../suite.ts";

/** Names that break what is built by pasting text together. */
export const hostileNames = [
  ["a newline", "first\nsecond"],
  ["only a newline", "\n"],
  ["quotes", `it's "quoted" \`ticked\``],
  ["a backslash", "back\\slash\\n"],
  ["spaces at both ends", "  spaced  "],
  ["a leading dash", "-rf"],
  ["shell and glob characters", "$(touch pwned);*?[a]{b}&|<>#!~"],
  ["accents, composed", "caf\u00e9"],
  ["accents, decomposed", "cafe\u0301"],
  ["scripts and emoji", "漢字 العربية 🦜"],
  ["control characters", "\u0001\u001b[31mred\u007f"],
  ["text that runs right to left", "\u202egnp.exe"],
  ["three dots", "..."],
  ["255 bytes", "é".repeat(127) + "x"],
  ["format signs", "%s%n{0}"],
] as const;

export function describeFileNames({ driver, share }: Suite): void {
  const { hasProcesses } = describeInside(driver);

  describe("file names", () => {
    const sandbox = share();
    const files = () => sandbox().files;

    it.each(hostileNames)("with %s go both ways", async (_, name) => {
      const folder = `names-${Buffer.from(name).toString("hex").slice(0, 40)}`;
      await files().write(`${folder}/${name}`, "from outside");
      const code = `import json, os\nos.rename(os.path.join(${py(folder)}, ${py(name)}), 'moved')\nos.rename('moved', os.path.join(${py(folder)}, ${py(name)}))`;
      expect(await evaluateJson(sandbox(), `${code}\nprint(json.dumps(os.listdir(${py(folder)})))`)).toEqual([
        name,
      ]);

      const entry = expect.objectContaining({
        name,
        path: `${sandbox().info.paths.workspace}/${folder}/${name}`,
      });
      expect(await files().list(folder)).toEqual([entry]);
      expect(await files().stat(`${folder}/${name}`)).toEqual(entry);
      expect(await files().readText(`${folder}/${name}`)).toBe("from outside");
      expect((await files().grep("outside", { path: folder })).matches).toHaveLength(1);
      await files().move(`${folder}/${name}`, `${folder}/plain`);
      await files().move(`${folder}/plain`, `${folder}/${name}`);
      await files().remove(`${folder}/${name}`);
      expect(await files().list(folder)).toEqual([]);
    });

    it("with .. lead where they lead inside", async () => {
      await files().write("up/and/down/file", "found");
      expect(await files().readText("up/and/../and/down/../../and/down/file")).toBe("found");
      await files().write("up/../sideways", "written");
      expect(await files().readText("sideways")).toBe("written");
      const pastTheRoot = `${"../".repeat(40)}${sandbox().info.paths.workspace.slice(1)}/sideways`;
      expect(await files().readText(pastTheRoot)).toBe("written");
    });

    it("of more than 255 bytes are refused", async () => {
      await expect(files().write("x".repeat(256), "")).rejects.toMatchObject(refusal("invalid_argument"));
    });

    it.runIf(!hasProcesses)("that are not UTF-8 are refused", async () => {
      expect((await sandbox().python.run("open(b'\\xff\\xfe', 'w')")).error?.name).toBe("OSError");
      expect((await files().list()).filter(({ name }) => /\ufffd/.test(name))).toEqual([]);
    });

    it.runIf(hasProcesses)("that are not UTF-8 can be listed", async () => {
      await runOk(
        sandbox(),
        "import os; os.mkdir('bytes'); open(b'bytes/\\xff\\xfe', 'w').close(); open('bytes/plain', 'w').close()",
      );
      const names = (await files().list("bytes")).map((entry) => entry.name);
      expect(names).toHaveLength(2);
      expect(names).toContain("plain");
      await files().remove("bytes");
      expect(await files().exists("bytes")).toBe(false);
    });
  });
}
