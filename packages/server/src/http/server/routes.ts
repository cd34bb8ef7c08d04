import type { z } from "zod";
import { aliveSchema, overviewSchema, readinessSchema } from "@atoll/protocol/schemas";
import { renderMetrics, watchEventLoop } from "../metrics/exposition.ts";
import { nameModel, type RouteContext } from "../api/route-context.ts";

const tag = "Server";

export function addServerRoutes(context: RouteContext): void {
  const { api, services } = context;
  const lag = watchEventLoop();

  api.add(
    {
      method: "get",
      path: "/",
      operationId: "getOverview",
      tag,
      summary: "What this server offers; a browser is led to /ui",
      result: overviewSchema,
      otherStatuses: { 302: "A browser is led to /ui" },
    },
    ({ c }) => {
      if (c.req.header("accept")?.includes("text/html")) return c.redirect("/ui", 302);
      const endpoints = api.endpoints.filter(({ path }) => path !== "/");
      return {
        name: "Atoll",
        description: "Every conversation has its own computer",
        model: nameModel(services),
        endpoints: Object.fromEntries(
          endpoints.map(({ method, path, summary }) => [`${method.toUpperCase()} ${path}`, summary]),
        ),
      };
    },
  );

  api.add(
    {
      method: "get",
      path: "/healthz",
      operationId: "getHealth",
      tag,
      summary: "Whether the server is alive",
      result: aliveSchema,
      isPublic: true,
    },
    () => ({ status: "ok" as const }),
  );

  api.add(
    {
      method: "get",
      path: "/readyz",
      operationId: "getReadiness",
      tag,
      summary: "Whether it can work: 503 with the reasons when it cannot",
      result: readinessSchema,
      isPublic: true,
      errors: ["runtime_unavailable"],
    },
    async ({ c }) => {
      const obstacles = await services.findObstacles();
      const isReady = obstacles.every(({ isContained }) => isContained);
      const status = isReady ? (obstacles.length === 0 ? "ready" : "degraded") : "not_ready";
      const body: z.infer<typeof readinessSchema> = {
        status,
        obstacles: obstacles.map(({ name, message }) => ({
          name,
          message,
        })),
      };
      return c.json(body, isReady ? 200 : 503);
    },
  );

  api.add(
    {
      method: "get",
      path: "/metrics",
      operationId: "getMetrics",
      tag,
      summary: "Figures for Prometheus",
      otherResults: { "text/plain": "Prometheus text, version 0.0.4" },
    },
    async () =>
      new Response(await renderMetrics({ ...context, lag }), {
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
      }),
  );
}
