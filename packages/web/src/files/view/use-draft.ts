import { AtollApiError } from "@atoll/client";
import { useEffect, useRef, useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useToasts } from "../../app/toasts.tsx";
import { useTexts } from "../../i18n/language.tsx";
import type { FileText } from "../use-file-text.ts";

export interface Draft {
  /** The editor's initial text. */
  readonly start: string;
  /** A change recreates the editor. */
  readonly revision: number;
  readonly isChanged: boolean;
  /** The file was changed elsewhere since the draft began. */
  readonly isOutdated: boolean;
  change(text: string): void;
  save(options?: { isForced?: boolean }): Promise<void>;
  /** Discards the draft. */
  takeTheirs(): Promise<void>;
}

/** Drafts outlive the panel that shows them, until the page closes. */
const kept = new Map<string, { readonly text: string; readonly etag: string }>();

/** A draft of a file. Saving fails if the file has changed since, unless forced. */
export function useDraft(threadId: string, path: string, file: FileText): Draft {
  const texts = useTexts();
  const files = useClient().threads.files(threadId);
  const { show, tellFailure } = useToasts();
  const key = `${threadId} ${path}`;
  const early = kept.get(key);
  const [start, setStart] = useState(early?.text ?? file.text);
  const [revision, setRevision] = useState(0);
  const [isChanged, setChanged] = useState(early !== undefined);
  const [isOutdated, setOutdated] = useState(early !== undefined && early.etag !== file.etag);
  const etag = useRef(early?.etag ?? file.etag);
  const seen = useRef(file);

  const begin = (text: string, newEtag: string) => {
    kept.delete(key);
    etag.current = newEtag;
    setStart(text);
    setRevision((count) => count + 1);
    setChanged(false);
    setOutdated(false);
  };
  useEffect(() => {
    if (seen.current === file) return;
    seen.current = file;
    if (file.etag === etag.current) return;
    if (kept.has(key)) setOutdated(true);
    else begin(file.text, file.etag);
  });

  const lineEnd = file.text.includes("\r\n") ? "\r\n" : "\n";
  const change = (text: string) => {
    kept.set(key, { text, etag: etag.current });
    setChanged(true);
  };
  const save = async ({ isForced = false } = {}) => {
    const text = kept.get(key)?.text;
    if (text === undefined) return;
    try {
      const options = isForced ? {} : { expectedEtag: etag.current };
      const written = await files.write(path, text.replaceAll("\n", lineEnd), options);
      etag.current = written.etag;
      // Input during the save becomes the next draft.
      if (kept.get(key)?.text === text) kept.delete(key);
      setChanged(kept.has(key));
      setOutdated(false);
      show(texts.saved);
    } catch (error) {
      if (error instanceof AtollApiError && error.code === "changed") setOutdated(true);
      else tellFailure(error);
    }
  };
  const takeTheirs = async () => {
    try {
      const response = await files.open(path);
      begin(await response.text(), response.headers.get("etag") ?? "");
    } catch (error) {
      tellFailure(error);
    }
  };
  return { start, revision, isChanged, isOutdated, change, save, takeTheirs };
}
