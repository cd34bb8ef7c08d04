import type { z } from "zod";
import { settingsBody, settingsSchema, settingsTestBody, settingsTestSchema } from "@atoll/protocol/schemas";
import type { Services } from "../services.ts";
import { keyedProviders } from "../../store/contract.ts";
import { nameModel, type RouteContext } from "../api/route-context.ts";

const tag = "Server";

export function addSettingsRoutes({ api, services }: RouteContext): void {
  api.add(
    {
      method: "get",
      path: "/settings",
      operationId: "getSettings",
      tag,
      summary: "Which model answers, which keys are set, and what tools may do",
      result: settingsSchema,
    },
    () => describe(services),
  );

  api.add(
    {
      method: "put",
      path: "/settings",
      operationId: "updateSettings",
      tag,
      summary: "Choose the model, give keys, and say what tools may do",
      body: settingsBody,
      result: settingsSchema,
      example: { model: "openai:gpt-5.4-mini", keys: { openai: "sk-..." } },
    },
    async ({ body }) => {
      await services.settings.update({
        model: body.model,
        baseUrl: body.base_url,
        approvalRules: body.approval_rules,
        keys: body.keys,
      });
      return describe(services);
    },
  );

  api.add(
    {
      method: "post",
      path: "/settings/test",
      operationId: "testSettings",
      tag,
      summary: "Ask the model for a word, to see whether key, address and name work",
      body: settingsTestBody.optional(),
      example: { model: "built-in" },
      result: settingsTestSchema,
    },
    async ({ body = {}, signal }) => {
      const startedAt = performance.now();
      const { isOk, ...words } = await services.checkModel(body.model, signal);
      return {
        model: nameModel(services, body.model),
        is_ok: isOk,
        ...words,
        duration_ms: Math.round(performance.now() - startedAt),
      };
    },
  );
}

function describe(services: Services): z.infer<typeof settingsSchema> {
  const { model, baseUrl, keys, approvalRules = [] } = services.settings.describe();
  const shown = keyedProviders.map((provider) => {
    const known = keys[provider];
    return [provider, known ? { last_four: known.lastFour } : null] as const;
  });
  return {
    model: model ?? null,
    active_model: nameModel(services),
    base_url: baseUrl ?? null,
    approval_rules: [...approvalRules],
    keys: Object.fromEntries(shown) as z.infer<typeof settingsSchema>["keys"],
  };
}
