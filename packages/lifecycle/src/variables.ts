/** How a report calls a variable: those of a context other than `default` are `context/variable`. */
export function nameIn(context: string, variable: string): string {
  return context === "default" ? variable : `${context}/${variable}`;
}
