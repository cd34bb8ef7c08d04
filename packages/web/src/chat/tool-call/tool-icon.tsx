import {
  Bot,
  Braces,
  Database,
  FileCog,
  FilePen,
  FileText,
  FolderSearch,
  GitBranch,
  Globe,
  type LucideIcon,
  Plug,
  SquareCheckBig,
  SquareTerminal,
  Wrench,
} from "lucide-react";
import { memo } from "react";
import { resolveToolName } from "@atoll/protocol";

/** Decorative: always shown beside the tool's name. */
export const ToolIcon = memo(function ToolIcon({ tool }: { tool: string }) {
  const name = resolveToolName(tool);
  const Icon = icons.find(([pattern]) => pattern.test(name))?.[1] ?? Wrench;
  return <Icon size={16} aria-hidden />;
});

const icons: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^(execute_python|sandboxed_python|cpython_python|execute_code|javascript_exec)$/, Braces],
  [/^(execute_shell|shell_|process_|env_|pip_)/, SquareTerminal],
  [/^(file_edit|file_write|apply_patch)$/, FilePen],
  [/^(file_find|file_search|grep|file_list)$/, FolderSearch],
  [/^file_read$/, FileText],
  [/^(file_|move$|make_directory$)/, FileCog],
  [/^git_/, GitBranch],
  [/^(browser_|http_request|preview_url)/, Globe],
  [/dataset/, Database],
  [/^todo_/, SquareCheckBig],
  [/^task$/, Bot],
  [/^mcp_/, Plug],
];
