import { BlockList } from "node:net";
import type { Services } from "../services.ts";
import { createApp } from "../app.ts";
import type { OpenApiDocument } from "./openapi.ts";

export type { OpenApiDocument };

/** The document of the API without a server: routes describe themselves before anything stands behind them. */
export function describeApi(): OpenApiDocument {
  const app = createApp({} as Services, {
    isLoopback: true,
    dataDir: "",
    signingKey: new Uint8Array(),
    maxUploadBytes: 0,
    threadQuotaBytes: 0,
    maxInputChars: 0,
    rateLimit: { windowMs: 1, max: 0 },
    trustedProxies: new BlockList(),
  });
  app.close();
  return app.document();
}
