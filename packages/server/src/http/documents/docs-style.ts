export const docsStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: #1769aa; }
@media (prefers-color-scheme: dark) { :root { --link: #6db3f2; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 20rem minmax(0, 1fr); }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.2rem; border-right: 1px solid var(--line); font-size: 0.85rem; }
nav h1 { margin: 0 0 0.8rem; font-size: 1.2rem; }
nav ul { list-style: none; margin: 0 0 0.8rem; padding: 0; }
nav li li { padding: 0.1rem 0; overflow-wrap: anywhere; }
nav b { display: inline-block; min-width: 3.6em; font-size: 0.75em; opacity: 0.75; }
main { padding: 1.5rem clamp(1rem, 4vw, 3rem); max-width: 70rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: 0.3rem; }
article { margin: 1.5rem 0; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 10px; scroll-margin-top: 1rem; }
article:target { border-color: var(--link); }
h3 { margin: 0 0 0.5rem; font-size: 1.05rem; overflow-wrap: anywhere; }
h3 b { font-size: 0.75rem; padding: 0.15rem 0.5rem; border-radius: 6px; background: #1769aa; color: #fff; }
h3 b.post, h3 b.put, h3 b.patch { background: #2b7a3d; }
h3 b.delete { background: #a83232; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; }
code { background: var(--soft); padding: 0.1em 0.3em; border-radius: 4px; }
pre { background: var(--soft); padding: 0.8rem; border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { background: none; padding: 0; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; margin: 0.6rem 0; }
td { padding: 0.3rem 0.6rem 0.3rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td:last-child { overflow-wrap: anywhere; width: 100%; }
td:not(:last-child) { white-space: nowrap; }
summary { cursor: pointer; color: var(--link); font-size: 0.9rem; }
@media (max-width: 60rem) { body { display: block; } nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); } }
`;
