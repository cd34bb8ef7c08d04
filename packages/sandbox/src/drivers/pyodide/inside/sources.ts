import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { EmscriptenFS } from "./emscripten.ts";

/** Where the interpreter finds its guest. */
export const guestPath = "/lib/atoll";

/** Puts the guest's code into the interpreter's files, with the modules of `wasm/stubs` in their places. */
export function placeGuest(fs: EmscriptenFS, folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    name.replaceAll("\\", "/"),
  );
  const [ordinary, stubs] = [names.filter((name) => !isStub(name)), names.filter(isStub)];
  for (const name of [...ordinary, ...stubs].filter((each) => each.endsWith(".py"))) {
    const target = `${guestPath}/atoll_guest/${name.replace(STUB_FOLDER, "")}`;
    fs.mkdirTree(target.slice(0, target.lastIndexOf("/")));
    fs.writeFile(target, readFileSync(join(folder, name)));
  }
}

/** Python imports from wheels as they are. Returns where they are inside. */
export function placeWheels(fs: EmscriptenFS, wheels: readonly string[]): string[] {
  fs.mkdirTree(wheelFolder);
  return wheels.map((path) => {
    const target = `${wheelFolder}/${basename(path)}`;
    fs.writeFile(target, readFileSync(path));
    return target;
  });
}

const wheelFolder = "/lib/wheels";
const STUB_FOLDER = "wasm/stubs/";

function isStub(name: string): boolean {
  return name.startsWith(STUB_FOLDER);
}
