/** Takes keys out of a text that a provider wrote, and shortens it. */
export function scrub(text: string, apiKey?: string): string {
  const withoutKey = apiKey ? text.replaceAll(apiKey, "[key]") : text;
  const clean = withoutKey
    .replaceAll(/\b(?:sk|pk|rk|gsk|xai)-[\w*.-]{6,}/g, "[key]")
    .replaceAll(/\bAIza[\w-]{10,}/g, "[key]")
    .replaceAll(/\b(Bearer|key=)\s*[\w.*-]{6,}/gi, "$1 [key]")
    .replaceAll(/\s+/g, " ")
    .trim();
  return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean;
}
