/** One message of the user and what came of it, as a reading of the thread log. */
export interface Turn {
  readonly user: string;
  /** The user's words are code that was run as it is, without a model: its call is the only part. */
  readonly isCode?: boolean;
  readonly status: "completed" | "stopped" | "failed" | "interrupted";
  /** In the order in which they happened. */
  readonly parts: readonly TurnPart[];
}

export type TurnPart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "call";
      readonly callId: string;
      readonly tool: string;
      readonly input: unknown;
      /** What the model was told; undefined when the run was cut off before it came. */
      readonly output?: string;
      readonly isError: boolean;
    }
  /** A message of the user that reached the model in mid-run. */
  | { readonly kind: "steering"; readonly text: string };
