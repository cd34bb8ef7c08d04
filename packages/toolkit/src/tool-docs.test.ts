import { describe, expect, it } from "vitest";
import { allTools } from "./all-tools.ts";
import { renderPages } from "./tool-docs.ts";

describe("what the docs say about tools", () => {
  it.each(renderPages())(
    "$path is up to date; if not, run node packages/toolkit/src/tool-docs.ts",
    ({ written, rendered }) => {
      expect(written).toBe(rendered);
    },
  );

  it("README.md has their number and docs/toolkit.md a row for each", () => {
    const [readme, page] = renderPages().map(({ written }) => written);
    expect(readme).toContain(`${allTools.length} tools`);
    for (const { name } of allTools) expect(page).toContain(`\n| \`${name}\``);
  });
});
