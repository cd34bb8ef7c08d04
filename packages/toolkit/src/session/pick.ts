/** Of an object only these, and of these only what is given. */
export function pick<Source extends object, Name extends keyof Source>(
  source: Source,
  names: readonly Name[],
): Pick<Source, Name> {
  const given = names.filter((name) => source[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, source[name]])) as Pick<Source, Name>;
}
