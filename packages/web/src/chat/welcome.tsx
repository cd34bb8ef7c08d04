import type { DataProfile } from "@atoll/client";
import { Table2 } from "lucide-react";
import { useTexts } from "../i18n/language.tsx";
import { useFormat } from "../ui/format.ts";
import type { Notice } from "../thread/conversation.ts";
import { NoticeView } from "./notice.tsx";

interface WelcomeProps {
  readonly data: DataProfile | undefined;
  /** Undefined until they are loaded. */
  readonly suggestions: readonly string[] | undefined;
  readonly notices: readonly Notice[];
  onAsk(question: string): void;
}

/** With more tables, their columns are not listed. */
const FEW_TABLES = 3;

/** The first screen: the data, and suggested questions about it. */
export function Welcome({ data, suggestions, notices, onAsk }: WelcomeProps) {
  const texts = useTexts();
  const tables = data?.tables ?? [];
  const unread = (data?.others ?? []).filter(({ problem }) => problem !== undefined);
  return (
    <div className="welcome">
      <h2>{texts.welcome}</h2>
      <p className="quiet">
        <WhatIsThere data={data} />
      </p>
      {notices.map((notice) => (
        <NoticeView key={notice.id} notice={notice} />
      ))}
      {unread.map(({ name, problem = "" }) => (
        <p key={name} className="notice bad" role="status">
          {texts.tableUnread(name, problem)}
        </p>
      ))}
      {suggestions === undefined && notices.length === 0 ? <StarterSkeleton hasColumns={!data} /> : null}
      {suggestions && suggestions.length > 0 ? (
        <ul className="starters" aria-label={texts.starters}>
          {suggestions.map((question) => (
            <li key={question}>
              <button type="button" className="starter" onClick={() => onAsk(question)}>
                {question}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {tables.slice(0, FEW_TABLES).map((table) => (
        <ul key={table.file} className="columns" aria-label={table.name}>
          <li className="columns-table">
            <Table2 size={15} aria-hidden /> {tables.length > 1 ? table.name : null}
          </li>
          {table.columns.map(({ name, dtype }, at) => (
            <li key={at} title={dtype}>
              {name}
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}

/** Reserves the place of the starters, so that nothing jumps when they appear. */
function StarterSkeleton({ hasColumns }: { hasColumns: boolean }) {
  return (
    <>
      <div className="starters" aria-hidden>
        {Array.from({ length: 6 }, (_, at) => (
          <span key={at} className="skeleton starter-skeleton" />
        ))}
      </div>
      {hasColumns ? <span className="skeleton columns-skeleton" aria-hidden /> : null}
    </>
  );
}

function WhatIsThere({ data }: { data: DataProfile | undefined }) {
  const texts = useTexts();
  const format = useFormat();
  if (data === undefined) return texts.loadingData;
  const [first, ...more] = data.tables;
  if (first === undefined) return texts.welcomeNoData;
  if (more.length > 0) return texts.welcomeTables(format.list(data.tables.map(({ name }) => name)));
  return texts.welcomeData(first.name, format.number(first.rows), first.columns.length);
}
