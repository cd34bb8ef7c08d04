import type { Artifact } from "@atoll/client";
import type { Call, Conversation } from "../../thread/conversation.ts";

/** A file that runs created, or a plot that one displayed. */
export interface GalleryItem {
  readonly path: string;
  readonly name: string;
  /** The oldest first. */
  readonly versions: readonly GalleryVersion[];
}

export interface GalleryVersion {
  /** Absent if it was too large to keep. */
  readonly url?: string;
  readonly mime: string;
  readonly at: string;
  readonly run_id?: string;
  readonly size_bytes?: number;
}

/** The newest first. A plot that was also saved is listed once, as its file. */
export function listItems(
  artifacts: readonly Artifact[],
  conversation: Conversation,
): readonly GalleryItem[] {
  const saved = new Set(artifacts.flatMap(({ versions }) => versions.map(({ hash }) => hash)));
  const plots = listPlots(conversation).filter(({ versions: [plot] }) => !saved.has(hashOf(plot?.url)));
  return [...artifacts, ...plots].toSorted((a, b) => lastOf(b).localeCompare(lastOf(a)));
}

function listPlots({ items }: Conversation): GalleryItem[] {
  const shown = items.flatMap((item) =>
    item.kind === "answer"
      ? item.parts.flatMap((part) => (part.kind === "call" ? plotsOf(part, item.id) : []))
      : [],
  );
  return shown.map((version, index) => {
    const name = `plot-${index + 1}.${/\w+/.exec(version.mime.replace("image/", ""))?.[0] ?? "png"}`;
    return { path: name, name, versions: [version] };
  });
}

function plotsOf({ results, calls, at }: Call, runId: string): GalleryVersion[] {
  const own = results.flatMap(({ image }) =>
    image ? [{ url: image.url, mime: image.mime, at, run_id: runId }] : [],
  );
  return [...own, ...calls.flatMap((call) => plotsOf(call, runId))];
}

function hashOf(url = ""): string {
  return /\/blobs\/(\w+)/.exec(url)?.[1] ?? "";
}

function lastOf({ versions }: GalleryItem): string {
  return versions.at(-1)?.at ?? "";
}
