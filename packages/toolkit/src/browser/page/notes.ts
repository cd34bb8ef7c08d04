const MAX_NOTES = 30;

/** Events since the last report to the model: tabs, downloads, dialogs. Each is reported once. */
export class Notes {
  #notes: string[] = [];
  #leftOut = 0;

  add(note: string): void {
    if (this.#notes.length < MAX_NOTES) this.#notes.push(note);
    else this.#leftOut += 1;
  }

  take(): string[] {
    const notes = this.#leftOut > 0 ? [...this.#notes, `… and ${this.#leftOut} more.`] : this.#notes;
    [this.#notes, this.#leftOut] = [[], 0];
    return notes;
  }
}
