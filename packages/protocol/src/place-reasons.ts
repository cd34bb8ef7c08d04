/** Why code runs where it does. */
export const placeReasonCodes = [
  "plain",
  "light_variable",
  "asked",
  "own_context",
  "too_long",
  "shell",
  "magic",
  "notebook",
  "module",
  "unknown_module",
  "processes",
  "network",
  "file",
  "loop",
  "elements",
  "sleep",
  "heavy_variables",
  "any_variable",
  "maybe_variable",
  "light_timeout",
  "light_memory",
  "light_module",
  "light_room",
  "light_cannot",
  "light_ended",
] as const;

export type PlaceReasonCode = (typeof placeReasonCodes)[number];

/** The reason as a code with its values, so that a reader can say it in any language. */
export interface PlaceReason {
  readonly code: PlaceReasonCode;
  /** What it is about, such as the module's name. */
  readonly of?: string;
  /** Modules of the user's own through which the code does it. */
  readonly via?: readonly string[];
  /** It was so when the same code ran before. */
  readonly before?: true;
}
