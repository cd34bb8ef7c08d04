import { posix } from "node:path";
import { resolvePath } from "../../paths.ts";
import { type BrowserAct, findTarget, type ActionScene, type BrowserActionInput } from "./action.ts";

export const elementActions = {
  press: {
    needs: ["key"],
    async run(input, scene) {
      const key = input.key ?? "";
      if (input.ref === undefined) await scene.page.keyboard.press(key);
      else await (await findTarget(input, scene)).press(key);
      return `Pressed ${key}.`;
    },
  },
  select: {
    needs: ["ref", "values"],
    async run(input, scene) {
      const chosen = await (await findTarget(input, scene)).selectOption([...(input.values ?? [])]);
      return `Selected: ${chosen.join(", ").slice(0, 500)}.`;
    },
  },
  check: {
    needs: ["ref"],
    async run(input, scene) {
      const isChecked = input.checked ?? true;
      await (await findTarget(input, scene)).setChecked(isChecked);
      return `${input.ref} is ${isChecked ? "checked" : "not checked"}.`;
    },
  },
  hover: {
    needs: ["ref"],
    async run(input, scene) {
      await (await findTarget(input, scene)).hover();
      return `The pointer is over ${input.ref}.`;
    },
  },
  drag: {
    needs: ["ref", "to_ref"],
    async run(input, scene) {
      const { page } = scene;
      const [from, to] = [
        await findTarget(input, scene),
        await scene.browser.references.find(page, input.to_ref ?? ""),
      ];
      await from.hover();
      await page.mouse.down();
      await to.hover();
      // A second move: some pages take the first for the beginning of the drag only.
      await to.hover();
      await page.mouse.up();
      return `Dragged ${input.ref} to ${input.to_ref}.`;
    },
  },
  upload: { needs: ["ref", "paths"], run: upload },
} satisfies Record<string, BrowserAct>;

const MAX_BYTES = 32 * 1024 * 1024;

/** Gives a file field files of the workspace. */
async function upload(input: BrowserActionInput, scene: ActionScene): Promise<string> {
  const { sandbox } = scene.context;
  const files = [];
  let left = MAX_BYTES;
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
