import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

/** Readable on either ground; what the editor brings along is meant for white. */
export const editorColours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
    { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "light-dark(#8a2be2, #c99bff)" },
    { tag: [tags.string, tags.special(tags.string)], color: "light-dark(#2f6f3a, #8fd39b)" },
    { tag: [tags.number, tags.bool, tags.null], color: "light-dark(#a2521b, #f0ac77)" },
    {
      tag: [tags.function(tags.variableName), tags.definition(tags.variableName)],
      color: "light-dark(#1d5fae, #7cb7ff)",
    },
    { tag: [tags.propertyName, tags.className, tags.tagName], color: "var(--accent)" },
    { tag: tags.heading, fontWeight: "650" },
    { tag: tags.emphasis, fontStyle: "italic" },
    { tag: tags.strong, fontWeight: "650" },
    { tag: tags.link, textDecoration: "underline" },
    { tag: tags.invalid, color: "var(--bad)" },
  ]),
);
