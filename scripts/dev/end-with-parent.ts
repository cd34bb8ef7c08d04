// `node --import` this in a child with a channel to its parent: it ends when the parent is gone, however that ended.
process.once("disconnect", () => process.exit());
