import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hasPrograms } from "./pdf-programs.ts";

const catalog = "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj";
const script = "<< /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>";

const look = (...parts: (string | Uint8Array)[]) =>
  hasPrograms(new Uint8Array(Buffer.concat(["%PDF-1.7\n", ...parts].map((part) => Buffer.from(part)))));
const stream = (head: string, content: Uint8Array) => [
  `5 0 obj << ${head} /Length ${content.length} >> stream\n`,
  content,
  "\nendstream endobj\n",
];

describe("a PDF", () => {
  it("shows a PDF without programs, compressed or not", async () => {
    expect(await look(catalog)).toBe(false);
    expect(await look(catalog, ...stream("/Filter /FlateDecode", deflateSync("BT (text) Tj ET")))).toBe(
      false,
    );
    const objects = stream("/Type /ObjStm /Filter /FlateDecode", deflateSync("1 0 << /Type /Page >>"));
    expect(await look(catalog, ...objects)).toBe(false);
  });

  it("refuses a PDF with programs, however they are written", async () => {
    expect(await look(catalog, script)).toBe(true);
    expect(
      await look(catalog, script.replaceAll("JavaScript", "J#61vaScript").replaceAll("/JS", "/#4aS")),
    ).toBe(true);
    expect(await look(catalog, ...stream("/Type /ObjStm /Filter /FlateDecode", deflateSync(script)))).toBe(
      true,
    );
    expect(await look(catalog, ...stream("/Type /Obj#53tm /Filter /FlateDecode", deflateSync(script)))).toBe(
      true,
    );
  });

  it("refuses a PDF in which programs could be hidden", async () => {
    const damaged = deflateSync(script).subarray(0, -6);
    expect(await look(catalog, ...stream("/Type /ObjStm /Filter /FlateDecode", damaged))).toBe(true);
    const twice = "/Type /ObjStm /Filter [/ASCIIHexDecode /FlateDecode]";
    expect(await look(catalog, ...stream(twice, Buffer.from(deflateSync(script).toString("hex"))))).toBe(
      true,
    );
  });
});
