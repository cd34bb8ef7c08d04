import { posix } from "node:path";
import { resolvePath } from "../../paths.ts";
import { type ActionScene, findTarget } from "./action.ts";
import type { BrowserActionInput } from "./input.ts";

const maxBytes = 32 * 1024 * 1024;

/** Gives a file field files of the workspace. */
export async function upload(input: BrowserActionInput, scene: ActionScene): Promise<string> {
  const { sandbox } = scene.context;
  const files = [];
  let left = maxBytes;
  for (const path of input.paths ?? []) {
    const place = resolvePath(sandbox, path);
    const bytes = await sandbox.files.read(place, { maxBytes: left, signal: scene.signal });
    left -= bytes.length;
    files.push({
      name: posix.basename(place),
      mimeType: "application/octet-stream",
      buffer: Buffer.from(bytes),
    });
  }
  await (await findTarget(input, scene)).setInputFiles(files);
  return `Chose ${files.map(({ name, buffer }) => `${name} (${buffer.length} bytes)`).join(", ")}.`;
}
