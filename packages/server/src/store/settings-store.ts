import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import {
  keyedProviders,
  type DescribedSettings,
  type ServerSettings,
  type SettingsChange,
  type SettingsStore,
} from "./contract.ts";
import { replaceFile } from "./replace-file.ts";

export class FileSettingsStore implements SettingsStore {
  readonly #path: string;
  #settings: ServerSettings;

  constructor(folder: string) {
    this.#path = join(folder, "settings.json");
    this.#settings = readSettings(this.#path);
  }

  get(): ServerSettings {
    return this.#settings;
  }

  describe(): DescribedSettings {
    const { keys, ...open } = this.#settings;
    const described = Object.entries(keys).map(([provider, key]) => [
      provider,
      { lastFour: key.length >= minCharsToShow ? key.slice(-4) : "" },
    ]);
    return { ...open, keys: Object.fromEntries(described) };
  }

  update(change: SettingsChange): ServerSettings {
    const { keys, ...open } = this.#settings;
    const changed = {
      ...apply(open, { model: change.model, baseUrl: change.baseUrl }),
      keys: apply(keys, change.keys ?? {}),
    };
    replaceFile(this.#path, `${JSON.stringify(changed, undefined, 2)}\n`);
    this.#settings = changed;
    return changed;
  }
}

/** Of a shorter key the last four would be too much. */
const minCharsToShow = 16;

const fileSchema = z.object({
  model: z.string().exactOptional(),
  baseUrl: z.string().exactOptional(),
  keys: z.partialRecord(z.enum(keyedProviders), z.string()),
});

function readSettings(path: string): ServerSettings {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return { keys: {} };
    throw new AtollError("permission_denied", "The server cannot read its settings.json.", { cause });
  }
  try {
    return fileSchema.parse(JSON.parse(text)) as ServerSettings;
  } catch (cause) {
    throw new AtollError(
      "invalid_argument",
      "The server's settings.json cannot be read. Correct it, or delete it to start without settings.",
      { cause },
    );
  }
}

function apply<Value extends string>(
  values: Readonly<Record<string, Value | undefined>>,
  change: Readonly<Record<string, Value | null | undefined>>,
): Record<string, Value> {
  const merged = {
    ...values,
    ...Object.fromEntries(Object.entries(change).filter(([, v]) => v !== undefined)),
  };
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, Value] => typeof entry[1] === "string"),
  );
}
