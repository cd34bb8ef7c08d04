/** Styles that each break the page in one way, and the expected report. */
export const breakage = [
  {
    name: "a part wider than the window",
    scene: "welcome",
    css: ".starters { width: 130vw }",
    complaint: /welcome.* scrolls sideways/,
  },
  {
    name: "a button that reaches out of its box",
    scene: "welcome",
    css: ".composer .send { margin-right: -60px }",
    complaint: /sticks out of .*composer/,
  },
  {
    name: "a title without a sign that it goes on",
    scene: "welcome",
    css: ".topbar h1 { width: 30px; flex: none; text-overflow: clip }",
    complaint: /h1.* cuts its words off/,
  },
  {
    name: "starters that are cut in height",
    scene: "welcome",
    css: ".starter { height: 24px; padding: 8px; overflow: hidden }",
    complaint: /starter.* cuts its words off/,
  },
  {
    name: "starters that lie over each other",
    scene: "welcome",
    css: ".starters li + li { margin-top: -30px }",
    complaint: /lie over each other/,
  },
  {
    name: "controls too small to hit",
    scene: "welcome",
    css: ".icon-button { width: 14px; height: 14px }",
    complaint: /too small to hit/,
  },
  {
    name: "a composer that covers the starters",
    scene: "welcome",
    css: ".composer { position: absolute; inset: 60px 0 0 40%; background: red }",
    complaint: /starter.* is covered by .*composer/,
  },
  {
    name: "a traceback that runs on past its card",
    scene: "error",
    css: ".error-card pre { overflow: visible; max-height: 100px }",
    complaint: /pre.* spills its words/,
  },
] as const;

/** The same for parts that have moved. */
export const moves = [
  {
    name: "a list on the other side",
    css: ".app > .sidebar { grid-column: 3 }",
    complaint: /the list was at/,
  },
  { name: "no list", css: ".app > .sidebar { display: none }", complaint: /the list is gone/ },
  { name: "a bar below", css: ".topbar { order: 3 }", complaint: /the bar was at/ },
] as const;
