// Made by scripts/generate-client.ts from the server's OpenAPI document. A test fails when it is stale.

export type Alive = {
  readonly status: "ok";
};

export type Answer = {
  readonly status: "completed" | "stopped" | "failed" | "interrupted";
  /** The answer's text, as far as it came */
  readonly response: string;
  /** `built-in` for the built-in analyst, else provider:model */
  readonly model: string;
  /** e.g. `hot`, or `cold→hot (35ms)` */
  readonly container_state: string;
  readonly openai_calls: number;
  readonly total_ms: number;
  readonly timings_ms: Timings;
  readonly code_runs: readonly CodeRun[];
  readonly usage?: Usage;
  readonly thread_id: string;
  readonly run_id: string;
  readonly message_id: string;
  /** Tables, images and files of this run, in their order */
  readonly results: readonly AnswerResult[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
  };
};

export type AnswerResult =
  | {
      readonly kind: "table";
      readonly call_id: string;
      readonly table: Table;
    }
  | {
      readonly kind: "image";
      readonly call_id: string;
      readonly mime: string;
      readonly url: string;
    }
  | {
      readonly kind: "artifact";
      readonly call_id: string;
      readonly path: string;
      readonly size_bytes: number;
      readonly mime: string;
      readonly hash: string;
      readonly url?: string;
    };

export type ApiError = {
  readonly code:
    | "invalid_argument"
    | "not_supported"
    | "not_found"
    | "already_exists"
    | "not_a_file"
    | "not_a_folder"
    | "permission_denied"
    | "disk_full"
    | "too_large"
    | "too_many_entries"
    | "busy"
    | "timeout"
    | "aborted"
    | "sandbox_paused"
    | "sandbox_dead"
    | "snapshot_invalid"
    | "runtime_unavailable"
    | "unavailable"
    | "not_owner"
    | "protocol_error"
    | "damaged"
    | "internal"
    | "bad_request"
    | "unauthorized"
    | "forbidden"
    | "method_not_allowed"
    | "request_timeout"
    | "changed"
    | "range_not_satisfiable"
    | "unsupported_media_type"
    | "uri_too_long"
    | "headers_too_large"
    | "rate_limited"
    | "expired"
    | "shutting_down";
  /** What happened */
  readonly message: string;
  /** What to do about it */
  readonly hint: string;
};

export type ApprovalDecidedEvent = {
  readonly type: "approval_decided";
  readonly approval_id: string;
  readonly call_id: string;
  readonly decision: "allow" | "deny";
  readonly reason?: string;
  /** What decided; `end`: the run ended before anybody did */
  readonly by?: "user" | "rule" | "timeout" | "end";
  /** The arguments that the call runs with instead of its own */
  readonly input?: unknown;
  /** From now on the same is decided for this call, or for whatever this agent does with the tool */
  readonly remember?: "call" | "tool";
};

export type ApprovalDecision = {
  readonly decision: "allow" | "deny";
  /** Told to the model with a denial */
  readonly reason?: string;
  /** Adds a rule to the thread, so that the same holds from now on: for this very call, or for whatever this agent does with the tool */
  readonly remember?: "call" | "tool";
  /** The arguments that the call is to run with instead of its own; the model is told */
  readonly input?: Readonly<Record<string, unknown>>;
};

export type ApprovalEvent = {
  readonly type: "approval";
  readonly approval_id: string;
  readonly call_id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Whose call it is; absent: `main`, which talks to the user */
  readonly agent?: string;
  /** The call that this one is a part of, where a program or another agent makes it */
  readonly parent_call_id?: string;
  /** When it counts as refused; ISO 8601, UTC */
  readonly expires_at?: string;
};

export type ApprovalList = {
  readonly thread_id: string;
  /** Calls that wait for a decision, oldest first */
  readonly approvals: readonly OpenApproval[];
};

export type ApprovalResult = {
  readonly approval_id: string;
  readonly decision: "allow" | "deny";
};

export type ApprovalRule = {
  /** Whose calls: `main`, `task`, `browser`; without it, everybody's */
  readonly agent?: string;
  /** A tool's name, e.g. `execute_shell`, or `git_*`, or `*` */
  readonly tool: string;
  /** Arguments by name, e.g. {"command": "git status*"}; all of them must fit */
  readonly input?: Readonly<Record<string, string>>;
  /** Fits only a call with these arguments and no others; `remember: call` makes such rules */
  readonly exact?: boolean;
  readonly permission: "allow" | "ask" | "deny";
};

export type Artifact = {
  readonly hash: string;
  readonly size_bytes: number;
  readonly mime: string;
  readonly at: string;
  readonly run_id?: string;
  /** Absent when the file was too large to keep a copy of */
  readonly url?: string;
  /** Works without a token until `expires_at` */
  readonly signed_url?: string;
  readonly expires_at?: string;
  readonly path: string;
  readonly name: string;
  /** Oldest first, this one last */
  readonly versions: readonly ArtifactVersion[];
};

export type ArtifactEvent = {
  readonly type: "artifact";
  readonly call_id: string;
  readonly path: string;
  readonly size_bytes: number;
  /** SHA-256 of its content, in hex */
  readonly hash: string;
  readonly mime: string;
  readonly change: "new" | "changed";
  /** Absent when the file was too large to keep a copy of */
  readonly url?: string;
};

export type ArtifactList = {
  readonly thread_id: string;
  readonly artifacts: readonly Artifact[];
};

export type ArtifactVersion = {
  readonly hash: string;
  readonly size_bytes: number;
  readonly mime: string;
  readonly at: string;
  readonly run_id?: string;
  /** Absent when the file was too large to keep a copy of */
  readonly url?: string;
  /** Works without a token until `expires_at` */
  readonly signed_url?: string;
  readonly expires_at?: string;
};

export type Branch = {
  /** The new thread */
  readonly thread_id: string;
  readonly parent_thread_id: string;
  readonly parent_message_id: string;
  readonly title: string | null;
  readonly message_count: number;
  /** Files and variables are those of that turn, all of them */
  readonly is_exact: boolean;
  /** Whose files and variables they are; null: none were kept, it starts with the data alone */
  readonly state_of: {
    readonly message_id: string;
    /** The state before that message was answered, not after */
    readonly before: boolean;
    readonly taken_at: string;
  } | null;
  /** Variables that are there, by name */
  readonly restored: readonly string[];
  readonly lost: readonly {
    readonly name: string;
    readonly type: string;
    readonly reason: string;
  }[];
  readonly missing_files: readonly {
    readonly path: string;
    readonly reason: string;
  }[];
};

export type BrowserInput =
  | {
      readonly type: "mouse";
      readonly action: "move" | "down" | "up" | "click";
      readonly x: number;
      readonly y: number;
      readonly button?: "left" | "right" | "middle";
    }
  | {
      readonly type: "wheel";
      readonly x: number;
      readonly y: number;
      readonly delta_x: number;
      readonly delta_y: number;
    }
  | {
      readonly type: "key";
      /** e.g. Enter, ArrowDown, Control+a */
      readonly key: string;
    }
  | {
      readonly type: "text";
      readonly text: string;
    }
  | {
      readonly type: "navigate";
      readonly url: string;
    }
  | {
      readonly type: "history";
      readonly action: "back" | "forward" | "reload";
    }
  | {
      readonly type: "tab";
      readonly action: "select" | "close" | "new";
      readonly tab?: number;
    };

export type BrowserState = {
  readonly url: string;
  readonly title: string;
  readonly tabs: readonly BrowserTab[];
};

export type BrowserTab = {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly is_current: boolean;
};

export type ChatMessage = {
  /** Chosen by the client; its first use makes a temporary thread */
  readonly session_id: string;
  readonly message: string;
  /** While a run is under way: wait for its end (queue), or reach it before its next step (steer) */
  readonly mode?: "queue" | "steer";
};

export type CodeRun = {
  readonly call_id: string;
  readonly language: "python" | "shell";
  readonly code: string;
  /** What the run printed and showed, as text */
  readonly output: string;
  readonly exec_ms: number;
  readonly status: "ok" | "error" | "timeout" | "killed";
  readonly exit_code: number;
  readonly truncated: boolean;
  readonly error?: RunError;
  readonly notices?: readonly string[];
  /** The same as `notices`, to be said in another language */
  readonly coded_notices?: readonly {
    readonly code:
      | "timeout"
      | "stopped"
      | "stopped_by_caller"
      | "disk_stopped"
      | "disk_full"
      | "disk_nearly_full"
      | "disk_kernel_barred"
      | "memory"
      | "kernel_restarted"
      | "kernel_ended"
      | "output_cut"
      | "artifacts_unseen"
      | "artifacts_too_large"
      | "package_absent"
      | "javascript_closed"
      | "run_again"
      | "not_run_again"
      | "variable_left_behind"
      | "other";
    readonly values: Readonly<Record<string, string | number>>;
    readonly text: string;
  }[];
  /** In a thread with two runtimes: the one that it ran in, and why */
  readonly place?: {
    readonly runtime: "pyodide" | "cpython";
    /** e.g. `imports pandas` */
    readonly reason: string;
    /** The same, to be said in another language */
    readonly reasons?: readonly {
      readonly code:
        | "plain"
        | "light_variable"
        | "asked"
        | "own_context"
        | "too_long"
        | "shell"
        | "magic"
        | "notebook"
        | "module"
        | "unknown_module"
        | "processes"
        | "network"
        | "file"
        | "loop"
        | "elements"
        | "sleep"
        | "heavy_variables"
        | "any_variable"
        | "maybe_variable"
        | "light_timeout"
        | "light_memory"
        | "light_module"
        | "light_room"
        | "light_cannot"
        | "light_ended";
      /** What it is about, such as the module's name */
      readonly of?: string;
      /** Modules of the user's own through which the code does it */
      readonly via?: readonly string[];
      /** It was so when the same code ran before */
      readonly before?: true;
    }[];
    /** It was run again here, because the other one could not do it */
    readonly retried?: boolean;
  };
};

export type CodeRunEvent = {
  readonly call_id: string;
  readonly language: "python" | "shell";
  readonly code: string;
  /** What the run printed and showed, as text */
  readonly output: string;
  readonly exec_ms: number;
  readonly status: "ok" | "error" | "timeout" | "killed";
  readonly exit_code: number;
  readonly truncated: boolean;
  readonly error?: RunError;
  readonly notices?: readonly string[];
  /** The same as `notices`, to be said in another language */
  readonly coded_notices?: readonly {
    readonly code:
      | "timeout"
      | "stopped"
      | "stopped_by_caller"
      | "disk_stopped"
      | "disk_full"
      | "disk_nearly_full"
      | "disk_kernel_barred"
      | "memory"
      | "kernel_restarted"
      | "kernel_ended"
      | "output_cut"
      | "artifacts_unseen"
      | "artifacts_too_large"
      | "package_absent"
      | "javascript_closed"
      | "run_again"
      | "not_run_again"
      | "variable_left_behind"
      | "other";
    readonly values: Readonly<Record<string, string | number>>;
    readonly text: string;
  }[];
  /** In a thread with two runtimes: the one that it ran in, and why */
  readonly place?: {
    readonly runtime: "pyodide" | "cpython";
    /** e.g. `imports pandas` */
    readonly reason: string;
    /** The same, to be said in another language */
    readonly reasons?: readonly {
      readonly code:
        | "plain"
        | "light_variable"
        | "asked"
        | "own_context"
        | "too_long"
        | "shell"
        | "magic"
        | "notebook"
        | "module"
        | "unknown_module"
        | "processes"
        | "network"
        | "file"
        | "loop"
        | "elements"
        | "sleep"
        | "heavy_variables"
        | "any_variable"
        | "maybe_variable"
        | "light_timeout"
        | "light_memory"
        | "light_module"
        | "light_room"
        | "light_cannot"
        | "light_ended";
      /** What it is about, such as the module's name */
      readonly of?: string;
      /** Modules of the user's own through which the code does it */
      readonly via?: readonly string[];
      /** It was so when the same code ran before */
      readonly before?: true;
    }[];
    /** It was run again here, because the other one could not do it */
    readonly retried?: boolean;
  };
  readonly type: "code_run";
};

export type Column = {
  readonly name: string;
  /** pandas' own name of the type */
  readonly dtype: string;
  /** What it is for an analyst */
  readonly kind: "number" | "date" | "text" | "category" | "boolean" | "other";
  readonly missing: number;
  readonly distinct?: number;
  /** Numbers as such, dates as ISO strings */
  readonly min?: number | string;
  readonly max?: number | string;
  readonly mean?: number;
  /** The values of a text column, most frequent first, at most 50 */
  readonly values?: readonly string[];
  /** A few values as they are */
  readonly samples: readonly unknown[];
};

export type CommandList = {
  readonly commands: readonly {
    readonly command_id: string;
    readonly pid: number;
    readonly command: string | readonly string[];
    readonly is_running: boolean;
    readonly exit_code?: number;
    readonly started_at: string;
  }[];
};

export type CommandOutput = {
  readonly command_id: string;
  readonly is_running: boolean;
  readonly stdout: {
    readonly offset: number;
    readonly next_offset: number;
    readonly text: string;
  };
  readonly stderr: {
    readonly offset: number;
    readonly next_offset: number;
    readonly text: string;
  };
};

export type CommandResult = {
  readonly command_id: string;
  readonly status: "running" | "ok" | "error" | "timeout" | "killed";
  /** Of a command in the background */
  readonly pid?: number;
  readonly exit_code?: number;
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated?: {
    readonly stdout: boolean;
    readonly stderr: boolean;
  };
  readonly duration_ms?: number;
  readonly notices?: readonly string[];
};

export type CommandRun = {
  /** Text goes through bash, a list is executed as it is */
  readonly command: string | readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeout_ms?: number;
  /** true: answers at once; read its output later */
  readonly background?: boolean;
  readonly stdin?: string;
};

export type Context = {
  readonly name: string;
  readonly is_busy: boolean;
  readonly execution_count: number;
};

export type ContextChoice = {
  readonly context?: string;
};

export type ContextList = {
  readonly contexts: readonly Context[];
};

/** The thread's files have been read: tables with their columns, and other files */
export type DataEvent = {
  readonly type: "data";
  readonly data: DataProfile;
};

export type DataProfile = {
  readonly tables: readonly TableProfile[];
  readonly others: readonly {
    readonly file: string;
    readonly name: string;
    readonly size_bytes: number;
    /** Why a file that looks like a table could not be read */
    readonly problem?: string;
  }[];
  /** No table can be read in this sandbox, since its runtime does not have the package that reads them */
  readonly lacks?: {
    readonly package: string;
    readonly runtime: string;
  };
};

export type DoneEvent = {
  readonly status: "completed" | "stopped" | "failed" | "interrupted";
  /** The answer's text, as far as it came */
  readonly response: string;
  /** `built-in` for the built-in analyst, else provider:model */
  readonly model: string;
  /** e.g. `hot`, or `cold→hot (35ms)` */
  readonly container_state: string;
  readonly openai_calls: number;
  readonly total_ms: number;
  readonly timings_ms: Timings;
  readonly code_runs: readonly CodeRun[];
  readonly usage?: Usage;
  readonly type: "done";
  readonly thread_id: string;
  readonly run_id: string;
  readonly message_id: string;
};

export type EffectiveLimits = {
  readonly memory_bytes: number;
  readonly cpus: number;
  readonly disk_bytes: number;
  readonly timeout_ms: number;
};

export type ErrorEvent = {
  readonly type: "error";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
};

export type EventPage = {
  readonly thread_id: string;
  readonly events: readonly StoredEvent[];
  /** For `after` of the next page */
  readonly next_after: number;
  readonly has_more: boolean;
};

export type FileInfo = {
  readonly path: string;
  readonly name: string;
  readonly kind: "file" | "folder" | "symlink" | "other";
  readonly size_bytes: number;
  readonly mode: number;
  readonly modified_at: string;
  /** Another one when the content has changed */
  readonly etag: string;
  readonly link_target?: string;
  /** Why nothing more is known of it than its name */
  readonly problem?: string;
};

export type FileList = {
  readonly path: string;
  readonly files: readonly FileInfo[];
};

export type FileTable = {
  readonly columns: readonly {
    readonly name: string;
    readonly dtype: string;
  }[];
  /** Fewer than asked for, where they are very long; the next page begins after them */
  readonly rows: readonly (readonly unknown[])[];
  readonly index?: readonly unknown[];
  readonly index_names?: readonly (string | null)[];
  readonly offset: number;
  /** Rows of the whole table */
  readonly total: number;
  /** Rows that the filter lets through */
  readonly filtered_total: number;
  readonly total_columns: number;
  readonly path: string;
  /** csv, tsv, excel, parquet, json or jsonl */
  readonly format: string;
  /** Of a workbook: those that have a table */
  readonly sheets: readonly string[];
  /** The one that this is */
  readonly sheet?: string;
  /** More than `total`, where the sandbox has not the memory for all */
  readonly file_rows: number;
  /** How it was read */
  readonly notes: readonly string[];
};

export type FilesWritten = {
  readonly files: readonly FileInfo[];
};

export type History = {
  readonly thread_id: string;
  /** When the sandbox was restored, and what came back; oldest first */
  readonly notices: readonly HistoryNotice[];
  readonly messages: readonly HistoryMessage[];
};

export type HistoryMessage = {
  readonly role: "user" | "assistant";
  readonly content: string;
  /** Of the user's message; an answer has that of its question */
  readonly message_id: string;
  readonly at: string;
  /** The user ran this code, without a model */
  readonly kind?: "code";
  /** Of code */
  readonly language?: "python" | "shell";
  readonly run_id?: string;
  readonly status?: "queued" | "running" | "completed" | "stopped" | "failed" | "interrupted";
  /** No run has begun with it */
  readonly is_queued?: boolean;
  readonly model?: string;
  readonly code_runs?: readonly CodeRun[];
  /** Of an answer: its tables, images and files, in their order */
  readonly results?: readonly AnswerResult[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
  };
};

export type HistoryNotice = {
  readonly at: string;
  readonly run_id?: string;
  readonly text: string;
  /** Variables that are back, by name */
  readonly restored?: readonly string[];
  /** Variables that are not, and why */
  readonly lost?: readonly {
    readonly name: string;
    readonly type: string;
    readonly reason: string;
  }[];
  /** The sandbox had ended by itself: the variables are as old as this */
  readonly variables_at?: string;
};

export type Image = {
  readonly mime: string;
  /** Where to get it, on this server */
  readonly url: string;
};

export type Job = {
  readonly thread_id: string;
  /** pause: hot → warm; evict: → cold; delete: the thread expires; terminate: a sandbox of no thread ends */
  readonly kind: "pause" | "evict" | "terminate" | "delete";
  /** dead: given up after the last try */
  readonly state: "waiting" | "running" | "dead";
  readonly tries: number;
  readonly due_at: string;
  readonly scheduled_at: string;
  readonly last_error?: string;
};

export type JobList = {
  readonly jobs: readonly Job[];
};

export type KernelResult = {
  readonly thread_id: string;
  /** false: there was nothing to do */
  readonly is_done: boolean;
};

export type MessageEvent = {
  readonly type: "message";
  readonly message_id: string;
  readonly role: "user";
  readonly text: string;
  readonly mode: "queue" | "steer";
  /** The text is code that is run as it is, without a model */
  readonly kind?: "code";
  /** Of code */
  readonly language?: "python" | "shell";
};

export type MessageRemovedEvent = {
  readonly type: "message_removed";
  readonly message_id: string;
};

export type MoveFile = {
  readonly from: string;
  readonly to: string;
  readonly overwrite?: boolean;
};

/** A program in the sandbox used the network, or tried to */
export type NetworkEvent = {
  readonly type: "network";
  /** When the first of them began */
  readonly started_at: string;
  readonly method: string;
  /** `(others)`: more hosts in a moment than are told one by one */
  readonly host: string;
  readonly port: number;
  readonly outcome: "allowed" | "refused" | "failed";
  /** Why it was refused or failed */
  readonly reason?: string;
  /** Requests that were the same, told together */
  readonly count: number;
  readonly sent_bytes: number;
  readonly received_bytes: number;
  readonly duration_ms: number;
};

/** What the sandbox may reach; addresses that are not public it never may */
export type NetworkPolicy =
  | ("none" | "all-public")
  | {
      /** Hosts: `example.com`, `*.example.com`, `example.com:8443` */
      readonly allow: readonly string[];
    };

export type NewBranch = {
  /** A message of the user in this thread */
  readonly message_id: string;
  /** true: as it was before this message was answered, e.g. to send another in its place */
  readonly before?: boolean;
  /** Default: the thread's own, with (branch) */
  readonly title?: string;
};

export type NewCode = {
  readonly code: string;
  /** Default: python, in the thread's own kernel */
  readonly language?: "python" | "shell";
};

export type NewContext = {
  readonly name?: string;
};

export type NewMessage = {
  readonly message: string;
  /** While a run is under way: wait for its end (queue), or reach it before its next step (steer) */
  readonly mode?: "queue" | "steer";
};

export type NewSandbox = {
  /** Reopens the files kept under this id, or names the new sandbox */
  readonly id?: string;
  /** `auto`, `local`, `docker`, `pyodide` or `routed`; default: the server's own */
  readonly runtime?: string;
  /** ephemeral: every run in a fresh sandbox */
  readonly mode?: "pinned" | "ephemeral";
  readonly limits?: {
    readonly cpus?: number;
    readonly memory_bytes?: number;
    readonly processes?: number;
    readonly timeout_ms?: number;
    readonly file_size_bytes?: number;
    readonly disk_bytes?: number;
    readonly output_bytes?: number;
    readonly open_files?: number;
    readonly tmp_bytes?: number;
  };
  readonly env?: Readonly<Record<string, string>>;
  /** Uploads to show in /data */
  readonly file_ids?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** Default: none */
  readonly network?: NetworkPolicy;
};

export type NewShare = {
  /** true: a further link; default: the link that there is moves on */
  readonly is_new?: boolean;
};

export type NewThread = {
  /** From POST /upload; without any, the bundled transactions.csv */
  readonly file_ids?: readonly string[];
  readonly title?: string;
  /** `built-in` or provider:model */
  readonly model?: string;
  /** on: tools ask before they run; off: they do not. Rules count before either */
  readonly approvals?: "off" | "on";
  /** What tools may do; of the rules that fit a call, the last one counts */
  readonly approval_rules?: readonly ApprovalRule[];
  /** Default: what the server gives to threads */
  readonly network?: NetworkPolicy;
  /** Of its sandbox; those not named are the usual ones */
  readonly limits?: ThreadLimits;
  /** false: answered at once, while the sandbox starts; a `data` event tells when the files are read */
  readonly wait?: boolean;
  /** auto: light code runs in Pyodide, heavy code in CPython. Default: the server's runtime */
  readonly runtime?: "auto";
  /** true: it is removed when nobody has used it for a while, and holds little */
  readonly temporary?: boolean;
};

export type NewThreadData = {
  /** From POST /upload */
  readonly file_ids: readonly string[];
};

export type OpenApproval = {
  readonly approval_id: string;
  readonly run_id: string;
  readonly call_id: string;
  readonly tool: string;
  /** The arguments */
  readonly input: unknown;
  /** Whose call it is: `main` talks to the user */
  readonly agent: string;
  /** The call that this one is a part of, where a program or another agent makes it */
  readonly parent_call_id?: string;
  readonly asked_at: string;
  /** When it counts as refused */
  readonly expires_at: string;
};

export type OutputEvent = {
  readonly type: "output";
  readonly call_id: string;
  readonly stream: "stdout" | "stderr";
  readonly text: string;
};

export type Overview = {
  readonly name: string;
  readonly description: string;
  readonly model: string;
  readonly endpoints: Readonly<Record<string, string>>;
};

export type PortList = {
  readonly ports: readonly number[];
  readonly previews: readonly Preview[];
};

export type Preview = {
  readonly port: number;
  /** Below this server's address: the page has no origin and no cookies */
  readonly path: string;
  /** An origin of its own, on the machine where the server listens */
  readonly url?: string;
};

export type ProcessList = {
  readonly processes: readonly {
    readonly pid: number;
    readonly parent_pid: number;
    readonly name: string;
    readonly command_line: string;
    readonly state: string;
    readonly resident_bytes: number;
    readonly cpu_ms: number;
  }[];
};

export type PythonResult = {
  readonly run_id: string;
  readonly status: "ok" | "error" | "timeout" | "killed";
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: {
    readonly stdout: boolean;
    readonly stderr: boolean;
    readonly results: boolean;
  };
  readonly results: readonly RunOutput[];
  readonly error?: RunError;
  readonly artifacts: readonly {
    readonly path: string;
    readonly size_bytes: number;
    readonly hash: string;
    readonly mime: string;
    readonly change: "new" | "changed";
  }[];
  readonly duration_ms: number;
  readonly kernel_restarted: boolean;
  readonly notices: readonly string[];
};

export type PythonRun = {
  readonly code: string;
  readonly context?: string;
  readonly timeout_ms?: number;
};

export type QueuedMessage = {
  readonly thread_id: string;
  readonly message_id: string;
  /** Of its `message` event: what follows comes after this id */
  readonly event_id: number;
  /** Messages before it */
  readonly position: number;
};

export type Readiness = {
  /** degraded: something that was stored is damaged or lost; all else works */
  readonly status: "ready" | "degraded" | "not_ready";
  readonly obstacles: readonly {
    readonly name: string;
    readonly message?: string;
  }[];
};

export type Removed = {
  readonly removed: boolean;
};

export type Restored = {
  readonly restored: readonly string[];
  readonly lost: readonly {
    readonly name: string;
    readonly type: string;
    readonly reason: string;
  }[];
  readonly duration_ms: number;
};

export type RestoredThread = {
  readonly thread_id: string;
  readonly restored: true;
};

export type ResultEvent = {
  readonly type: "result";
  readonly call_id: string;
  /** The value of the last expression, not something displayed on the way */
  readonly is_main: boolean;
  readonly text?: string;
  readonly html?: string;
  readonly markdown?: string;
  readonly latex?: string;
  readonly json?: unknown;
  readonly table?: Table;
  readonly image?: Image;
  /** Further media types, e.g. Vega-Lite or Plotly */
  readonly extra?: Readonly<Record<string, unknown>>;
};

export type RevivedJob = {
  /** false: no such job has failed for good */
  readonly revived: boolean;
};

export type RunError = {
  readonly name: string;
  readonly value: string;
  readonly traceback: string;
};

export type RunOutput = {
  readonly is_main: boolean;
  readonly text?: string;
  readonly html?: string;
  readonly markdown?: string;
  readonly svg?: string;
  /** Base64 */
  readonly png?: string;
  /** Base64 */
  readonly jpeg?: string;
  readonly latex?: string;
  readonly json?: unknown;
  readonly table?: Table;
  readonly extra?: Readonly<Record<string, unknown>>;
};

export type RunStartedEvent = {
  readonly type: "run_started";
  readonly run_id: string;
  readonly message_id: string;
  readonly model: string;
};

export type Sandbox = {
  readonly sandbox_id: string;
  readonly state: "running" | "paused" | "dead";
  readonly runtime: string;
  readonly mode: "pinned" | "ephemeral";
  readonly created_at: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, number>>;
  readonly paths: Readonly<Record<string, string>>;
  readonly network: NetworkPolicy;
};

/** The sandbox was restored, or ended by itself */
export type SandboxEvent = {
  readonly type: "sandbox";
  readonly state: "hot" | "warm" | "cold";
  /** What happened, in words */
  readonly text: string;
  /** Variables that are back, by name */
  readonly restored?: readonly string[];
  /** Variables that are not, and why */
  readonly lost?: readonly {
    readonly name: string;
    readonly type: string;
    readonly reason: string;
  }[];
  /** The sandbox had ended by itself: the variables are as old as this */
  readonly variables_at?: string;
};

export type SandboxLimits = Readonly<Record<string, number>>;

export type SandboxList = {
  readonly sandboxes: readonly Sandbox[];
};

export type SandboxMetrics = {
  readonly cpu_ms: number;
  readonly memory_bytes: number;
  readonly memory_limit_bytes: number;
  readonly processes: number;
  readonly disk_bytes: number;
  readonly disk_limit_bytes: number;
  readonly uptime_ms: number;
};

export type SandboxTraffic = {
  readonly sandbox_id: string;
  /** The newest first; since this server has the sandbox */
  readonly traffic: readonly TrafficEntry[];
};

export type ServerEntry = {
  readonly server_id: string;
  /** Where the other servers reach it */
  readonly url: string;
  readonly started_at: string;
  /** false: it died, and the others are taking over what it had */
  readonly is_alive: boolean;
  /** It is the one that answers */
  readonly is_this: boolean;
  /** Threads that it has now; those that nothing goes on in are nobody's */
  readonly threads: number;
  /** Programs' sandboxes that it has */
  readonly sandboxes: number;
};

export type ServerList = {
  /** Empty where there is one server without REDIS_URL and DATABASE_URL */
  readonly servers: readonly ServerEntry[];
};

export type SessionFiles = {
  readonly session_id: string;
  readonly thread_id: string;
  /** In /data and /workspace */
  readonly files: readonly FileInfo[];
};

export type SessionName = {
  /** Chosen by the client; its first use makes a temporary thread */
  readonly session_id: string;
};

export type Settings = {
  /** As set here; null: by ATOLL_MODEL, else by the keys */
  readonly model: string | null;
  /** What answers now where a thread has no model of its own */
  readonly active_model: string;
  readonly base_url: string | null;
  /** Those set here; keys in the environment are not listed */
  readonly keys: {
    readonly openai: {
      readonly last_four: string;
    } | null;
    readonly anthropic: {
      readonly last_four: string;
    } | null;
    readonly google: {
      readonly last_four: string;
    } | null;
  };
  /** For all threads, before the rules of each */
  readonly approval_rules: readonly ApprovalRule[];
};

/** null takes a value back; what is absent stays. Keys are never sent back. */
export type SettingsChange = {
  readonly model?: string | null;
  /** Of an OpenAI-compatible server. Another origin takes back the key for OpenAI: send the new one with it */
  readonly base_url?: string | null;
  readonly keys?: {
    readonly openai?: string | null;
    readonly anthropic?: string | null;
    readonly google?: string | null;
  };
  /** For all threads, before the rules of each */
  readonly approval_rules?: readonly ApprovalRule[] | null;
};

export type SettingsTest = {
  /** Default: the model that answers now */
  readonly model?: string;
};

export type SettingsTestResult = {
  readonly model: string;
  readonly is_ok: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
  readonly duration_ms: number;
};

export type Share = {
  readonly share_id: string;
  /** The page, on this server */
  readonly url: string;
  readonly created_at: string;
  /** What is shown is the conversation of this moment */
  readonly shared_at: string;
};

export type ShareList = {
  readonly thread_id: string;
  readonly shares: readonly Share[];
};

export type SharedThread = {
  readonly share_id: string;
  readonly title: string | null;
  readonly shared_at: string;
  /** Up to the last answer that had ended; `thread_id` in them is the share's own */
  readonly events: readonly StoredEvent[];
};

export type Snapshot = {
  readonly path: string;
  readonly size_bytes: number;
  readonly saved: readonly string[];
  readonly lost: readonly {
    readonly name: string;
    readonly type: string;
    readonly reason: string;
  }[];
  readonly duration_ms: number;
};

export type StatusEvent = {
  readonly type: "status";
  readonly text: string;
  /** For pages in other languages; absent where only the text tells what is done */
  readonly code?:
    | "reading_files"
    | "waiting_for_sandbox"
    | "thinking"
    | "writing_code"
    | "preparing_call"
    | "retrying"
    | "shortening"
    | "without_pictures"
    | "summing_up"
    | "session_full";
};

export type SteeredEvent = {
  readonly type: "steered";
  /** The message that reached the model in mid-run */
  readonly message_id: string;
};

export type StopResult = {
  readonly thread_id: string;
  readonly was_running: boolean;
};

export type StoredEvent = {
  /** Rises within a thread; also the SSE id */
  readonly id: number;
  readonly thread_id: string;
  readonly run_id?: string;
  /** ISO 8601, UTC */
  readonly at: string;
} & ThreadEvent;

export type Table = {
  /** Under this name the kernel has the whole table, until newer ones need the room or it ends */
  readonly table_id?: string;
  readonly columns: readonly {
    readonly name: string;
    readonly dtype: string;
  }[];
  /** The first rows; missing values are null, dates ISO strings */
  readonly rows: readonly (readonly unknown[])[];
  readonly index?: readonly unknown[];
  readonly index_names?: readonly (string | null)[];
  readonly total_rows: number;
  readonly total_columns: number;
};

export type TablePage = {
  readonly columns: readonly {
    readonly name: string;
    readonly dtype: string;
  }[];
  /** Fewer than asked for, where they are very long; the next page begins after them */
  readonly rows: readonly (readonly unknown[])[];
  readonly index?: readonly unknown[];
  readonly index_names?: readonly (string | null)[];
  readonly offset: number;
  /** Rows of the whole table */
  readonly total: number;
  /** Rows that the filter lets through */
  readonly filtered_total: number;
  readonly total_columns: number;
};

export type TableProfile = {
  /** Path inside, e.g. /data/sales.csv */
  readonly file: string;
  /** The file's name without its folder; with the sheet, for a workbook */
  readonly name: string;
  /** The DataFrame it is loaded as: df for the first, else e.g. sales */
  readonly variable?: string;
  /** The first table's other variable, named after its file */
  readonly alias?: string;
  readonly format: "csv" | "tsv" | "json" | "jsonl" | "excel" | "parquet";
  readonly sheet?: string;
  readonly separator?: string;
  readonly encoding?: string;
  readonly reading?: {
    readonly decimal?: string;
    readonly thousands?: string;
    readonly day_first?: boolean;
    /** Lines above the header */
    readonly skip_rows?: number;
    readonly has_header?: boolean;
  };
  /** Of the whole file */
  readonly rows: number;
  /** Fewer than rows when the file is too large for memory */
  readonly loaded_rows: number;
  readonly columns: readonly Column[];
  readonly duplicate_rows?: number;
  /** The first five rows */
  readonly sample: readonly (readonly unknown[])[];
  /** e.g. which columns were parsed as dates, what was repaired */
  readonly notes: readonly string[];
};

export type TemporaryThread = {
  /** When it ends unless it is used before; ISO 8601, UTC */
  readonly expires_at: string;
  /** From its last use */
  readonly ttl_s: number;
  /** Of uploads, files in the sandbox and kept copies, together */
  readonly max_bytes: number;
  readonly used_bytes: number;
};

export type Terminal = {
  readonly terminal_id: string;
  readonly started_at: string;
  readonly is_running: boolean;
};

export type TerminalDone = {
  readonly terminal_id: string;
};

export type TerminalInput = {
  /** What is typed, as a terminal sends it */
  readonly data: string;
};

export type TerminalList = {
  readonly terminals: readonly Terminal[];
};

export type TerminalSize = {
  readonly cols: number;
  readonly rows: number;
};

export type Thread = {
  readonly thread_id: string;
  readonly title: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly message_count: number;
  readonly sandbox_status: "hot" | "warm" | "cold";
  /** Of a branch: the thread it comes from */
  readonly parent_thread_id?: string;
  /** Of a branch: the message it was branched at */
  readonly parent_message_id?: string;
  /** The model that answers here */
  readonly model: string;
  /** on: tools ask before they run; off: they do not. Rules count before either */
  readonly approvals: "off" | "on";
  /** What tools may do; of the rules that fit a call, the last one counts */
  readonly approval_rules: readonly ApprovalRule[];
  /** What its sandbox may reach */
  readonly network: NetworkPolicy;
  /** Of its sandbox, from its next start on */
  readonly limits: EffectiveLimits;
  /** The most that may be chosen */
  readonly max_limits: EffectiveLimits;
  /** Absent: the server's runtime */
  readonly runtime?: "auto";
  readonly files: readonly {
    readonly file_id: string;
    readonly filename: string;
    readonly size_bytes: number;
  }[];
  /** Absent: it lasts */
  readonly temporary?: TemporaryThread;
};

export type ThreadChange = {
  readonly title?: string;
  /** null: the server's model */
  readonly model?: string | null;
  /** on: tools ask before they run; off: they do not. Rules count before either */
  readonly approvals?: "off" | "on";
  /** What tools may do; of the rules that fit a call, the last one counts */
  readonly approval_rules?: readonly ApprovalRule[];
  /** Holds at once, also for a sandbox that runs; null: what the server gives to threads */
  readonly network?: NetworkPolicy | null;
  /** Hold from the sandbox's next start on: POST /thread/{thread_id}/suspend ends it. In the place of all that were chosen; null: the usual ones */
  readonly limits?: ThreadLimits | null;
};

export type ThreadCreated = {
  readonly thread_id: string;
  readonly container_status: "hot" | "warm" | "cold";
  readonly workspace: string;
  /** Their names in /data */
  readonly attached_files: readonly string[];
  /** Absent while the files are still being read */
  readonly data?: DataProfile;
  readonly temporary?: TemporaryThread;
  readonly timings_ms: {
    readonly schema_build: number;
    readonly container_startup: number;
    readonly total: number;
  };
};

export type ThreadData = {
  readonly thread_id: string;
  /** null: the files have not been read yet */
  readonly data: DataProfile | null;
  /** Questions that this data can answer */
  readonly suggestions: readonly string[];
};

export type ThreadDataAdded = {
  readonly thread_id: string;
  /** null: the files have not been read yet */
  readonly data: DataProfile | null;
  /** Questions that this data can answer */
  readonly suggestions: readonly string[];
  /** All files of the thread */
  readonly files: readonly {
    readonly file_id: string;
    readonly filename: string;
    readonly size_bytes: number;
  }[];
  /** They are not read yet: a run is under way, or they are large. A `data` event tells when they are */
  readonly is_pending: boolean;
  /** Files of an upload that were not taken, and why */
  readonly errors?: readonly {
    readonly filename: string;
    readonly code: string;
    readonly message: string;
  }[];
  readonly temporary?: TemporaryThread;
};

export type ThreadEvent =
  | MessageEvent
  | MessageRemovedEvent
  | RunStartedEvent
  | DataEvent
  | SandboxEvent
  | NetworkEvent
  | StatusEvent
  | TokenEvent
  | ToolCallEvent
  | OutputEvent
  | ResultEvent
  | ArtifactEvent
  | CodeRunEvent
  | ToolResultEvent
  | ApprovalEvent
  | ApprovalDecidedEvent
  | SteeredEvent
  | TitleEvent
  | ErrorEvent
  | DoneEvent;

export type ThreadLeft = {
  readonly thread_id: string;
  /** Any use before then takes it back */
  readonly expires_at: string;
};

export type ThreadLimits = {
  readonly memory_bytes?: number;
  readonly cpus?: number;
  readonly disk_bytes?: number;
  /** Of a run or command that sets no time of its own */
  readonly timeout_ms?: number;
};

export type ThreadList = {
  readonly threads: readonly ThreadSummary[];
  readonly cursor?: string;
};

export type ThreadSandbox = {
  readonly thread_id: string;
  readonly state: "hot" | "warm";
  readonly since?: string;
  readonly last_used_at?: string;
  /** A call is under way, or somebody watches it: it does not rest */
  readonly is_in_use: boolean;
  readonly metrics?: SandboxMetrics;
};

export type ThreadSandboxList = {
  readonly counts: {
    readonly hot: number;
    readonly warm: number;
    readonly cold: number;
  };
  /** Those that live, the longest in their state first; all other threads are cold */
  readonly sandboxes: readonly ThreadSandbox[];
};

export type ThreadStatus = {
  readonly thread_id: string;
  readonly sandbox_status: "hot" | "warm" | "cold";
  readonly message_count: number;
  /** What is being answered now */
  readonly run: {
    readonly run_id: string;
    readonly message_id: string;
    readonly approvals: readonly string[];
  } | null;
  /** Messages that wait, by id */
  readonly queued: readonly string[];
  readonly model: string;
  readonly last_event_id: number;
  /** Since when the sandbox is in that state */
  readonly sandbox_since?: string;
  /** When the sandbox was used last */
  readonly last_used_at?: string;
  /** What the next use is going to wait; absent until a wake from this state was measured */
  readonly wake?: {
    readonly estimated_ms: number;
    /** This sandbox's own last wake, or the median of the latest wakes of others */
    readonly basis: "own" | "others";
  };
  /** Those it runs with, or would be made with */
  readonly limits: SandboxLimits;
  /** Of a living sandbox; of a warm one, as it was when it was frozen */
  readonly metrics?: SandboxMetrics;
};

export type ThreadSummary = {
  readonly thread_id: string;
  readonly title: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly message_count: number;
  readonly sandbox_status: "hot" | "warm" | "cold";
  /** Of a branch: the thread it comes from */
  readonly parent_thread_id?: string;
  /** Of a branch: the message it was branched at */
  readonly parent_message_id?: string;
  /** Where the query was found */
  readonly snippet?: string;
};

export type ThreadTraffic = {
  readonly thread_id: string;
  /** The newest first */
  readonly traffic: readonly TrafficEntry[];
};

/** Measured, in milliseconds */
export type Timings = {
  /** Message accepted → first token */
  readonly ttft: number | null;
  /** How much earlier than the whole answer the first token came */
  readonly ttft_saved: number | null;
  /** Until the sandbox was usable; runs beside the first model call */
  readonly sandbox_restore: number;
  /** Each model call, whichever the provider */
  readonly openai_per_call: readonly number[];
  readonly openai_total: number;
  readonly exec_per_call: readonly number[];
  readonly exec_total: number;
  /** What is left of the total */
  readonly overhead: number;
};

export type TitleEvent = {
  readonly type: "title";
  readonly title: string;
};

export type TokenEvent = {
  readonly type: "token";
  readonly text: string;
};

export type ToolCallEvent = {
  readonly type: "tool_call";
  readonly call_id: string;
  readonly tool: string;
  /** The arguments as the model gave them */
  readonly input: unknown;
  /** Whose call it is; absent: `main`, which talks to the user */
  readonly agent?: string;
  /** The call that this one is a part of, where a program or another agent makes it */
  readonly parent_call_id?: string;
};

export type ToolResultEvent = {
  readonly type: "tool_result";
  readonly call_id: string;
  readonly tool: string;
  /** What the model was told */
  readonly output: string;
  readonly is_error: boolean;
  readonly duration_ms: number;
  /** The call that this one is a part of, where a program or another agent makes it */
  readonly parent_call_id?: string;
};

export type TrafficEntry = {
  readonly at: string;
  /** When the first of them began */
  readonly started_at: string;
  readonly method: string;
  /** `(others)`: more hosts in a moment than are told one by one */
  readonly host: string;
  readonly port: number;
  readonly outcome: "allowed" | "refused" | "failed";
  /** Why it was refused or failed */
  readonly reason?: string;
  /** Requests that were the same, told together */
  readonly count: number;
  readonly sent_bytes: number;
  readonly received_bytes: number;
  readonly duration_ms: number;
};

export type Trash = {
  readonly threads: readonly TrashedThread[];
};

export type TrashedThread = {
  readonly thread_id: string;
  readonly title: string | null;
  readonly message_count: number;
  readonly created_at: string;
  readonly trashed_at: string;
  /** From then on it may be gone for good; later if the server is stopped */
  readonly purge_at: string;
};

export type UploadResult = {
  readonly message: string;
  readonly files: readonly UploadedFile[];
  /** Files that were not taken, and why */
  readonly errors?: readonly {
    readonly filename: string;
    readonly code: string;
    readonly message: string;
  }[];
};

export type UploadedFile = {
  readonly file_id: string;
  /** Made safe: no folder, no control characters */
  readonly filename: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly created_at: string;
};

export type Usage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
};

export type Variable = {
  readonly name: string;
  readonly type: string;
  readonly kind: "value" | "function" | "class";
  /** Of an array or a table its dimensions, of a collection its length */
  readonly shape?: readonly number[];
  readonly size_bytes?: number;
  /** One short line */
  readonly preview: string;
};

export type VariableList = {
  readonly thread_id: string;
  /** false: the sandbox rests; its variables come back with its next use */
  readonly is_awake: boolean;
  readonly variables: readonly Variable[];
  /** Also of those that are too many to list */
  readonly total: number;
};

/** What each operation takes and gives. */
export interface Operations {
  /** Start a thread with its own sandbox */
  createThread: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: NewThread | undefined;
    result: ThreadCreated;
  };
  /** List threads, latest use first, or search them */
  listThreads: {
    params: Record<never, never>;
    query: { query?: string; limit?: number; before?: string; temporary?: boolean };
    body: undefined;
    result: ThreadList;
  };
  /** A thread with its files and settings */
  getThread: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: Thread;
  };
  /** Change a thread's title, model, approvals, network or limits */
  updateThread: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: ThreadChange;
    result: Thread;
  };
  /** Remove a thread: it goes to the trash */
  deleteThread: {
    params: { thread_id: string };
    query: { now?: boolean };
    body: undefined;
    result: Removed;
  };
  /** The conversation: questions, answers and the code that ran */
  getHistory: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: History;
  };
  /** Threads in the trash, the latest first */
  listTrash: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: Trash;
  };
  /** Take a thread back out of the trash, as it was */
  restoreThread: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: RestoredThread;
  };
  /** Remove a thread in the trash for good: its files and log */
  purgeThread: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: Removed;
  };
  /** What the thread's files hold, and questions they can answer */
  getThreadData: {
    params: { thread_id: string };
    query: { language?: "en" | "zh" };
    body: undefined;
    result: ThreadData;
  };
  /** Give uploaded files to a thread that is there */
  addThreadData: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: NewThreadData;
    result: ThreadDataAdded;
  };
  /** Upload files to a thread that is there */
  uploadThreadData: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: ThreadDataAdded;
  };
  /** Whether its sandbox is hot, warm or cold, what a wake costs, and what runs */
  getThreadStatus: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: ThreadStatus;
  };
  /** Wake its sandbox ahead of its next use */
  wakeThread: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: ThreadStatus;
  };
  /** Free the memory of its sandbox: files and variables stay, the next use wakes it */
  suspendThread: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: ThreadStatus;
  };
  /** Free the memory of its sandbox: files and variables stay, the next use wakes it */
  restThread: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: ThreadStatus;
  };
  /** A new thread from an earlier turn, with its files and variables as they were then */
  branchThread: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: NewBranch;
    result: Branch;
  };
  /** The page of a temporary thread is going away */
  leaveThread: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: ThreadLeft;
  };
  /** The thread as a Jupyter notebook, as Markdown or as JSON */
  exportThread: {
    params: { thread_id: string };
    query: { format?: "ipynb" | "md" | "json" };
    body: undefined;
    result: Readonly<Record<string, unknown>>;
  };
  /** Make a link under which anybody can read the conversation as it is now */
  shareThread: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: NewShare | undefined;
    result: Share;
  };
  /** The links to this thread */
  listShares: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: ShareList;
  };
  /** Take a link back: it leads nowhere from now on */
  deleteShare: {
    params: { thread_id: string; share_id: string };
    query: Record<never, never>;
    body: undefined;
    result: Removed;
  };
  /** A shared conversation, to be read */
  getShared: {
    params: { share_id: string };
    query: Record<never, never>;
    body: undefined;
    result: SharedThread;
  };
  /** An image or file of a shared conversation */
  getSharedBlob: {
    params: { share_id: string; hash: string };
    query: { name?: string; download?: boolean };
    body: undefined;
    result: unknown;
  };
  /** Send a message and wait for the whole answer */
  sendMessage: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: NewMessage;
    result: Answer;
  };
  /** Send a message and follow its answer as server-sent events */
  streamMessage: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: NewMessage;
    result: unknown;
  };
  /** Send a message without waiting for its answer */
  queueMessage: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: NewMessage;
    result: QueuedMessage;
  };
  /** Take back a message that still waits */
  withdrawMessage: {
    params: { thread_id: string; message_id: string };
    query: Record<never, never>;
    body: undefined;
    result: Removed;
  };
  /** End what runs now; what was said so far stays */
  stopRun: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: StopResult;
  };
  /** Run code in the thread's own kernel, without a model */
  runCode: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: NewCode;
    result: QueuedMessage;
  };
  /** Send a message in a session and wait for the whole answer */
  chat: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: ChatMessage;
    result: Answer;
  };
  /** Send a message in a session and follow its answer as server-sent events */
  streamChat: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: ChatMessage;
    result: unknown;
  };
  /** Tool calls that wait for a decision */
  listApprovals: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: ApprovalList;
  };
  /** Allow or deny a tool call that waits for a decision */
  decideApproval: {
    params: { thread_id: string; approval_id: string };
    query: Record<never, never>;
    body: ApprovalDecision;
    result: ApprovalResult;
  };
  /** The thread's log, as server-sent events or as JSON pages */
  followEvents: {
    params: { thread_id: string };
    query: { after?: number; follow?: boolean; limit?: number };
    body: undefined;
    result: EventPage;
  };
  /** Upload files into a session: its code finds them in /data */
  uploadSessionFiles: {
    params: Record<never, never>;
    query: { session_id?: string };
    body: undefined;
    result: ThreadDataAdded;
  };
  /** The files of a session */
  listSessionFiles: {
    params: Record<never, never>;
    query: { session_id: string };
    body: undefined;
    result: SessionFiles;
  };
  /** A file of a session, or a range of it */
  downloadSessionFile: {
    params: Record<never, never>;
    query: { path: string; download?: boolean; session_id: string };
    body: undefined;
    result: unknown;
  };
  /** End a session at once, with all its files */
  clearSession: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: SessionName;
    result: Removed;
  };
  /** Upload one or many files of any type */
  uploadFiles: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: UploadResult;
  };
  /** What is known of an uploaded file */
  getUpload: {
    params: { file_id: string };
    query: Record<never, never>;
    body: undefined;
    result: UploadedFile;
  };
  /** Remove an uploaded file; threads that use it keep it */
  deleteUpload: {
    params: { file_id: string };
    query: Record<never, never>;
    body: undefined;
    result: Removed;
  };
  /** The files that runs made, each with its versions and a signed address */
  listArtifacts: {
    params: { thread_id: string };
    query: { ttl_s?: number };
    body: undefined;
    result: ArtifactList;
  };
  /** An image or artifact by the hash of its content */
  getBlob: {
    params: { thread_id: string; hash: string };
    query: { name?: string; expires?: number; signature?: string; download?: boolean };
    body: undefined;
    result: unknown;
  };
  /** List a folder */
  listThreadFiles: {
    params: { thread_id: string };
    query: { path?: string; recursive?: boolean };
    body: undefined;
    result: FileList;
  };
  /** Upload files into a folder */
  uploadThreadFiles: {
    params: { thread_id: string };
    query: { path?: string };
    body: undefined;
    result: FilesWritten;
  };
  /** Read a file, or a range of it */
  readThreadFile: {
    params: { thread_id: string };
    query: { path: string; download?: boolean };
    body: undefined;
    result: unknown;
  };
  /** Write a file in one step; missing folders are made */
  writeThreadFile: {
    params: { thread_id: string };
    query: { path: string; expected_etag?: string };
    body: undefined;
    result: FileInfo;
  };
  /** Remove a file, or a folder with all it holds */
  deleteThreadFile: {
    params: { thread_id: string };
    query: { path: string };
    body: undefined;
    result: Removed;
  };
  /** Move or rename a file or folder */
  moveThreadFile: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: MoveFile;
    result: FileInfo;
  };
  /** Download a folder as a zip */
  zipThreadFiles: {
    params: { thread_id: string };
    query: { path?: string; all?: boolean };
    body: undefined;
    result: unknown;
  };
  /** Rows of a table that a run has shown, from the whole DataFrame in the kernel */
  getTableRows: {
    params: { thread_id: string; table_id: string };
    query: { offset?: number; limit?: number; sort?: string; filter?: string; column?: string };
    body: undefined;
    result: TablePage;
  };
  /** The whole of a table that a run has shown, as CSV */
  getTableCsv: {
    params: { thread_id: string; table_id: string };
    query: { sort?: string; filter?: string; column?: string };
    body: undefined;
    result: unknown;
  };
  /** Rows of a file of the sandbox: CSV, a sheet of Excel, Parquet, JSON or JSON lines */
  getFileTable: {
    params: { thread_id: string };
    query: {
      path: string;
      sheet?: string;
      offset?: number;
      limit?: number;
      sort?: string;
      filter?: string;
      column?: string;
    };
    body: undefined;
    result: FileTable;
  };
  /** The variables of the thread's kernel */
  listVariables: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: VariableList;
  };
  /** Remove a variable from the thread's kernel */
  deleteVariable: {
    params: { thread_id: string; name: string };
    query: Record<never, never>;
    body: undefined;
    result: Removed;
  };
  /** Start the thread's kernel anew: variables go, files stay, the tables are loaded again */
  restartKernel: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: KernelResult;
  };
  /** Interrupt what the thread's kernel runs now, as Ctrl-C would */
  interruptKernel: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: KernelResult;
  };
  /** Open a terminal in the thread's sandbox */
  openTerminal: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: TerminalSize;
    result: Terminal;
  };
  /** The thread's terminals; none when its sandbox rests */
  listTerminals: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: TerminalList;
  };
  /** What a terminal writes, as server-sent events */
  followTerminal: {
    params: { thread_id: string; terminal_id: string };
    query: { after?: number };
    body: undefined;
    result: unknown;
  };
  /** Type into a terminal */
  writeTerminal: {
    params: { thread_id: string; terminal_id: string };
    query: Record<never, never>;
    body: TerminalInput;
    result: TerminalDone;
  };
  /** Tell a terminal its size */
  resizeTerminal: {
    params: { thread_id: string; terminal_id: string };
    query: Record<never, never>;
    body: TerminalSize;
    result: TerminalDone;
  };
  /** End a terminal and everything it started */
  closeTerminal: {
    params: { thread_id: string; terminal_id: string };
    query: Record<never, never>;
    body: undefined;
    result: Removed;
  };
  /** Make a sandbox for a program, without an agent */
  createSandbox: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: NewSandbox | undefined;
    result: Sandbox;
  };
  /** List programs' sandboxes: running, paused, or dead with their files kept */
  listSandboxes: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: SandboxList;
  };
  /** A sandbox and its state */
  getSandbox: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: undefined;
    result: Sandbox;
  };
  /** End a sandbox and remove its files */
  deleteSandbox: {
    params: { sandbox_id: string };
    query: { keep_files?: boolean };
    body: undefined;
    result: Removed;
  };
  /** Freeze every process in memory */
  pauseSandbox: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: undefined;
    result: Sandbox;
  };
  /** Let a paused sandbox go on */
  resumeSandbox: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: undefined;
    result: Sandbox;
  };
  /** Save the variables of a kernel to a file */
  snapshotSandbox: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: ContextChoice | undefined;
    result: Snapshot;
  };
  /** Bring a kernel's saved variables back */
  restoreSandbox: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: ContextChoice | undefined;
    result: Restored;
  };
  /** Run Python in a live kernel */
  runPython: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: PythonRun;
    result: PythonResult;
  };
  /** Run a command, to its end or in the background */
  runCommand: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: CommandRun;
    result: CommandResult;
  };
  /** The commands in the background, also those that have ended */
  listCommands: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: undefined;
    result: CommandList;
  };
  /** What a command in the background wrote, from the given offsets on */
  getCommandOutput: {
    params: { sandbox_id: string; command_id: string };
    query: { stdout_offset?: number; stderr_offset?: number };
    body: undefined;
    result: CommandOutput;
  };
  /** End a command and everything it started */
  killCommand: {
    params: { sandbox_id: string; command_id: string };
    query: Record<never, never>;
    body: undefined;
    result: Removed;
  };
  /** Processor, memory and disk in use */
  getSandboxMetrics: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: undefined;
    result: SandboxMetrics;
  };
  /** The kernels of a sandbox */
  listContexts: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: undefined;
    result: ContextList;
  };
  /** Start a further kernel with variables of its own */
  createContext: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: NewContext | undefined;
    result: Context;
  };
  /** End a kernel and forget its variables */
  deleteContext: {
    params: { sandbox_id: string; context: string };
    query: Record<never, never>;
    body: undefined;
    result: Removed;
  };
  /** What runs inside */
  listProcesses: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: undefined;
    result: ProcessList;
  };
  /** Ports that something in its sandbox listens on, and where a browser finds them */
  listThreadPorts: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: PortList;
  };
  /** Ports that something inside listens on, and where a browser finds them */
  listPorts: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: undefined;
    result: PortList;
  };
  /** What its sandbox asked of the network, and what became of it */
  getThreadTraffic: {
    params: { thread_id: string };
    query: { limit?: number };
    body: undefined;
    result: ThreadTraffic;
  };
  /** What it asked of the network, and what became of it */
  getSandboxTraffic: {
    params: { sandbox_id: string };
    query: { limit?: number };
    body: undefined;
    result: SandboxTraffic;
  };
  /** The thread's browser as it is seen, as server-sent events */
  watchBrowser: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: undefined;
    result: unknown;
  };
  /** Uses the thread's browser as a person does: mouse, keys, text, addresses, tabs */
  useBrowser: {
    params: { thread_id: string };
    query: Record<never, never>;
    body: BrowserInput;
    result: BrowserState;
  };
  /** List a folder */
  listSandboxFiles: {
    params: { sandbox_id: string };
    query: { path?: string; recursive?: boolean };
    body: undefined;
    result: FileList;
  };
  /** Upload files into a folder */
  uploadSandboxFiles: {
    params: { sandbox_id: string };
    query: { path?: string };
    body: undefined;
    result: FilesWritten;
  };
  /** Read a file, or a range of it */
  readSandboxFile: {
    params: { sandbox_id: string };
    query: { path: string; download?: boolean };
    body: undefined;
    result: unknown;
  };
  /** Write a file in one step; missing folders are made */
  writeSandboxFile: {
    params: { sandbox_id: string };
    query: { path: string; expected_etag?: string };
    body: undefined;
    result: FileInfo;
  };
  /** Remove a file, or a folder with all it holds */
  deleteSandboxFile: {
    params: { sandbox_id: string };
    query: { path: string };
    body: undefined;
    result: Removed;
  };
  /** Move or rename a file or folder */
  moveSandboxFile: {
    params: { sandbox_id: string };
    query: Record<never, never>;
    body: MoveFile;
    result: FileInfo;
  };
  /** Download a folder as a zip */
  zipSandboxFiles: {
    params: { sandbox_id: string };
    query: { path?: string; all?: boolean };
    body: undefined;
    result: unknown;
  };
  /** Which model answers, which keys are set, and what tools may do */
  getSettings: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: Settings;
  };
  /** Choose the model, give keys, and say what tools may do */
  updateSettings: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: SettingsChange;
    result: Settings;
  };
  /** Ask the model for a word, to see whether key, address and name work */
  testSettings: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: SettingsTest | undefined;
    result: SettingsTestResult;
  };
  /** What this server offers; a browser is led to /ui */
  getOverview: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: Overview;
  };
  /** Whether the server is alive */
  getHealth: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: Alive;
  };
  /** Whether it can work: 503 with the reasons when it cannot */
  getReadiness: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: Readiness;
  };
  /** Figures for Prometheus */
  getMetrics: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: unknown;
  };
  /** Trade the code of a login link for a cookie */
  logIn: {
    params: Record<never, never>;
    query: { code: string };
    body: undefined;
    result: unknown;
  };
  /** Trade the token for a cookie */
  logInWithToken: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: Alive;
  };
  /** What is going to happen to threads' sandboxes, and what failed for good */
  listJobs: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: JobList;
  };
  /** Give a job that failed for good all its tries again */
  reviveJob: {
    params: { thread_id: string; kind: "pause" | "evict" | "terminate" | "delete" };
    query: Record<never, never>;
    body: undefined;
    result: RevivedJob;
  };
  /** The sandboxes of threads that are hot or warm, with their memory */
  listThreadSandboxes: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: ThreadSandboxList;
  };
  /** The servers of this installation, and how much each of them has */
  listServers: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: ServerList;
  };
  /** The chat, in a browser */
  getUi: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: unknown;
  };
  /** This API as an OpenAPI 3.1 document */
  getOpenApi: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: Readonly<Record<string, unknown>>;
  };
  /** This API, to be read */
  getDocs: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: unknown;
  };
  /** The style of the documents */
  getDocsStyle: {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    result: unknown;
  };
}

export const routes = {
  createThread: { method: "POST", path: "/thread/new" },
  listThreads: { method: "GET", path: "/threads" },
  getThread: { method: "GET", path: "/thread/{thread_id}" },
  updateThread: { method: "PATCH", path: "/thread/{thread_id}" },
  deleteThread: { method: "DELETE", path: "/thread/{thread_id}" },
  getHistory: { method: "GET", path: "/thread/{thread_id}/history" },
  listTrash: { method: "GET", path: "/trash" },
  restoreThread: { method: "POST", path: "/trash/{thread_id}/restore" },
  purgeThread: { method: "DELETE", path: "/trash/{thread_id}" },
  getThreadData: { method: "GET", path: "/thread/{thread_id}/data" },
  addThreadData: { method: "POST", path: "/thread/{thread_id}/data" },
  uploadThreadData: { method: "POST", path: "/thread/{thread_id}/uploads" },
  getThreadStatus: { method: "GET", path: "/thread/{thread_id}/status" },
  wakeThread: { method: "POST", path: "/thread/{thread_id}/wake" },
  suspendThread: { method: "POST", path: "/thread/{thread_id}/suspend" },
  restThread: { method: "POST", path: "/thread/{thread_id}/rest" },
  branchThread: { method: "POST", path: "/thread/{thread_id}/branch" },
  leaveThread: { method: "POST", path: "/thread/{thread_id}/leave" },
  exportThread: { method: "GET", path: "/thread/{thread_id}/export" },
  shareThread: { method: "POST", path: "/thread/{thread_id}/share" },
  listShares: { method: "GET", path: "/thread/{thread_id}/shares" },
  deleteShare: { method: "DELETE", path: "/thread/{thread_id}/shares/{share_id}" },
  getShared: { method: "GET", path: "/shared/{share_id}" },
  getSharedBlob: { method: "GET", path: "/shared/{share_id}/blobs/{hash}" },
  sendMessage: { method: "POST", path: "/thread/{thread_id}/message" },
  streamMessage: { method: "POST", path: "/thread/{thread_id}/message/stream" },
  queueMessage: { method: "POST", path: "/thread/{thread_id}/messages" },
  withdrawMessage: { method: "DELETE", path: "/thread/{thread_id}/message/{message_id}" },
  stopRun: { method: "POST", path: "/thread/{thread_id}/stop" },
  runCode: { method: "POST", path: "/thread/{thread_id}/code" },
  chat: { method: "POST", path: "/chat" },
  streamChat: { method: "POST", path: "/chat/stream" },
  listApprovals: { method: "GET", path: "/thread/{thread_id}/approvals" },
  decideApproval: { method: "POST", path: "/thread/{thread_id}/approvals/{approval_id}" },
  followEvents: { method: "GET", path: "/thread/{thread_id}/events" },
  uploadSessionFiles: { method: "POST", path: "/files/upload" },
  listSessionFiles: { method: "GET", path: "/files/list" },
  downloadSessionFile: { method: "GET", path: "/files/download" },
  clearSession: { method: "POST", path: "/files/clear" },
  uploadFiles: { method: "POST", path: "/upload" },
  getUpload: { method: "GET", path: "/files/{file_id}" },
  deleteUpload: { method: "DELETE", path: "/files/{file_id}" },
  listArtifacts: { method: "GET", path: "/thread/{thread_id}/artifacts" },
  getBlob: { method: "GET", path: "/thread/{thread_id}/blobs/{hash}" },
  listThreadFiles: { method: "GET", path: "/thread/{thread_id}/files" },
  uploadThreadFiles: { method: "POST", path: "/thread/{thread_id}/files" },
  readThreadFile: { method: "GET", path: "/thread/{thread_id}/files/content" },
  writeThreadFile: { method: "PUT", path: "/thread/{thread_id}/files/content" },
  deleteThreadFile: { method: "DELETE", path: "/thread/{thread_id}/files/content" },
  moveThreadFile: { method: "POST", path: "/thread/{thread_id}/files/move" },
  zipThreadFiles: { method: "GET", path: "/thread/{thread_id}/files.zip" },
  getTableRows: { method: "GET", path: "/thread/{thread_id}/tables/{table_id}/rows" },
  getTableCsv: { method: "GET", path: "/thread/{thread_id}/tables/{table_id}/csv" },
  getFileTable: { method: "GET", path: "/thread/{thread_id}/table" },
  listVariables: { method: "GET", path: "/thread/{thread_id}/variables" },
  deleteVariable: { method: "DELETE", path: "/thread/{thread_id}/variables/{name}" },
  restartKernel: { method: "POST", path: "/thread/{thread_id}/kernel/restart" },
  interruptKernel: { method: "POST", path: "/thread/{thread_id}/kernel/interrupt" },
  openTerminal: { method: "POST", path: "/thread/{thread_id}/terminals" },
  listTerminals: { method: "GET", path: "/thread/{thread_id}/terminals" },
  followTerminal: { method: "GET", path: "/thread/{thread_id}/terminals/{terminal_id}/output" },
  writeTerminal: { method: "POST", path: "/thread/{thread_id}/terminals/{terminal_id}/input" },
  resizeTerminal: { method: "POST", path: "/thread/{thread_id}/terminals/{terminal_id}/size" },
  closeTerminal: { method: "DELETE", path: "/thread/{thread_id}/terminals/{terminal_id}" },
  createSandbox: { method: "POST", path: "/sandboxes" },
  listSandboxes: { method: "GET", path: "/sandboxes" },
  getSandbox: { method: "GET", path: "/sandboxes/{sandbox_id}" },
  deleteSandbox: { method: "DELETE", path: "/sandboxes/{sandbox_id}" },
  pauseSandbox: { method: "POST", path: "/sandboxes/{sandbox_id}/pause" },
  resumeSandbox: { method: "POST", path: "/sandboxes/{sandbox_id}/resume" },
  snapshotSandbox: { method: "POST", path: "/sandboxes/{sandbox_id}/snapshot" },
  restoreSandbox: { method: "POST", path: "/sandboxes/{sandbox_id}/restore" },
  runPython: { method: "POST", path: "/sandboxes/{sandbox_id}/python" },
  runCommand: { method: "POST", path: "/sandboxes/{sandbox_id}/commands" },
  listCommands: { method: "GET", path: "/sandboxes/{sandbox_id}/commands" },
  getCommandOutput: { method: "GET", path: "/sandboxes/{sandbox_id}/commands/{command_id}" },
  killCommand: { method: "DELETE", path: "/sandboxes/{sandbox_id}/commands/{command_id}" },
  getSandboxMetrics: { method: "GET", path: "/sandboxes/{sandbox_id}/metrics" },
  listContexts: { method: "GET", path: "/sandboxes/{sandbox_id}/contexts" },
  createContext: { method: "POST", path: "/sandboxes/{sandbox_id}/contexts" },
  deleteContext: { method: "DELETE", path: "/sandboxes/{sandbox_id}/contexts/{context}" },
  listProcesses: { method: "GET", path: "/sandboxes/{sandbox_id}/processes" },
  listThreadPorts: { method: "GET", path: "/thread/{thread_id}/ports" },
  listPorts: { method: "GET", path: "/sandboxes/{sandbox_id}/ports" },
  getThreadTraffic: { method: "GET", path: "/thread/{thread_id}/traffic" },
  getSandboxTraffic: { method: "GET", path: "/sandboxes/{sandbox_id}/traffic" },
  watchBrowser: { method: "GET", path: "/thread/{thread_id}/browser/live" },
  useBrowser: { method: "POST", path: "/thread/{thread_id}/browser/input" },
  listSandboxFiles: { method: "GET", path: "/sandboxes/{sandbox_id}/files" },
  uploadSandboxFiles: { method: "POST", path: "/sandboxes/{sandbox_id}/files" },
  readSandboxFile: { method: "GET", path: "/sandboxes/{sandbox_id}/files/content" },
  writeSandboxFile: { method: "PUT", path: "/sandboxes/{sandbox_id}/files/content" },
  deleteSandboxFile: { method: "DELETE", path: "/sandboxes/{sandbox_id}/files/content" },
  moveSandboxFile: { method: "POST", path: "/sandboxes/{sandbox_id}/files/move" },
  zipSandboxFiles: { method: "GET", path: "/sandboxes/{sandbox_id}/files.zip" },
  getSettings: { method: "GET", path: "/settings" },
  updateSettings: { method: "PUT", path: "/settings" },
  testSettings: { method: "POST", path: "/settings/test" },
  getOverview: { method: "GET", path: "/" },
  getHealth: { method: "GET", path: "/healthz" },
  getReadiness: { method: "GET", path: "/readyz" },
  getMetrics: { method: "GET", path: "/metrics" },
  logIn: { method: "GET", path: "/login" },
  logInWithToken: { method: "POST", path: "/login" },
  listJobs: { method: "GET", path: "/operator/jobs" },
  reviveJob: { method: "POST", path: "/operator/jobs/{thread_id}/{kind}/revive" },
  listThreadSandboxes: { method: "GET", path: "/operator/sandboxes" },
  listServers: { method: "GET", path: "/operator/servers" },
  getUi: { method: "GET", path: "/ui" },
  getOpenApi: { method: "GET", path: "/openapi.json" },
  getDocs: { method: "GET", path: "/docs" },
  getDocsStyle: { method: "GET", path: "/docs.css" },
} as const satisfies Record<keyof Operations, { method: string; path: string }>;
