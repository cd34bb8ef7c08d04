import { z } from "zod";
import { flagParam, pathText as path } from "./ids.ts";
import { named } from "./names.ts";

export const pathQuery = z.object({ path: path.describe("Absolute inside, or relative to /workspace") });

export const writeQuery = pathQuery.extend({
  expected_etag: z
    .string()
    .max(200)
    .optional()
    .describe("Write only if the file still has this `etag`; else `changed`"),
});

export const listQuery = z.object({
  path: path.optional().describe("The folder; default the workspace"),
  recursive: flagParam.optional(),
});

export const folderQuery = z.object({ path: path.optional().describe("The folder; default the workspace") });

export const zipQuery = folderQuery.extend({
  all: flagParam.optional().describe("true: workspace, data and artifacts together, whatever the path"),
});

export const contentQuery = pathQuery.extend({
  download: flagParam.optional().describe("true: as an attachment, whatever its type"),
});

export const fileSchema = named(
  "FileInfo",
  z.object({
    path: z.string(),
    name: z.string(),
    kind: z.enum(["file", "folder", "symlink", "other"]),
    size_bytes: z.number().int(),
    mode: z.number().int(),
    modified_at: z.string(),
    etag: z.string().describe("Another one when the content has changed"),
    link_target: z.string().optional(),
    problem: z.string().optional().describe("Why nothing more is known of it than its name"),
  }),
);

export const fileListSchema = named("FileList", z.object({ path: z.string(), files: z.array(fileSchema) }));

export const filesWrittenSchema = named("FilesWritten", z.object({ files: z.array(fileSchema) }));

export const moveBody = named(
  "MoveFile",
  z.strictObject({ from: path, to: path, overwrite: z.boolean().optional() }),
);

export const removedSchema = named("Removed", z.object({ removed: z.boolean() }));
