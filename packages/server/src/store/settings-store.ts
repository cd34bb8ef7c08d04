import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { AtollError } from "@atoll/sandbox";
import { permissionRuleSchema } from "@atoll/toolkit";
import { z } from "zod";
import {
  keyedProviders,
  type DescribedSettings,
  type ServerSettings,
  type SettingsChange,
  type SettingsStore,
} from "./contract.ts";
import { replaceFile } from "./data-folder/replace-file.ts";

/** Of several servers, each reads the file anew when it has changed, and one at a time changes it. */
export interface SharedSettings {
  takeTurn(work: () => ServerSettings): Promise<ServerSettings>;
}

export class FileSettingsStore implements SettingsStore {
  readonly #path: string;
  readonly #shared: SharedSettings | undefined;
  #settings: ServerSettings;
  #version: string | undefined;

  constructor(folder: string, shared?: SharedSettings) {
    this.#path = join(folder, "settings.json");
    this.#shared = shared;
    this.#version = shared && readVersion(this.#path);
    this.#settings = readSettings(this.#path);
  }

  get(): ServerSettings {
    if (this.#shared) this.#refresh();
    return this.#settings;
  }

  describe(): DescribedSettings {
    const { keys, ...open } = this.get();
    const described = Object.entries(keys).map(([provider, key]) => [
      provider,
      { lastFour: key.length >= minCharsToShow ? key.slice(-4) : "" },
    ]);
    return { ...open, keys: Object.fromEntries(described) };
  }

  async update(change: SettingsChange): Promise<ServerSettings> {
    return this.#shared ? this.#shared.takeTurn(() => this.#write(change)) : this.#write(change);
  }

  #write(change: SettingsChange): ServerSettings {
    const { keys, approvalRules, ...open } = this.#shared ? readSettings(this.#path) : this.#settings;
    const rules = change.approvalRules === undefined ? approvalRules : change.approvalRules;
    const isElsewhere = change.baseUrl !== undefined && originOf(change.baseUrl) !== originOf(open.baseUrl);
    // A key belongs to the address that it was given for.
    const kept = isElsewhere ? { ...keys, openai: undefined } : keys;
    const changed: ServerSettings = {
      ...apply(open, { model: change.model, baseUrl: change.baseUrl }),
      ...(rules ? { approvalRules: rules } : {}),
      keys: apply(kept, change.keys ?? {}),
    };
    replaceFile(this.#path, `${JSON.stringify(changed, undefined, 2)}\n`);
    this.#settings = changed;
    return changed;
  }

  /** A file that somebody has broken meanwhile leaves what was known. */
  #refresh(): void {
    const version = readVersion(this.#path);
    if (version === this.#version) return;
    try {
      this.#settings = readSettings(this.#path);
      this.#version = version;
    } catch (error) {
      if (!(error instanceof AtollError)) throw error;
    }
  }
}

function originOf(address: string | null | undefined): string | undefined {
  return address ? URL.parse(address)?.origin : undefined;
}

/** Another one for each file that was put in this place. */
function readVersion(path: string): string | undefined {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
  return facts && `${facts.ino} ${facts.mtimeNs} ${facts.size}`;
}

/** Of a shorter key the last four would be too much. */
const minCharsToShow = 16;

const fileSchema = z.object({
  model: z.string().exactOptional(),
  baseUrl: z.string().exactOptional(),
  approvalRules: z.array(permissionRuleSchema).exactOptional(),
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
