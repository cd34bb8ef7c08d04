import type { RunOutput } from "@atoll/sandbox";
import { z } from "zod";
import { fitProfile } from "./fit-profile.ts";
import { profileMime } from "./program.ts";
import type { DataProfile, TableProfile } from "@atoll/protocol";
import { otherFileSchema } from "@atoll/protocol/schemas";
import { cutValue, toTable } from "./untrusted.ts";

const filesMessage = z.object({
  files: z.array(otherFileSchema.pick({ file: true, name: true, size_bytes: true })).max(1000),
});
const fileMessage = z.object({
  number: z.number().int().min(0),
  tables: z.array(z.unknown()).max(200).default([]),
  variables: z.array(z.string().max(100)).max(400).default([]),
  problem: z.string().optional(),
});

type File = DataProfile["others"][number];
interface Outcome {
  readonly tables: readonly TableProfile[];
  readonly variables: readonly string[];
  readonly problem?: string;
}

/** What has come out of the kernel so far. Its messages are untrusted: one that makes no sense is passed over. */
export class Reading {
  readonly #known: ReadonlyMap<string, Outcome>;
  #files: readonly File[] | undefined;
  #outcomes = new Map<number, Outcome>();

  /** `known`: describes files whose tables the kernel already has. */
  constructor(known: DataProfile = { tables: [], others: [] }) {
    this.#known = toOutcomes(known);
  }

  take(output: RunOutput): void {
    const message = cutValue(output.extra?.[profileMime] ?? output.json);
    const files = filesMessage.safeParse(message);
    if (files.success) {
      this.#list(files.data.files);
      return;
    }
    const { data } = fileMessage.safeParse(message);
    const file = data && this.#files?.[data.number];
    if (!data || !file || this.#outcomes.has(data.number)) return;
    const tables = data.tables.flatMap((table) => toTable(table, file.file) ?? []);
    const isBroken = tables.length < data.tables.length;
    const problem = data.problem ?? (isBroken ? "its description makes no sense" : undefined);
    this.#outcomes.set(data.number, {
      tables,
      variables: data.variables,
      problem,
    });
  }

  get isComplete(): boolean {
    return this.#files !== undefined && this.#next() === undefined;
  }

  /** Whether one file alone is left. */
  get isLast(): boolean {
    return this.#files !== undefined && this.#files.length - this.#outcomes.size <= 1;
  }

  /** Paths of files that need no reading. Once the files are listed, `done` says which. */
  get known(): string[] {
    return this.#files ? [] : [...this.#known.keys()];
  }

  get done(): number[] {
    return [...this.#outcomes.keys()];
  }

  get taken(): string[] {
    const outcomes = this.#files ? this.#outcomes : this.#known;
    return [...outcomes.values()].flatMap((outcome) => outcome.variables);
  }

  /** The run ended early: the file it was at gets the problem. With the kernel went the tables of the others. */
  blame(problem: string, isKernelNew: boolean): boolean {
    const culprit = this.#next();
    if (culprit === undefined) return false;
    this.#outcomes.set(culprit, { tables: [], variables: [], problem });
    if (isKernelNew) {
      for (const [number, { tables }] of this.#outcomes) if (tables.length > 0) this.#outcomes.delete(number);
    }
    return true;
  }

  finish(problem?: string, files: readonly File[] = []): DataProfile {
    const listed = this.#files ?? files;
    const profile: DataProfile = { tables: [], others: [] };
    for (const [number, file] of listed.entries()) {
      const outcome = this.#outcomes.get(number) ?? {
        tables: [],
        variables: [],
        problem,
      };
      profile.tables.push(...outcome.tables);
      const [first] = outcome.tables;
      if (!first) profile.others.push({ ...file, ...(outcome.problem ? { problem: outcome.problem } : {}) });
      else if (outcome.problem) first.notes.push(`not all of the file: ${outcome.problem}`);
    }
    return fitProfile(profile);
  }

  #list(files: readonly File[]): void {
    if (this.#files) return;
    this.#files = files;
    for (const [number, { file }] of files.entries()) {
      const outcome = this.#known.get(file);
      if (outcome) this.#outcomes.set(number, outcome);
    }
  }

  #next(): number | undefined {
    const position = this.#files?.findIndex((_, number) => !this.#outcomes.has(number)) ?? -1;
    return position < 0 ? undefined : position;
  }
}

/** By file. */
function toOutcomes({ tables, others }: DataProfile): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>(
    others.map(({ file, problem }) => [file, { tables: [], variables: [], problem }]),
  );
  for (const [file, ofFile] of Map.groupBy(tables, (table) => table.file)) {
    // The first table is `df`, which is reserved; its other name is taken.
    const variables = ofFile.flatMap(({ variable, alias }) => alias ?? variable ?? []);
    outcomes.set(file, { tables: ofFile, variables });
  }
  return outcomes;
}
