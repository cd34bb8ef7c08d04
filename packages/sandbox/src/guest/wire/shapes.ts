/** Says what is wrong with a value, or nothing. `place` is the name of the value in what it says. */
export type Shape = (value: unknown, place: string) => string | undefined;

const maxRows = 1_000_000;

/** Checks of what a guest sent: made of these, each is one line in a table. */
export function text(maxChars: number): Shape {
  return (value, place) =>
    typeof value === "string" && value.length <= maxChars
      ? undefined
      : `${place} is no text of at most ${maxChars} characters`;
}

export function oneOf(...known: readonly string[]): Shape {
  return (value, place) =>
    known.includes(value as string) ? undefined : `${place} is none of ${known.join(", ")}`;
}

export function whole(least: number, most: number): Shape {
  return (value, place) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : `${place} is no whole number from ${least} to ${most}`;
}

/** A number of bytes, rows or the like. */
export const amount: Shape = whole(0, Number.MAX_SAFE_INTEGER);

/** Of milliseconds and the like, which need not be whole. */
export const quantity: Shape = (value, place) =>
  Number.isFinite(value) && (value as number) >= 0 ? undefined : `${place} is no quantity`;

export const flag: Shape = (value, place) =>
  typeof value === "boolean" ? undefined : `${place} is neither true nor false`;

export const nothing: Shape = (value, place) =>
  value === null || value === undefined ? undefined : `${place} should be nothing`;

export function either(...shapes: readonly Shape[]): Shape {
  return (value, place) => {
    const problems = shapes.map((shape) => shape(value, place));
    return problems.includes(undefined) ? undefined : problems[0];
  };
}

export function optional(shape: Shape): Shape {
  return (value, place) => (value === undefined ? undefined : shape(value, place));
}

export function list(shape: Shape, most: number = maxRows): Shape {
  return (value, place) => {
    if (!Array.isArray(value) || value.length > most) return `${place} is no list of at most ${most}`;
    for (const item of value) {
      const problem = shape(item, `${place}[]`);
      if (problem) return problem;
    }
    return undefined;
  };
}

/** A list in which each place has a meaning of its own. */
export function row(...shapes: readonly Shape[]): Shape {
  return (value, place) => {
    if (!Array.isArray(value) || value.length !== shapes.length)
      return `${place} has not ${shapes.length} fields`;
    for (const [at, shape] of shapes.entries()) {
      const problem = shape(value[at], `${place}[${at}]`);
      if (problem) return problem;
    }
    return undefined;
  };
}

/** Fields beside these may be there. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(shapes);
  return (value, place) => {
    if (!isObject(value)) return `${place} is no object`;
    for (const [name, shape] of entries) {
      const problem = shape(value[name], `${place}.${name}`);
      if (problem) return problem;
    }
    return undefined;
  };
}

/** An object of any keys. */
export function record(shape: Shape, most: number = maxRows): Shape {
  return (value, place) => {
    if (!isObject(value)) return `${place} is no object`;
    const items = Object.values(value);
    if (items.length > most) return `${place} has more than ${most} fields`;
    for (const item of items) {
      const problem = shape(item, `${place}.*`);
      if (problem) return problem;
    }
    return undefined;
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
