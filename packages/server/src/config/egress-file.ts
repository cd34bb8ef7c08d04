import { readFileSync, statSync } from "node:fs";
import { AtollError, checkEgress, type Credential, type EgressOptions } from "@atoll/sandbox";
import { z } from "zod";
import type { Environment } from "./environment.ts";

const name = z.string().min(1);
const credential = z.strictObject({
  host: name,
  header: name.optional(),
  value: name.optional(),
  valueFromEnv: name.optional(),
});
const limit = z.number().int().positive().optional();
const egressFile = z.strictObject({
  credentials: z.array(credential).optional(),
  addresses: z.record(name, name).optional(),
  env: z.record(name, z.string()).optional(),
  limits: z.strictObject({ maxConnections: limit, maxRequestsPerMinute: limit, maxBytes: limit }).optional(),
});

/** What the operator gives to the network of sandboxes. A fault is told without anything of the content. */
export function readEgressFile(path: string, environment: Environment): EgressOptions | { fault: string } {
  try {
    return toEgress(parseFile(path), environment);
  } catch (error) {
    if (error instanceof FileFault || error instanceof AtollError) return { fault: error.message };
    throw error;
  }
}

class FileFault extends Error {}

function parseFile(path: string): z.infer<typeof egressFile> {
  const parsed = egressFile.safeParse(parseJson(readPrivate(path)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new FileFault(`${issue?.path.join(".") || "the file"}: ${issue?.message}`);
}

function readPrivate(path: string): string {
  try {
    // As ssh does with a key: whoever can read it has the secrets.
    if ((statSync(path).mode & 0o077) !== 0)
      throw new FileFault("others than its owner may use the file; take that away with chmod 600");
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof FileFault) throw error;
    throw new FileFault(`the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The parser's own words quote the content. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FileFault("the file is not JSON");
  }
}

function toEgress(file: z.infer<typeof egressFile>, environment: Environment): EgressOptions {
  const { addresses, env, limits = {} } = file;
  const credentials = (file.credentials ?? []).map((given) => toCredential(given, environment));
  const limited = Object.entries(limits).filter(([, value]) => value !== undefined);
  const egress: EgressOptions = {
    ...(credentials.length > 0 ? { credentials } : {}),
    addresses,
    env,
    ...Object.fromEntries(limited),
  };
  checkEgress(egress);
  return egress;
}

function toCredential(given: z.infer<typeof credential>, environment: Environment): Credential {
  const { host, header, valueFromEnv } = given;
  if ((given.value === undefined) === (valueFromEnv === undefined))
    throw new FileFault(`credentials: ${host} needs value or valueFromEnv, one of the two`);
  const value = given.value ?? environment[valueFromEnv ?? ""];
  if (value === undefined || value === "")
    throw new FileFault(`credentials: the variable ${valueFromEnv}, named for ${host}, is not set`);
  return { host, value, header };
}
