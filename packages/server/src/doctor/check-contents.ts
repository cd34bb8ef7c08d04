import { createHash } from "node:crypto";
import { createReadStream, existsSync, globSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Finding } from "./doctor.ts";

/** Every file that is known by its hash: uploads, what threads showed, and contents of checkpoints. */
export async function* checkContents(dataDir: string, database: string): AsyncGenerator<Finding> {
  let sound = 0;
  for (const { path, sha256, name } of [...listUploads(dataDir, database), ...listNamed(dataDir)]) {
    if ((await hash(path)) === sha256) sound += 1;
    else
      yield {
        state: "damaged",
        message: `${name} is not what was stored (${path}). It is not given to anybody.`,
      };
  }
  yield { state: "ok", message: `${sound} files are what was stored` };
}

interface Known {
  readonly path: string;
  readonly sha256: string;
  readonly name: string;
}

function listUploads(dataDir: string, path: string): Known[] {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      return database
        .prepare("SELECT id, name, sha256 FROM uploads")
        .all()
        .map((row) => ({
          path: join(dataDir, "server/uploads", String(row["id"])),
          sha256: String(row["sha256"]),
          name: `The uploaded file ${JSON.stringify(row["name"])}`,
        }))
        .filter((file) => existsSync(file.path));
    } finally {
      database.close();
    }
  } catch {
    // What is wrong with the database was told of already.
    return [];
  }
}

function listNamed(dataDir: string): Known[] {
  const patterns = {
    "server/threads/*/blobs/*": "A file of a thread",
    "checkpoints/*/objects/*": "A part of a checkpoint",
  };
  return Object.entries(patterns).flatMap(([pattern, name]) =>
    globSync(pattern, { cwd: dataDir })
      .filter((path) => /^[0-9a-f]{64}$/.test(basename(path)))
      .map((path) => ({ path: join(dataDir, path), sha256: basename(path), name })),
  );
}

async function hash(path: string): Promise<string> {
  const hasher = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) hasher.update(chunk as Uint8Array);
    return hasher.digest("hex");
  } catch (error) {
    return String(error);
  }
}
