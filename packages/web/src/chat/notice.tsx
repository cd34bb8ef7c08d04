import type { DataProfile, SandboxEvent } from "@atoll/client";
import { memo } from "react";
import { useTexts } from "../i18n/language.tsx";
import { useFormat } from "../ui/format.ts";
import type { Notice } from "../thread/conversation.ts";
import { Refusals } from "./refusals.tsx";

/** An event outside of any answer. */
export const NoticeView = memo(function NoticeView({ notice: { event } }: { notice: Notice }) {
  if (event.type === "error") {
    return (
      <p className="notice bad" role="status">
        {event.message} {event.hint}
      </p>
    );
  }
  if (event.type === "refusals") return <Refusals refusals={event.refusals} />;
  if (event.type === "tables") return <TablesNotice {...event} />;
  return <SandboxNotice event={event} />;
});

function TablesNotice({ tables, others }: Pick<DataProfile, "tables" | "others">) {
  const texts = useTexts();
  const format = useFormat();
  const parts = [
    ...tables.map(({ name, rows, columns }) => texts.tableLoaded(name, format.number(rows), columns.length)),
    ...others.map(({ name, problem }) =>
      problem ? texts.tableUnread(name, problem) : texts.fileThere(name),
    ),
  ];
  return (
    <p className="notice" role="status">
      {parts.join(" ")}
    </p>
  );
}

/** Translated if the event has more than its text. */
export function SandboxNotice({ event: { text, restored, lost } }: { event: SandboxEvent }) {
  const texts = useTexts();
  const parts = [
    ...(restored ? [texts.restored(restored.length)] : []),
    ...(lost && lost.length > 0 ? [texts.lost(lost.map(({ name }) => name).join(", "))] : []),
  ];
  return (
    <p className="notice" role="status" title={text}>
      {parts.length > 0 ? parts.join(" ") : text}
    </p>
  );
}
