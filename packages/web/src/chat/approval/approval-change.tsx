import type { ApprovalEvent } from "@atoll/client";
import { useFileText } from "../../files/use-file-text.ts";
import { useTexts } from "../../i18n/language.tsx";
import { diffLines } from "../../ui/code/diff.ts";
import { hasHidden, revealHidden } from "../../ui/code/hidden-characters.ts";
import { useThreadActions } from "../../thread/actions.tsx";
import { languageOf, mainArgument, readArguments, readEdit } from "../tool-call/call-text.ts";
import { Code } from "../../ui/code/code.tsx";
import { resolveToolName } from "@atoll/protocol";

/**
 * All of what will happen: a command, a program or the change to a file. Invisible characters are spelled out: they
 * could hide or reorder the rest.
 */
export function ApprovalChange({ asked: { tool, input } }: { asked: ApprovalEvent }) {
  const texts = useTexts();
  const text = JSON.stringify(input) ?? "";
  return (
    <>
      <WholeCall tool={tool} input={input} />
      {hasHidden(text) ? <p className="bad small-text">{texts.hiddenCharacters}</p> : null}
    </>
  );
}

function WholeCall({ tool, input }: { tool: string; input: unknown }) {
  const given = readArguments(input);
  const main = mainArgument(input);
  const name = resolveToolName(tool);
  const file = given["file"] ?? given["path"];
  const edit = name === "file_edit" ? readEdit(given) : undefined;
  if (edit !== undefined) {
    return (
      <>
        <Change file={file} code={edit} />
        <Others given={given} shown={["file", "path", "old_str", "new_str"]} />
      </>
    );
  }
  if (name === "file_write" && typeof file === "string" && isPlainText(given)) {
    return <WholeFile file={file} content={String(given["content"])} isAppended={given["append"] === true} />;
  }
  if (main === undefined) return <Code code={revealHidden(JSON.stringify(input, null, 2))} language="json" />;
  const languages = { command: "bash", patch: "diff" } as const;
  const language = main.name === "command" || main.name === "patch" ? languages[main.name] : languageOf(tool);
  return (
    <>
      <Code code={revealHidden(main.text)} language={language} />
      <Others given={given} shown={[main.name]} />
    </>
  );
}

/** The arguments that are not shown otherwise. */
function Others({ given, shown }: { given: Readonly<Record<string, unknown>>; shown: readonly string[] }) {
  const others = Object.entries(given).filter(([key]) => !shown.includes(key));
  return others.map(([key, value]) => (
    <p key={key} className="quiet small-text mono">
      {revealHidden(`${key}: ${JSON.stringify(value)}`)}
    </p>
  ));
}

function Change({ file, code, note }: { file: unknown; code: string; note?: string | undefined }) {
  return (
    <>
      <p className="mono">{revealHidden(String(file))}</p>
      {note ? <p className="quiet small-text">{note}</p> : null}
      {code === "" ? null : <Code code={revealHidden(code)} language="diff" />}
    </>
  );
}

/** A write, compared with the current file. */
function WholeFile({ file, content, isAppended }: { file: string; content: string; isAppended: boolean }) {
  const texts = useTexts();
  const { threadId } = useThreadActions();
  const { file: found, problem } = useFileText(threadId, file);
  if (found === undefined || found.isCut) {
    return (
      <Change
        file={file}
        code={diffLines("", content)}
        note={problem === undefined ? undefined : texts.newFile}
      />
    );
  }
  const code = diffLines(found.text, isAppended ? found.text + content : content);
  const isChange = /^[-+]/m.test(code);
  return <Change file={file} code={isChange ? code : ""} note={isChange ? undefined : texts.noChange} />;
}

function isPlainText(given: Readonly<Record<string, unknown>>): boolean {
  const encoding = given["encoding"];
  return typeof given["content"] === "string" && (encoding === undefined || encoding === "utf-8");
}
