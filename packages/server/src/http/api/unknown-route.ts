import type { Endpoint } from "./endpoint.ts";

/** The methods that a path does take; none when there is no such route. */
export function findMethods(endpoints: readonly Endpoint[], path: string): string[] {
  const parts = path.split("/");
  const found = endpoints.filter((endpoint) => isMatch(endpoint.path.split("/"), parts));
  // `/files/list` is not the file with the id "list".
  const fewest = Math.min(...found.map(countParameters));
  const methods = found
    .filter((endpoint) => countParameters(endpoint) === fewest)
    .flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
  return methods.length === 0 ? [] : [...new Set(methods), "OPTIONS"];
}

function countParameters({ path }: Endpoint): number {
  return path.split("{").length - 1;
}

function isMatch(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, index) => (part.startsWith("{") ? parts[index] !== "" : part === parts[index]))
  );
}
