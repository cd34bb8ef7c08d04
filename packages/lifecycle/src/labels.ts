/** Names the installation that a sandbox belongs to. Nothing without this label is ever removed. */
export const ownerLabel = "atoll.owner";
