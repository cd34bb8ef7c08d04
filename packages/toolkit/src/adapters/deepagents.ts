import { posix } from "node:path";
import type { Files, Sandbox } from "@atoll/sandbox";
import type {
  DeleteResult,
  EditResult,
  ExecuteResponse,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  SandboxBackendProtocolV2,
  WriteResult,
} from "deepagents";
import { type GuardedSession, openToolSession } from "../session/tool-session.ts";
import { replaceText } from "./deepagents/edit.ts";
import { answerErrors, nameError } from "./deepagents/errors.ts";
import { createGuard, type Guard } from "./deepagents/guard.ts";
import { inLines } from "./deepagents/lines.ts";
import { asInfo, describePaths } from "./deepagents/listing.ts";
import { contentOf, mimeOf } from "./deepagents/media.ts";

/** What a shell gives for a command that may not be run. */
const NOT_EXECUTABLE = 126;

/**
 * A session's sandbox as the back end of a deepagents agent: `createDeepAgent({ model, backend: new AtollBackend(session) })`.
 * What the agent does goes through the session's rules, under the names of the tools that do the same. Paths are those of
 * the sandbox, so that commands see the same files; a relative one is below the workspace.
 */
export class AtollBackend implements SandboxBackendProtocolV2 {
  readonly id: string;
  readonly #sandbox: Sandbox;
  readonly #files: Files;
  readonly #guard: Guard;

  /** Over a sandbox alone there are no rules. */
  constructor(target: GuardedSession | Sandbox) {
    const session = "permit" in target ? target : openToolSession(target);
    this.id = session.sandbox.id;
    this.#sandbox = session.sandbox;
    this.#files = session.sandbox.files;
    this.#guard = createGuard(session);
  }

  async execute(command: string): Promise<ExecuteResponse> {
    const permitted = await this.#guard.ask("execute_shell", { command });
    if ("refusal" in permitted)
      return { output: permitted.refusal, exitCode: NOT_EXECUTABLE, truncated: false };
    const result = await this.#sandbox.commands.run(permitted.command);
    const { exitCode, stdout, stderr, truncated, notices } = result;
    const parts = [stdout, stderr, ...notices.map((notice) => `[${notice}]`)];
    const output = parts.map((part) => part.replace(/\n$/, "")).filter((part) => part !== "");
    return { output: output.join("\n"), exitCode, truncated: truncated.stdout || truncated.stderr };
  }

  ls(given: string): Promise<LsResult> {
    return answerErrors(async () => {
      const { path } = await this.#guard.pass("file_list", { path: given });
      return { files: (await this.#files.list(this.#resolve(path))).map(asInfo) };
    });
  }

  read(path: string, offset = 0, limit = 500): Promise<ReadResult> {
    return answerErrors(async () => {
      const { file } = await this.#guard.pass("file_read", { file: path });
      const content = contentOf(file, await this.#files.read(this.#resolve(file)));
      const mimeType = mimeOf(file, content);
      return typeof content === "string"
        ? { mimeType, ...inLines(content, offset, limit) }
        : { mimeType, content };
    });
  }

  readRaw(path: string): Promise<ReadRawResult> {
    return answerErrors(async () => {
      const { file } = await this.#guard.pass("file_read", { file: path });
      const place = this.#resolve(file);
      const [bytes, { modifiedAt }] = await Promise.all([this.#files.read(place), this.#files.stat(place)]);
      const content = contentOf(file, bytes);
      const times = { created_at: modifiedAt, modified_at: modifiedAt };
      return { data: { content, mimeType: mimeOf(file, content), ...times } };
    });
  }

  /** What is no text, going by its name, is given in base64: so do the other back ends. */
  write(path: string, given: string): Promise<WriteResult> {
    return answerErrors(async () => {
      const { file, content } = await this.#guard.pass("file_write", { file: path, content: given });
      const isText = mimeOf(file, content).startsWith("text/");
      await this.#files.write(this.#resolve(file), isText ? content : Buffer.from(content, "base64"));
      return { path: file, filesUpdate: null };
    });
  }

  edit(path: string, oldString: string, newString: string, replaceAll = false): Promise<EditResult> {
    return answerErrors(async () => {
      const input = { file: path, old_str: oldString, new_str: newString, replace_all: replaceAll };
      // An empty old text means to fill an empty file.
      if (oldString === "") await this.#guard.passAsIs("file_write", { file: path, content: newString });
      else await this.#guard.passAsIs("file_edit", input);
      const place = this.#resolve(path);
      const [bytes, { mode }] = await Promise.all([this.#files.read(place), this.#files.stat(place)]);
      const edited = replaceText(path, bytes, { oldString, newString, replaceAll });
      if ("error" in edited) return edited;
      await this.#files.write(place, edited.text, { mode: mode & 0o777 });
      return { path, filesUpdate: null, occurrences: edited.occurrences };
    });
  }

  delete(given: string): Promise<DeleteResult> {
    return answerErrors(async () => {
      const { path } = await this.#guard.pass("file_delete", { path: given });
      const place = this.#resolve(path);
      await this.#files.stat(place);
      await this.#files.remove(place);
      return { path, filesUpdate: null };
    });
  }

  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult> {
    return answerErrors(async () => {
      const place = this.#resolveSearch(path);
      const literal = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
      await this.#guard.passAsIs("grep", {
        pattern: literal,
        path: place,
        ...(glob ? { file_glob: glob } : {}),
      });
      const { matches, truncated } = await this.#files.grep(literal, {
        path: place,
        ...(glob ? { glob } : {}),
        ...(maxCount ? { maxMatches: maxCount } : {}),
      });
      return { matches: matches.map(({ path, line, text }) => ({ path, line, text })), truncated };
    });
  }

  glob(pattern: string, path?: string): Promise<GlobResult> {
    return answerErrors(async () => {
      const isWhole = posix.isAbsolute(pattern) && (!path || path === "/");
      const cwd = isWhole ? "/" : this.#resolveSearch(path);
      await this.#guard.passAsIs("file_find", { glob: pattern, path: cwd });
      return describePaths(this.#sandbox, await this.#files.glob(pattern, { cwd }));
    });
  }

  uploadFiles(files: [string, Uint8Array][]): Promise<FileUploadResponse[]> {
    const upload = async ([path, content]: [string, Uint8Array]) => {
      const text = Buffer.from(content).toString("utf8");
      await this.#guard.passAsIs("file_write", { file: path, content: text });
      await this.#files.write(this.#resolve(path), content);
    };
    return Promise.all(
      files.map(async (file) => ({ path: file[0], error: await upload(file).then(() => null, nameError) })),
    );
  }

  downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    const download = async (path: string) => {
      await this.#guard.passAsIs("file_read", { file: path });
      return this.#files.read(this.#resolve(path));
    };
    return Promise.all(
      paths.map((path) =>
        download(path).then(
          (content) => ({ path, content, error: null }),
          (error: unknown) => ({ path, content: null, error: nameError(error) }),
        ),
      ),
    );
  }

  /** Folders at the root that deepagents writes to on its own, and that no sandbox lets it make there. */
  #resolve(path: string): string {
    const isOwn = /^\/(large_tool_results|conversation_history)(\/|$)/.test(path);
    return isOwn ? `${this.#sandbox.info.paths.session}${path}` : path;
  }

  /** To search everywhere means to search the workspace: the rest is the system. */
  #resolveSearch(path: string | null | undefined): string {
    return path && path !== "/" ? this.#resolve(path) : this.#sandbox.info.paths.workspace;
  }
}
