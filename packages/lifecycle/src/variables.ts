/** Stands for a kernel's variables where nobody knows their names. */
export const allVariables = "(all variables)";

/** How a report calls a variable: those of a context other than `default` are `context/variable`. */
export function nameIn(context: string, variable: string): string {
  return context === "default" ? variable : `${context}/${variable}`;
}
