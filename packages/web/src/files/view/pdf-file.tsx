import { useEffect, useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useTexts } from "../../i18n/language.tsx";
import type { FileProps } from "./file-view.tsx";
import { hasPrograms } from "./pdf-programs.ts";
import { showName } from "../visible-name.ts";

const MOST_BYTES = 50_000_000;

/** Uses the browser's PDF viewer. The blob is typed as PDF, so it can never be a page. A PDF with programs is not shown. */
export function PdfFile({ threadId, path, version }: FileProps) {
  const texts = useTexts();
  const client = useClient();
  const [address, setAddress] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const end = new AbortController();
    let url: string | undefined;
    const load = async () => {
      const response = await client.threads.files(threadId).open(path, { signal: end.signal });
      if (Number(response.headers.get("content-length")) > MOST_BYTES) {
        await response.body?.cancel();
        return setProblem(texts.tooLargeToShow);
      }
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (!new TextDecoder().decode(bytes.subarray(0, 1024)).includes("%PDF-"))
        return setProblem(texts.brokenPdf);
      if (await hasPrograms(bytes)) return setProblem(texts.activePdf);
      if (!navigator.pdfViewerEnabled) return setProblem(texts.noPreview);
      if (end.signal.aborted) return;
      url = URL.createObjectURL(new Blob([bytes], { type: "application/pdf" }));
      setAddress(url);
    };
    load().catch((error: unknown) => {
      if (!end.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
    });
    return () => {
      end.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [client, threadId, path, version, texts]);
  if (problem !== undefined) return <p className="quiet">{problem}</p>;
  if (address === undefined) return <p className="quiet">{texts.loading}</p>;
  return <iframe className="preview-frame" src={address} title={showName(path)} />;
}
