import {
  chooseModel,
  checkModel,
  type ModelChoice,
  nameModel,
  openaiAddress,
  openModel,
  parseModel,
} from "@atoll/agent";
import type { Config } from "./config/index.ts";
import type { SettingsStore } from "./store/contract.ts";

/** Which model answers: a thread's own choice, else the settings', else the environment's, else the built-in analyst. */
export class Models {
  readonly #config: Config;
  readonly #settings: SettingsStore;

  constructor(config: Config, settings: SettingsStore) {
    this.#config = config;
    this.#settings = settings;
  }

  /** Fails with `invalid_argument` when the choice lacks its key or address. */
  resolve(choice?: string): ModelChoice {
    const environment = this.#environment();
    return choice === undefined ? chooseModel(environment) : parseModel(choice, environment);
  }

  name(choice?: string): string {
    return nameModel(this.resolve(choice));
  }

  /** What the first answer would else wait for: the provider's code. */
  async warmUp(): Promise<void> {
    const model = this.resolve();
    if (model.kind === "model") await openModel(model);
  }

  async check(choice: string | undefined, signal: AbortSignal): Promise<ModelCheck> {
    const model = this.resolve(choice);
    if (model.kind === "built-in") return { isOk: true, message: "The built-in analyst needs no model." };
    const checked = await checkModel(model, signal);
    if (checked.ok) return { isOk: true, message: `${checked.model} answered in ${checked.durationMs} ms.` };
    return { isOk: false, message: checked.message, hint: checked.hint };
  }

  /** What was set while the server runs goes before what it was started with. */
  #environment(): Record<string, string | undefined> {
    const { model, keys, baseUrl } = this.#settings.get();
    const { openaiApiKey, openaiBaseUrl = openaiAddress } = this.#config;
    // The operator's key is for the operator's address.
    const isTheirs = baseUrl === undefined || isSameOrigin(baseUrl, openaiBaseUrl);
    return {
      ATOLL_MODEL: model ?? this.#config.model,
      OPENAI_MODEL: this.#config.openaiModel,
      OPENAI_API_KEY: keys.openai ?? (isTheirs ? openaiApiKey : undefined),
      OPENAI_BASE_URL: baseUrl ?? this.#config.openaiBaseUrl,
      ANTHROPIC_API_KEY: keys.anthropic ?? this.#config.anthropicApiKey,
      GOOGLE_GENERATIVE_AI_API_KEY: keys.google ?? this.#config.googleApiKey,
    };
  }
}

function isSameOrigin(one: string, other: string): boolean {
  const origin = URL.parse(one)?.origin;
  return origin !== undefined && origin === URL.parse(other)?.origin;
}

export interface ModelCheck {
  readonly isOk: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
}
