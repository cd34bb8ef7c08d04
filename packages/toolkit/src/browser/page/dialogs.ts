import type { Dialog } from "playwright-core";
import { clip } from "./bounds.ts";
import type { Notes } from "./notes.ts";

export interface DialogAnswer {
  readonly accept: boolean;
  /** For a prompt. */
  readonly text?: string;
}

/** A page stands still until its dialog is answered: each is, at once, by what was said ahead or with no. */
export class Dialogs {
  readonly #notes: Notes;
  #next: DialogAnswer | undefined;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /** For the next dialog that opens. */
  prepare(answer: DialogAnswer): void {
    this.#next = answer;
  }

  async answer(dialog: Dialog): Promise<void> {
    // Leaving the page was intended.
    if (dialog.type() === "beforeunload") return ignoreClosed(dialog.accept());
    const { accept, text } = this.#next ?? { accept: dialog.type() === "alert" };
    const wasAsked = this.#next !== undefined;
    this.#next = undefined;
    const said = clip(dialog.message(), 500);
    const hint =
      accept || wasAsked
        ? ""
        : ' To accept it, call browser_action with action "dialog" and accept true, then do it again.';
    this.#notes.add(
      `A dialog (${dialog.type()}) said ${JSON.stringify(said)}: ${accept ? "accepted" : "dismissed"}.${hint}`,
    );
    return ignoreClosed(accept ? dialog.accept(text) : dialog.dismiss());
  }
}

/** The page may be gone by now, and its dialog with it. */
function ignoreClosed(work: Promise<void>): Promise<void> {
  return work.catch(() => {});
}
