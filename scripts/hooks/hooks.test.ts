import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { switchHooks } from "../hooks.ts";

const root = resolve(import.meta.dirname, "../..");
const unformatted = "export const one   = 1\nexport const two   = 2\n";
const formatted = "export const one = 1;\nexport const two = 2;\n";
const config = { compilerOptions: { strict: true, noEmit: true }, include: ["*.ts"] };

let repository = "";

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), "atoll-hooks-"));
  onTestFinished(() => rmSync(repository, { recursive: true, force: true }));
  git("init", "--quiet");
  for (const name of [".oxfmtrc.json", ".oxlintrc.json"]) cpSync(join(root, name), join(repository, name));
  write("tsconfig.json", JSON.stringify(config));
  write(".gitignore", ".atoll\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "start");
  git("config", "core.hooksPath", join(root, ".githooks"));
});

/** Without the settings of this machine's user, and of the hook that may run these tests. */
function git(...args: string[]) {
  const foreign = Object.keys(process.env).filter((name) => name.startsWith("GIT_"));
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: repository,
    encoding: "utf8",
    env: {
      ...process.env,
      ...Object.fromEntries(foreign.map((name) => [name, undefined])),
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@example.com",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@example.com",
    },
  });
  return { status, output: stdout + stderr };
}

const commit = (...args: string[]) => git("commit", "--message", "feat(x): add a thing", ...args);
const write = (name: string, content: string) => writeFileSync(join(repository, name), content);
const read = (name: string) => readFileSync(join(repository, name), "utf8");
const show = (place: string) => git("show", place).output;
const status = () => git("status", "--porcelain").output;

test("what is staged is committed formatted, and the working tree has it, too", () => {
  write("a b.ts", unformatted);
  write("untouched.ts", unformatted);
  git("add", "a b.ts");
  expect(commit()).toMatchObject({ status: 0, output: expect.stringContaining("formatted a b.ts") });
  expect([show("HEAD:a b.ts"), read("a b.ts"), read("untouched.ts")]).toEqual([
    formatted,
    formatted,
    unformatted,
  ]);
  expect(status()).toBe("?? untouched.ts\n");
});

test("a file that is staged in part and formatted is committed in part", () => {
  write("a.ts", formatted);
  git("add", "a.ts");
  write("a.ts", `${formatted}const   three = "unused`);
  expect(commit()).toMatchObject({ status: 0 });
  expect([show("HEAD:a.ts"), read("a.ts")]).toEqual([formatted, `${formatted}const   three = "unused`]);
  expect(status()).toBe(" M a.ts\n");
});

test("one that is not formatted is refused, and neither index nor working tree change", () => {
  write("a.ts", unformatted);
  write("b.ts", unformatted);
  git("add", "a.ts", "b.ts");
  write("a.ts", `${unformatted}// more\n`);
  expect(commit()).toMatchObject({
    status: 1,
    output: expect.stringContaining("a.ts: not formatted, and staged in part"),
  });
  expect([show(":a.ts"), show(":b.ts"), read("a.ts"), read("b.ts")]).toEqual([
    unformatted,
    unformatted,
    `${unformatted}// more\n`,
    unformatted,
  ]);
});

test("commit -a works; commit of a path is refused while it is not formatted", () => {
  write("a.ts", formatted);
  git("add", "a.ts");
  commit();
  write("a.ts", `${formatted}export const three   = 3\n`);
  expect(commit("a.ts")).toMatchObject({
    status: 1,
    output: expect.stringContaining("before `git commit <path>`"),
  });
  expect(commit("-a")).toMatchObject({ status: 0 });
  expect(show("HEAD:a.ts")).toBe(`${formatted}export const three = 3;\n`);
  expect(status()).toBe("");
});

test("faults of lint and of types refuse it, those of files that are not staged do not", () => {
  write("broken.ts", "export const text: string = 1;\n");
  write("a.ts", "export const word: string = 2;\nvar x = 1;\n");
  git("add", "a.ts");
  const refused = commit();
  expect(refused.status).toBe(1);
  expect(refused.output).toMatch(/no-var/);
  expect(refused.output).toMatch(/a\.ts\(1,14\): error TS2322/);
  expect(refused.output).not.toContain("broken.ts");
  write("a.ts", formatted);
  git("add", "a.ts");
  expect(commit()).toMatchObject({ status: 0 });
});

test("removed files, links and files that no tool knows pass", () => {
  mkdirSync(join(repository, "folder"));
  write("folder/a.ts", formatted);
  write("notes.txt", "a   b\n");
  symlinkSync("/etc/hostname", join(repository, "link.ts"));
  git("add", ".");
  expect(commit()).toMatchObject({ status: 0 });
  git("rm", "--quiet", "folder/a.ts");
  expect(commit()).toMatchObject({ status: 0 });
});

test("a message that is not conventional is refused", () => {
  write("notes.txt", "a\n");
  git("add", ".");
  const refused = git("commit", "--message", "Added some stuff");
  expect(refused).toMatchObject({ status: 1, output: expect.stringContaining('"type(scope): summary"') });
});

test("npm run hooks switches them on and off, and leaves other hooks alone", () => {
  const present = () => git("config", "core.hooksPath").output.trim();
  const ours = present();
  expect(switchHooks(repository, { isOff: false })).toMatchObject({ isRefused: true });
  expect(switchHooks(repository, { isOff: true })).toMatchObject({ isRefused: true });
  expect(present()).toBe(ours);
  git("config", "--unset", "core.hooksPath");
  expect(switchHooks(repository, { isOff: false })).toMatchObject({ isRefused: false });
  expect(present()).toBe(".githooks");
  expect(switchHooks(repository, { isOff: false })).toMatchObject({ isRefused: false });
  expect(switchHooks(repository, { isOff: true })).toMatchObject({ isRefused: false });
  expect(present()).toBe("");
});
