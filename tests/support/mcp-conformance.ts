import { createMcpServer, type McpResources, type McpToolSession } from "@atoll/toolkit/mcp";
import {
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  type PromptMessage,
} from "@modelcontextprotocol/sdk/types.js";

/** A red dot. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/** A session with what the conformance runner looks for. Prompts and completions are its own: our servers have none. */
export function createConformanceServer(session: McpToolSession, end: () => Promise<void>) {
  const server = createMcpServer(session, { resources });
  server.registerCapabilities({ prompts: {}, completions: {} });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: Object.keys(prompts).map((name) => ({
      name,
      description: `For the conformance runner: ${name}.`,
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) => ({
    messages: prompts[name]?.(given) ?? [],
  }));
  server.setRequestHandler(CompleteRequestSchema, () => ({
    completion: { values: ["paris", "park"], total: 2 },
  }));
  return { mcpServer: server, isBusy: () => false, end };
}

const say = (text: string): PromptMessage => ({ role: "user", content: { type: "text", text } });

const prompts: Record<string, (given: Record<string, string>) => PromptMessage[]> = {
  test_simple_prompt: () => [say("This is a simple prompt for testing.")],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [
    {
      role: "user",
      content: {
        type: "resource",
        resource: {
          uri: resourceUri,
          mimeType: "text/plain",
          text: "Embedded resource content for testing.",
        },
      },
    },
    say("Please process the embedded resource above."),
  ],
  test_prompt_with_image: () => [
    { role: "user", content: { type: "image", data: PNG, mimeType: "image/png" } },
    say("Please analyze the image above."),
  ],
};

const fixed: Record<string, object> = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched resource content." },
};

const resources: McpResources = {
  templates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
  list: async () => Object.keys(fixed).map((uri) => ({ uri, name: uri, description: uri })),
  async read(uri) {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    const content = id === undefined ? fixed[uri] : { mimeType: "application/json", text };
    return [{ uri, ...content } as { uri: string; text: string }];
  },
  version: async (uri) => uri,
};
