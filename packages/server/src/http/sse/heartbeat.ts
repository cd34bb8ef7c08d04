/** Sent to idle event streams, so that proxies and clients keep them open. */
export const HEARTBEAT_FRAME = ": heartbeat\n\n";

/** Between two heartbeats of an idle stream, unless `HttpConfig.heartbeatMs` says otherwise. */
export const HEARTBEAT_MS = 10_000;
