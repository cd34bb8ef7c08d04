import { sandboxParams, threadParams } from "../../schemas/ids.ts";
import type { Ui } from "../app.ts";
import type { OpenApiDocument } from "../openapi.ts";
import { sessionHint } from "../room.ts";
import { addApprovalRoutes } from "./approvals.ts";
import { addArtifactRoutes } from "./artifacts.ts";
import { addBrowserRoutes } from "./browser.ts";
import { addCodeRoute } from "./code.ts";
import { addDocumentRoutes } from "./documents.ts";
import { addEventRoute } from "./events.ts";
import { addExportRoute } from "./export.ts";
import { addKernelRoutes } from "./kernel.ts";
import { addLoginRoutes } from "./login.ts";
import { addLeaveRoute } from "./leave.ts";
import { addMcpRoutes } from "./mcp.ts";
import { addMessageRoutes } from "./messages.ts";
import { addNewThreadRoute } from "./new-thread.ts";
import { addOperatorServersRoute } from "./operator-servers.ts";
import { addOperatorRoutes } from "./operator.ts";
import { addPortRoutes } from "./ports.ts";
import { requireThread, type RouteContext } from "./route-context.ts";
import { addFileRoutes } from "./sandbox-files.ts";
import { addSandboxInsideRoutes } from "./sandbox-inside.ts";
import { addSandboxRunRoutes } from "./sandbox-runs.ts";
import { addSandboxRoutes } from "./sandboxes.ts";
import { addServerRoutes } from "./server.ts";
import { addChatRoutes } from "./session-chat.ts";
import { addSessionFileRoutes } from "./session-files.ts";
import { addSettingsRoutes } from "./settings.ts";
import { addShareRoutes } from "./shares.ts";
import { addTableRoutes } from "./tables.ts";
import { addTerminalRoutes } from "./terminals.ts";
import { addThreadRoutes } from "./threads.ts";
import { addThreadDataRoutes } from "./thread-data.ts";
import { addThreadSandboxRoutes } from "./thread-sandbox.ts";
import { addTrafficRoutes } from "./traffic.ts";
import { addTrashRoutes } from "./trash.ts";
import { addUiRoute } from "./ui.ts";
import { addUploadRoutes } from "./uploads.ts";

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
    use: ({ sandbox_id: id }, _signal, work) => services.programs.use(id, work),
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
