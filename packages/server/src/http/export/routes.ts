import { z } from "zod";
import { threadParams } from "@atoll/protocol/schemas";
import { readInParts } from "../../store/log/read-in-parts.ts";
import { describeContent } from "../content/content-types.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

const exportQuery = z.object({
  format: z.enum(["ipynb", "md", "json"]).optional().describe("Default ipynb"),
});

export function addExportRoute({ api, services }: RouteContext): void {
  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/export",
      operationId: "exportThread",
      tag: "Threads",
      summary: "The thread as a Jupyter notebook, as Markdown or as JSON",
      params: threadParams,
      query: exportQuery,
      otherResults: {
        "application/x-ipynb+json": "A notebook with the real outputs and images",
        "text/markdown": "A readable document",
        "application/json": "The thread and its whole log",
      },
      errors: ["not_found"],
      curl: "-OJ",
    },
    async ({ params, query }) => {
      const thread = requireThread(services, params.thread_id);
      const exported = await services.exportThread(query.format ?? "ipynb", {
        thread,
        parts: readInParts(services.log, thread.id),
        blobs: services.blobs,
      });
      const headers = describeContent(exported.filename, { type: exported.mime, isDownload: true });
      return new Response(exported.body as ConstructorParameters<typeof Response>[0], { headers });
    },
  );
}
