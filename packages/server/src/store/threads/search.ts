import type { Database } from "../database.ts";
import { cutSnippet } from "./snippet.ts";
import { cutSearchable, splitTerms, toPattern } from "./terms.ts";

/**
 * Finds threads by what was written in them or by their title. Every word of the query has to occur in the thread, as a
 * part of any word and in any script. Words of three characters and more use the index, shorter ones a scan.
 */
export class ThreadSearch {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(threadKey: number, text: string): void {
    const kept = cutSearchable(text);
    if (kept === undefined) return;
    this.#database.transact(() =>
      this.#database.statement("INSERT INTO texts (thread_key, text) VALUES (?, ?)").run(threadKey, kept),
    );
  }

  /** To be put after the other conditions of a query over `threads`. */
  condition(query: string): { sql: string; values: string[]; terms: readonly string[] } {
    const terms = splitTerms(query);
    const conditions = terms.map((term) => {
      const source = isIndexable(term)
        ? "texts WHERE texts.key IN (SELECT rowid FROM text_search WHERE text_search MATCH ?)"
        : "texts WHERE text LIKE ? ESCAPE '\\'";
      return `AND (key IN (SELECT thread_key FROM ${source}) OR title LIKE ? ESCAPE '\\')`;
    });
    const values = terms.flatMap((term) => [
      isIndexable(term) ? toPhrase(term) : toPattern(term),
      toPattern(term),
    ]);
    return { sql: conditions.join(" "), values, terms };
  }

  /** The surroundings of the first word, in the first text that has it. */
  findSnippet(threadKey: number, terms: readonly string[]): string | undefined {
    for (const term of terms) {
      const row = this.#database
        .statement(
          "SELECT text FROM texts WHERE thread_key = ? AND text LIKE ? ESCAPE '\\' ORDER BY key LIMIT 1",
        )
        .get(threadKey, toPattern(term));
      if (row !== undefined) return cutSnippet(String(row["text"]), term);
    }
    return undefined;
  }
}

/** The index is made of groups of three characters. */
function isIndexable(term: string): boolean {
  return [...term].length >= 3;
}

/** In quotes nothing of a user's text is syntax. */
function toPhrase(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
