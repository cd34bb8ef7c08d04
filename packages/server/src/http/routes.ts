import { sandboxParams, threadParams } from "@atoll/protocol/schemas";
import type { Ui } from "./app.ts";
import type { OpenApiDocument } from "./api/openapi.ts";
import { sessionHint } from "./uploads/quota.ts";
import { addApprovalRoutes } from "./approvals/routes.ts";
import { addArtifactRoutes } from "./artifacts/routes.ts";
import { addBrowserRoutes } from "./browser/routes.ts";
import { addCodeRoute } from "./messages/code-routes.ts";
import { addDocumentRoutes } from "./documents/routes.ts";
import { addEventRoute } from "./events/routes.ts";
import { addExportRoute } from "./export/routes.ts";
import { addKernelRoutes } from "./kernel/routes.ts";
import { addLoginRoutes } from "./login/routes.ts";
import { addLeaveRoute } from "./sessions/leave-routes.ts";
import { addMcpRoutes } from "./mcp/routes.ts";
import { addMessageRoutes } from "./messages/routes.ts";
import { addNewThreadRoute } from "./threads/create-routes.ts";
import { addOperatorServersRoute } from "./operator/servers-routes.ts";
import { addOperatorRoutes } from "./operator/routes.ts";
import { addPortRoutes } from "./ports/routes.ts";
import { requireThread, type RouteContext } from "./api/route-context.ts";
import { addFileRoutes } from "./files/routes.ts";
import { addSandboxInsideRoutes } from "./sandboxes/inside-routes.ts";
import { addSandboxRunRoutes } from "./sandboxes/run-routes.ts";
import { addSandboxRoutes } from "./sandboxes/routes.ts";
import { addServerRoutes } from "./server/routes.ts";
import { addChatRoutes } from "./sessions/chat-routes.ts";
import { addSessionFileRoutes } from "./sessions/file-routes.ts";
import { addSettingsRoutes } from "./settings/routes.ts";
import { addShareRoutes } from "./shares/routes.ts";
import { addTableRoutes } from "./tables/routes.ts";
import { addTerminalRoutes } from "./terminals/routes.ts";
import { addThreadRoutes } from "./threads/routes.ts";
import { addThreadDataRoutes } from "./thread-data/routes.ts";
import { addThreadSandboxRoutes } from "./thread-sandbox/routes.ts";
import { addTrafficRoutes } from "./traffic/routes.ts";
import { addTrashRoutes } from "./trash/routes.ts";
import { addUiRoute } from "./ui/routes.ts";
import { addUploadRoutes } from "./uploads/routes.ts";

/** Every route, in the order of the documents. */
export function addAllRoutes(context: RouteContext, ui: Ui | undefined): () => OpenApiDocument {
  const { services } = context;
  addNewThreadRoute(context);
  addThreadRoutes(context);
  addTrashRoutes(context);
  addThreadDataRoutes(context);
  addThreadSandboxRoutes(context);
  addLeaveRoute(context);
  addExportRoute(context);
  addShareRoutes(context);
  addMessageRoutes(context);
  addCodeRoute(context);
  addChatRoutes(context);
  addApprovalRoutes(context);
  addEventRoute(context);
  addSessionFileRoutes(context);
  addUploadRoutes(context);
  addArtifactRoutes(context);
  addFileRoutes(context, {
    prefix: "/thread/{thread_id}",
    tag: "Files",
    noun: "Thread",
    params: threadParams,
    use: async ({ thread_id: id }, _signal, work) => {
      requireThread(services, id);
      return work(await services.openSandbox(id));
    },
    room: async ({ thread_id: id }) => {
      const freeBytes = await services.sessions?.quota.roomBytes(id);
      return freeBytes === undefined ? undefined : { freeBytes, hint: sessionHint };
    },
  });
  addTableRoutes(context);
  addKernelRoutes(context);
  addTerminalRoutes(context);
  addSandboxRoutes(context);
  addSandboxRunRoutes(context);
  addSandboxInsideRoutes(context);
  addPortRoutes(context);
  addTrafficRoutes(context);
  addBrowserRoutes(context);
  addFileRoutes(context, {
    prefix: "/sandboxes/{sandbox_id}",
    tag: "Sandboxes",
    noun: "Sandbox",
    params: sandboxParams,
    use: ({ sandbox_id: id }, _signal, work) => services.apiSandboxes.use(id, work),
  });
  addMcpRoutes(context);
  addSettingsRoutes(context);
  addServerRoutes(context);
  addLoginRoutes(context);
  addOperatorRoutes(context);
  addOperatorServersRoute(context);
  addUiRoute(context, ui);
  return addDocumentRoutes(context);
}
