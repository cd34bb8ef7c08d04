import type { ApiErrorCode } from "@atoll/protocol";

/** The one table of which code is answered with which status, and what to do about it in general. */
export const failures: Readonly<Record<ApiErrorCode, { readonly status: number; readonly hint: string }>> = {
  invalid_argument: {
    status: 400,
    hint: "Correct what the message names; /docs lists what each route takes.",
  },
  bad_request: { status: 400, hint: "Send the request as /docs describes it." },
  unauthorized: {
    status: 401,
    hint: "Send `Authorization: Bearer <token>`; in a browser, open the login link that the server prints.",
  },
  forbidden: { status: 403, hint: "Open the server under the address it printed at its start." },
  permission_denied: {
    status: 403,
    hint: "Use a path that may be written: /workspace, /session or /data/outputs.",
  },
  not_found: { status: 404, hint: "Check the address and the id; /docs lists the routes." },
  expired: { status: 404, hint: "Start a new one: POST /thread/new." },
  method_not_allowed: { status: 405, hint: "Use one of the methods in the Allow header." },
  request_timeout: { status: 408, hint: "Send the body without long pauses." },
  already_exists: { status: 409, hint: "Choose another name, or remove what is there first." },
  not_a_file: { status: 409, hint: "Name a regular file." },
  not_a_folder: { status: 409, hint: "Name a folder." },
  busy: { status: 409, hint: "Wait until what runs has ended, or stop it; then try again." },
  sandbox_paused: { status: 409, hint: "Resume the sandbox first." },
  sandbox_dead: {
    status: 410,
    hint: "Its processes have ended. Create it again under the same id to reopen its files.",
  },
  changed: { status: 412, hint: "Read it again, then decide." },
  too_large: { status: 413, hint: "Send less, or raise the limit that the message names." },
  uri_too_long: { status: 414, hint: "Shorten the address." },
  unsupported_media_type: { status: 415, hint: "Send the body with `Content-Type: application/json`." },
  range_not_satisfiable: { status: 416, hint: "Ask for a range within the size in Content-Range." },
  too_many_entries: { status: 422, hint: "Name a smaller folder." },
  snapshot_invalid: { status: 422, hint: "Take a new snapshot." },
  rate_limited: { status: 429, hint: "Wait for the seconds in Retry-After, or raise RATE_LIMIT_MAX." },
  headers_too_large: { status: 431, hint: "Send fewer or shorter headers." },
  aborted: { status: 499, hint: "The request was given up; send it again." },
  internal: { status: 500, hint: "This is a defect. Report it with the id in the message." },
  damaged: {
    status: 500,
    hint: "Everything else works. Put it back from a backup, or stop the server and run `atoll doctor --repair`.",
  },
  not_supported: { status: 501, hint: "Choose a runtime that has the ability." },
  protocol_error: { status: 502, hint: "The sandbox answered in a way nobody understands; make a new one." },
  runtime_unavailable: { status: 503, hint: "Install what the message names, or set SANDBOX_RUNTIME." },
  unavailable: {
    status: 503,
    hint: "Try again in a moment. If it lasts, see that the service the message names runs.",
  },
  not_owner: {
    status: 503,
    hint: "Try again: the request then reaches the server that owns the thread now.",
  },
  shutting_down: { status: 503, hint: "Try again when the server is back." },
  timeout: { status: 504, hint: "Try again, or allow more time." },
  disk_full: { status: 507, hint: "Remove files that are not needed." },
};
