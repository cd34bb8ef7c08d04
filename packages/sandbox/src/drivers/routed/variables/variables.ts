import type { CodeAnalysis } from "../../../routing/analysis.ts";
import type { Place } from "../../../routing/decision.ts";

/** Which variables of one context live where. A name lives in one kernel at a time. */
export class Variables {
  readonly places = new Map<string, Place>();
  /** Deleted in the light kernel: the heavy one may have an old value. */
  readonly gone = new Set<string>();
  /** Kernels whose variables nobody has listed. */
  readonly unlisted = new Set<Place>();
  /** Where the latest run was, and with it its value `_`. */
  last: Place = "light";
  /** The light kernel's variables are as they were when they were last saved. */
  isSaved = false;

  in(place: Place): string[] {
    return [...this.places].flatMap(([name, where]) => (where === place ? [name] : []));
  }

  /** After code has run there to its end. */
  note(place: Place, { reads, binds, deletes, bindsUnknown, readsUnknown }: CodeAnalysis): void {
    const touches = [...reads, ...binds].some((name) => this.places.get(name) === "light");
    if (place === "light" && (touches || binds.size > 0 || bindsUnknown || readsUnknown))
      this.isSaved = false;
    for (const name of binds) this.places.set(name, place);
    for (const name of deletes) {
      this.places.delete(name);
      if (place === "light") this.gone.add(name);
    }
    for (const name of binds.difference(deletes)) this.gone.delete(name);
    this.last = place;
  }

  /** What there is in a kernel, as it says itself. */
  list(place: Place, names: readonly string[]): void {
    for (const name of this.in(place)) this.places.delete(name);
    for (const name of names) {
      this.places.set(name, place);
      this.gone.delete(name);
    }
    this.unlisted.delete(place);
    if (place === "light") this.isSaved = false;
  }

  moved(names: readonly string[], to: Place): void {
    for (const name of names) this.places.set(name, to);
  }

  /** A kernel is new. */
  clear(place: Place): void {
    for (const name of this.in(place)) this.places.delete(name);
    this.unlisted.delete(place);
    if (place === "light") this.isSaved = false;
  }
}
