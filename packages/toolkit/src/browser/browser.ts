/** Pages in a Chromium that runs in a sandbox of its own. */
export interface Browser {
  readonly id: string;
}
