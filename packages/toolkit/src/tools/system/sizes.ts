export function toMiB(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024).toLocaleString("en-US")} MiB`;
}
