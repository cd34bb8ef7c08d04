import { fileParams, removedSchema, uploadedFileSchema, uploadResultSchema } from "@atoll/protocol/schemas";
import { receiveForm } from "./receive-form.ts";
import { ApiError } from "../errors/api-error.ts";
import { toWireUpload } from "../wire.ts";
import { type RouteContext, uploadLimits } from "../api/route-context.ts";

export const uploadForm = {
  type: "multipart/form-data",
  schema: {
    type: "object",
    properties: { files: { type: "array", minItems: 1, items: { type: "string", format: "binary" } } },
    required: ["files"],
  },
};

export function addUploadRoutes({ api, services, config, counters }: RouteContext): void {
  const { uploads } = services;
  const findUpload = async (fileId: string) => {
    const upload = await uploads.get(fileId);
    if (upload) return upload;
    throw new ApiError("not_found", `there is no file ${fileId}`, {
      hint: "POST /upload gives the ids of files.",
    });
  };

  api.add(
    {
      method: "post",
      path: "/upload",
      operationId: "uploadFiles",
      tag: "Files",
      summary: "Upload one or many files of any type",
      description: "Streamed to disk. A file is kept in whole or not at all.",
      rawBody: uploadForm,
      result: uploadResultSchema,
      errors: ["bad_request", "too_large", "unsupported_media_type", "disk_full", "request_timeout"],
      curl: "-F files=@your_data.csv",
    },
    async ({ c, signal }) => {
      const { kept, refused } = await receiveForm(
        c,
        uploadLimits(config),
        {
          receive: (name, content, options) => uploads.receive(name, content, options),
          discard: ({ fileId }) => uploads.remove(fileId),
        },
        signal,
      );
      if (kept.length === 0 && refused[0]) throw refused[0].error;
      for (const { sizeBytes } of kept) counters.uploadedBytes += sizeBytes;
      const errors = refused.map(({ name, error }) => ({
        filename: name,
        code: error.code,
        message: error.message,
      }));
      return {
        message: `Uploaded ${kept.length} file${kept.length === 1 ? "" : "s"}`,
        files: kept.map(toWireUpload),
        ...(errors.length > 0 ? { errors } : {}),
      };
    },
  );

  api.add(
    {
      method: "get",
      path: "/files/{file_id}",
      operationId: "getUpload",
      tag: "Files",
      summary: "What is known of an uploaded file",
      params: fileParams,
      result: uploadedFileSchema,
      errors: ["not_found"],
    },
    async ({ params }) => toWireUpload(await findUpload(params.file_id)),
  );

  api.add(
    {
      method: "delete",
      path: "/files/{file_id}",
      operationId: "deleteUpload",
      tag: "Files",
      summary: "Remove an uploaded file; threads that use it keep it",
      params: fileParams,
      result: removedSchema,
      errors: ["not_found"],
    },
    async ({ params }) => ({ removed: await uploads.remove((await findUpload(params.file_id)).fileId) }),
  );
}
