import { afterEach, expect, it, vi } from "vitest";
import { answer } from "../answer/answer.ts";
import { testRequest } from "../loop/request.harness.ts";

const network = vi.hoisted(() => ({
  fetchModel: vi.fn<(url: string, init: { body: string }) => Promise<Response | undefined>>(),
}));
vi.mock("./fetch.ts", () => network);
afterEach(() => void vi.unstubAllEnvs());

const frames = (events: readonly object[]) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });

const created = { type: "response.created", response: { id: "r", created_at: 1, model: "gpt-x" } };
const completed = {
  type: "response.completed",
  response: { id: "r", created_at: 1, model: "gpt-x", usage: { input_tokens: 4, output_tokens: 2 } },
};
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "no_such_tool" };
const thought = { type: "reasoning", id: "rs_1", encrypted_content: null };

it("OpenAI itself is spoken to over the responses API, and gets its own items back", async () => {
  const sent: { url: string; body: { input: { type?: string; id?: string; call_id?: string }[] } }[] = [];
  const replies = [
    frames([
      created,
      { type: "response.output_item.added", output_index: 0, item: thought },
      { type: "response.output_item.done", output_index: 0, item: { ...thought, summary: [] } },
      { type: "response.output_item.added", output_index: 1, item: { ...call, arguments: "" } },
      { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 1, delta: '{"a":' },
      { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 1, delta: "1}" },
      {
        type: "response.output_item.done",
        output_index: 1,
        item: { ...call, arguments: '{"a":1}', status: "completed" },
      },
      completed,
    ]),
    frames([
      created,
      { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } },
      { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, delta: "Sorry" },
      { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "msg_1" } },
      completed,
    ]),
  ];
  vi.stubEnv("OPENAI_BASE_URL", "http://elsewhere.invalid/v1");
  network.fetchModel.mockImplementation(async (url: string, { body }: { body: string }) => {
    sent.push({ url, body: JSON.parse(body) });
    return replies.shift();
  });
  const test = testRequest("", { model: { kind: "model", provider: "openai", model: "gpt-x", apiKey: "k" } });
  const outcome = await answer(test.request);
  expect(test.of("error")).toEqual([]);
  expect(outcome).toMatchObject({
    status: "completed",
    response: "Sorry",
    model: "openai:gpt-x",
    openai_calls: 2,
  });
  expect(sent.map(({ url }) => url)).toEqual(Array(2).fill("https://api.openai.com/v1/responses"));
  expect(test.of("tool_call")).toMatchObject([{ tool: "no_such_tool", input: { a: 1 } }]);
  const items = sent[1]?.body.input.slice(2) ?? [];
  expect(items).toMatchObject([
    { type: "item_reference", id: "rs_1" },
    { type: "function_call", call_id: "call_1" },
    { type: "function_call_output", call_id: "call_1" },
  ]);
  vi.unstubAllEnvs();
});
