import type { PlaceReason, PlaceReasonCode } from "@atoll/protocol";

/** In words for a user that follow "the code" or stand alone: `imports pandas`. */
export function sayReason({ code, of = "", via = [], before }: PlaceReason): string {
  const through = via.map((module) => `imports ${module}, which `).join("");
  return `${through}${phrases[code](of)}${before ? " before" : ""}`;
}

const phrases: Readonly<Record<PlaceReasonCode, (of: string) => string>> = {
  plain: () => "is plain Python",
  light_variable: (name) => `uses ${name}, which lives in Pyodide`,
  asked: () => "was asked for",
  own_context: () => "runs in a context of its own",
  too_long: () => "is too long to be looked at",
  shell: () => "runs a shell command",
  magic: (name) => `uses the notebook's ${name}`,
  notebook: () => "uses the notebook's shell",
  module: (name) => `imports ${name}`,
  unknown_module: () => "imports a module whose name is only known when it runs",
  processes: (name) => `starts processes or threads (${name})`,
  network: (name) => `uses the network (${name})`,
  file: (name) => `opens ${name}`,
  loop: (count) => `loops ${count} times`,
  elements: (count) => `makes ${count} elements at once`,
  sleep: (seconds) => `sleeps ${seconds} s`,
  heavy_variables: (names) => `uses ${names}, which ${names.includes(", ") ? "live" : "lives"} in CPython`,
  any_variable: () => "may use any variable, and some live in CPython",
  maybe_variable: (name) => `uses ${name}, which may live in CPython`,
  light_timeout: () => "Pyodide ran out of time",
  light_memory: () => "Pyodide ran out of memory",
  light_module: (name) => `Pyodide has no module ${name}`,
  light_room: (name) => `Pyodide has no room for ${name}`,
  light_cannot: (error) => `Pyodide cannot do it${error && ` (${error})`}`,
  light_ended: () => "Pyodide ended",
};
