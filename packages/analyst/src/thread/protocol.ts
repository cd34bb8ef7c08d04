import type { DataProfile } from "@atoll/protocol";
import type { Language } from "../plan.ts";

/** What the analyst's thread is asked. */
export type Task =
  | {
      readonly kind: "read";
      readonly question: string;
      readonly earlier: readonly string[];
      readonly data: DataProfile;
    }
  | { readonly kind: "suggest"; readonly data: DataProfile; readonly language?: Language | undefined };

export type Answer = { readonly value: unknown } | { readonly error: unknown };
