// Given to a server with --import: SIGUSR2 sets its clock on the wall 40 days ahead, and the next one 80 days back.
const System = Date;
const DAY_MS = 86_400_000;
let aheadMs = 0;

const now = () => System.now() + aheadMs;

globalThis.Date = new Proxy(System, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given) as Date,
  get: (target, name) => (name === "now" ? now : (Reflect.get(target, name) as unknown)),
});

process.on("SIGUSR2", () => {
  aheadMs = aheadMs > 0 ? -40 * DAY_MS : 40 * DAY_MS;
});
