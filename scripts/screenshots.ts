// `npm run screenshots`: writes the pictures of docs/images/ anew, from the page as it is now in a real browser.
//   npm run screenshots -- --all <folder>    every scene at every width, in both languages and themes, to look at
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UiHarness } from "../tests/support/ui/ui-harness.ts";
import { scenes } from "../tests/ui/layout/scenes.ts";
import { type Look, openWindow, showScene } from "../tests/ui/layout/showing.ts";
import { makeThreads, type Threads } from "../tests/ui/layout/threads.ts";

interface Shot extends Look {
  readonly file: string;
  readonly scene: string;
}

/** Those that the documents show. */
const shown: readonly Shot[] = [
  { file: "ui.png", scene: "scrolled", language: "en", width: 1280 },
  { file: "ui-welcome.png", scene: "welcome", language: "en", width: 1280 },
  { file: "ui-table.png", scene: "table", language: "en", width: 1280 },
  { file: "ui-terminal.png", scene: "panel-terminal", language: "en", width: 1280 },
  { file: "ui-approval.png", scene: "approval", language: "en", width: 1280 },
  { file: "ui-dark.png", scene: "scrolled", language: "en", width: 1280, theme: "dark" },
  { file: "ui-phone.png", scene: "answer", language: "en", width: 390 },
  { file: "ui-chinese.png", scene: "welcome", language: "zh", width: 1280 },
];

const [option, folder = "/tmp/atoll-screenshots"] = process.argv.slice(2);
const target = option === "--all" ? resolve(folder) : resolve(import.meta.dirname, "../docs/images");
await takeAll(option === "--all" ? listAll() : shown, target);

async function takeAll(shots: readonly Shot[], into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  await using ui = await UiHarness.start();
  const made: Partial<Record<Look["language"], Threads>> = {};
  for (const { file, scene: name, ...look } of shots) {
    const scene = scenes.find((each) => each.name === name);
    if (!scene) throw new Error(`there is no scene ${name}`);
    const page = await openWindow(ui.browser, look);
    // One language after the other: a list with both would be odd to see.
    const threads = (made[look.language] ??= await makeThreads(ui, look.language));
    await showScene(page, ui.server.url, scene, threads);
    await page.screenshot({ path: join(into, file) });
    await page.context().close();
    console.log(join(into, file));
  }
}

function listAll(): Shot[] {
  return [1440, 1000, 390].flatMap((width) =>
    (["en", "zh"] as const).flatMap((language) =>
      (["light", "dark"] as const).flatMap((theme) =>
        scenes.map(({ name: scene }) => ({
          file: `${scene}-${language}-${width}-${theme}.png`,
          scene,
          language,
          width,
          theme,
        })),
      ),
    ),
  );
}
