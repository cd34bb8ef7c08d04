import type { DataProfile } from "@atoll/protocol";

const maxKept = 500;

type Language = "en" | "zh" | undefined;
type Suggest = (data: DataProfile, language: Language) => Promise<readonly string[]>;

/** What may be asked of a thread's tables: worked out once for each profile, which the page looks at again and again. */
export class Suggestions {
  readonly #suggest: Suggest;
  /** Least recently used first. */
  readonly #kept = new Map<string, Promise<readonly string[]>>();

  constructor(suggest: Suggest) {
    this.#suggest = suggest;
  }

  /** `profileId` names this profile and no other. What cannot be worked out in time is left out. */
  async of(profileId: string, data: DataProfile, language: Language): Promise<readonly string[]> {
    const key = `${profileId} ${language}`;
    const suggestions = this.#kept.get(key) ?? this.#suggest(data, language).catch(() => []);
    this.#kept.delete(key);
    this.#kept.set(key, suggestions);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxKept) break;
      this.#kept.delete(oldest);
    }
    return suggestions;
  }
}
