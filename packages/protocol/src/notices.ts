/** What each notice about a run is about. Every language has one phrase for each code, with these values. */
export interface NoticeValues {
  timeout: { readonly seconds: number };
  stopped: Empty;
  stopped_by_caller: Empty;
  disk_stopped: { readonly limit: string };
  disk_full: { readonly limit: string };
  disk_nearly_full: { readonly limit: string; readonly left: string };
  disk_kernel_barred: { readonly limit: string };
  memory: { readonly limit: string };
  kernel_restarted: Empty;
  kernel_ended: Empty;
  output_cut: { readonly bytes: number; readonly stream: string };
  artifacts_unseen: Empty;
  artifacts_too_large: { readonly bytes: number; readonly names: string };
  package_absent: { readonly name: string };
  javascript_closed: { readonly name: string };
  run_again: { readonly reason: string; readonly runtime: string };
  not_run_again: { readonly reason: string; readonly runtime: string; readonly blocker: string };
  variable_left_behind: {
    readonly name: string;
    readonly type: string;
    readonly runtime: string;
    readonly reason: string;
  };
  /** Something that has no code: the text is all there is. */
  other: { readonly text: string };
}

type Empty = Readonly<Record<never, never>>;
export type NoticeCode = keyof NoticeValues;

/** What a sandbox says of a run beside its output: as a code with its values, and in English. */
export interface Notice {
  readonly code: NoticeCode;
  readonly values: Readonly<Record<string, string | number>>;
  readonly text: string;
}

/** How a language says each notice. */
export type NoticePhrases = { readonly [Code in NoticeCode]: (values: NoticeValues[Code]) => string };

export const ENGLISH_NOTICES: NoticePhrases = {
  timeout: ({ seconds }) => `Stopped after ${seconds} s (timeoutMs).`,
  stopped: () => "Stopped.",
  stopped_by_caller: () => "Stopped by the caller.",
  disk_stopped: ({ limit }) => `Stopped: the sandbox's disk limit of ${limit} is reached (diskBytes).`,
  disk_full: ({ limit }) =>
    `The disk limit of ${limit} is reached (diskBytes): nothing can be written until files are removed.`,
  disk_nearly_full: ({ limit, left }) =>
    `The disk limit of ${limit} is reached (diskBytes): no more than ${left} can be written until files are removed.`,
  disk_kernel_barred: ({ limit }) =>
    `This kernel wrote on past the disk limit of ${limit} (diskBytes): it can write again once restarted.`,
  memory: ({ limit }) => `The memory limit of ${limit} was reached (memoryBytes).`,
  kernel_restarted: () => "The kernel was restarted: its variables are lost, files are kept.",
  kernel_ended: () => "The kernel had ended since the last run: its variables are lost, files are kept.",
  output_cut: ({ bytes, stream }) =>
    `Output was cut: only the first ${bytes} bytes of ${stream} are here (outputBytes).`,
  artifacts_unseen: () => "Not all files could be looked at in time: artifacts may be missing.",
  artifacts_too_large: ({ bytes, names }) =>
    `Not kept, since they are larger than the disk limit of ${bytes} bytes allows (diskBytes): ${names}.`,
  package_absent: ({ name }) =>
    `The package ${name} is not there for Python in WebAssembly (runtime pyodide): no build of it for this platform could be had. Code that needs it runs with the CPython runtimes (local, docker): set SANDBOX_RUNTIME.`,
  javascript_closed: ({ name }) =>
    `The code reached for JavaScript (${name}), which is closed: its interpreter was ended.`,
  run_again: ({ reason, runtime }) => `${reason}. The code was run again in ${runtime}, from the start.`,
  not_run_again: ({ reason, runtime, blocker }) =>
    `${reason}, and the code was not run again in ${runtime} because ${blocker}. Run it again: it goes to ${runtime} then.`,
  variable_left_behind: ({ name, type, runtime, reason }) =>
    `${name}${type && ` (${type})`} could not be brought to ${runtime}: ${reason}.`,
  other: ({ text }) => text,
};

export const NOTICE_CODES = Object.keys(ENGLISH_NOTICES) as [NoticeCode, ...NoticeCode[]];

/**
 * A notice from its code and values.
 *
 * @example
 *     makeNotice("timeout", { seconds: 0.5 }).text; // "Stopped after 0.5 s (timeoutMs)."
 */
export function makeNotice<Code extends NoticeCode>(code: Code, values: NoticeValues[Code]): Notice {
  return { code, values: { ...values }, text: ENGLISH_NOTICES[code](values) };
}

/** A notice in a language. One whose code that language does not know is said in English. */
export function sayNotice({ code, values, text }: Notice, phrases: NoticePhrases): string {
  if (!Object.hasOwn(phrases, code)) return text;
  return (phrases[code] as (values: Notice["values"]) => string)(values);
}
