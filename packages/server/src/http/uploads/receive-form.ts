import { AtollError } from "@atoll/sandbox";
import type { UploadSink } from "../../uploads/contract.ts";
import { receiveUploads, type ReceivedFiles } from "../../uploads/multipart.ts";
import { type BodyLimits, readChunks } from "../api/body.ts";
import type { HttpContext } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";

const maxFiles = 1000;
/** What a form has around its files. */
const formBytes = 1024 * 1024;

/** Receives the files of a form into a sink, with the limits of every other body. */
export function receiveForm<Kept>(
  c: HttpContext,
  limits: BodyLimits,
  sink: UploadSink<Kept>,
  signal: AbortSignal,
): Promise<ReceivedFiles<Kept>> {
  const type = c.req.header("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new ApiError("unsupported_media_type", "files must come as a form", {
      hint: "Send `multipart/form-data`, e.g. curl -F files=@data.csv",
    });
  }
  const body = readChunks(c, { ...limits, maxBytes: limits.maxBytes + formBytes });
  const request = { headers: { "content-type": type }, body };
  const receiving = receiveUploads(request, { sink, maxBytes: limits.maxBytes, maxFiles, signal });
  return receiving.catch((error: unknown) => {
    void body.return(undefined);
    // The sender is still there: it is the form that ends too early.
    const isCut = error instanceof AtollError && error.code === "aborted" && !signal.aborted;
    throw isCut && !(error.cause instanceof ApiError)
      ? new ApiError("bad_request", "the form ends before its end", { cause: error })
      : isCut
        ? error.cause
        : error;
  });
}
