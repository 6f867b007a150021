/** Blanks in place of comments and trailing commas. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { blankComments } from "../../blank_comments.ts";
import { DiagnosticValidator } from "../../cli/diagnostics/diagnostic_validator.ts";
import { detach } from "../../detach.ts";
import { Slice } from "../../slice.ts";
import { validateBinary } from "../../validate_binary.ts";
import { fromHex, utf8 } from "../support/bytes.ts";
import { ROUNDS, withSeeds } from "../support/random.ts";

function blanked(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(blankComments(utf8(text)));
}

describe("blankComments()", () => {
  const rows: [text: string, blank: string][] = [
    ["", ""],
    ['{"a": [1, 2]}', '{"a": [1, 2]}'],
    ["// one\n[1, 2] // two", "      \n[1, 2]       "],
    ["[1,// one\r\n2,/* a\r\n */\r]", "[1,      \r\n2     \r\n   \r]"],
    ["[1,\n]", "[1 \n]"],
    ['{"a": [true,], "b": {"c": null,},}', '{"a": [true ], "b": {"c": null } }'],
    ['["// no comment", "/* none */", ",]"]', '["// no comment", "/* none */", ",]"]'],
    ["[1, /* a, */ // b,\n ]", "[1                \n ]"],
    ["\ufeff/**/1", "\ufeff    1"],
    ["/* é */1", "        1"],
    // Nothing behind a failure is changed, and nothing of a comment without end.
    ["[/**/,/**/]", "[    ,/**/]"],
    ["[1/**/,/**/,/**/]", "[1    ,    ,/**/]"],
    ["[1] /* one", "[1] /* one"],
    ["/* one", "/* one"],
    ["[1] /", "[1] /"],
    ["[1/**/] # one", "[1    ] # one"],
    ["tr/**/ue", "tr/**/ue"],
  ];
  for (const [text, blank] of rows) it(JSON.stringify(text), () => assertEquals(blanked(text), blank));

  it("keeps malformed UTF-8 in comments", () => {
    for (const hex of ["2f2fff0a31", "2f2ac0802a2f31", "2f2fe282", "2f2ac32a2f31"]) {
      assertEquals(blankComments(fromHex(hex)).toHex(), hex);
    }
  });

  it("takes what the parser takes, and copies", () => {
    const bytes = utf8("[1,]");
    const slice = new Slice(bytes, 0, 4);
    for (const input of [bytes, bytes.buffer, slice]) {
      assertEquals(new TextDecoder().decode(blankComments(input)), "[1 ]");
    }
    assertEquals(new TextDecoder().decode(bytes), "[1,]");
    detach(bytes);
    assertEquals(blankComments(bytes), new Uint8Array(0));
    assertThrows(() => blankComments("[1,]" as unknown as Uint8Array), TypeError);
  });

  it("leaves what the validator of JSON with comments finds, at its place, and no comment else", () => {
    const pieces = ["[", "]", "{", "}", ",", ":", '"a"', '"//"', "1", "-0.5e3", "true", "\n", "\r\n", " ", "x", "/"];
    const comments = [
      "// one\n",
      "/* two */",
      "/**/",
      "/* a,\nb\r\nc\rd */",
      "//\r",
      "/***/",
      "/* *é */",
      "// end",
      "/* open",
    ];
    let valid = 0;
    withSeeds(20_000, (random) => {
      let text = "";
      const depth = random.integer(0, 4);
      for (let i = 0; i < depth; i++) text += random.pick(["[", '{"a":', "[1,", "[/**/"]);
      for (let i = random.integer(0, 6); i >= 0; i--) {
        text += random.pick(random.integer(0, 2) === 0 ? comments : pieces);
      }
      if (random.integer(0, 2) === 0) {
        text = "";
        for (let i = 0; i < 3; i++) {
          text += random.pick(["[1,]", "[", "[2,//\n]", '{"a":[],}', "", "1", "]", ","]) + random.pick(comments);
        }
      }
      const bytes = utf8(text);
      const validator = new DiagnosticValidator({
        reading: "comments",
        maxDiagnostics: 1,
        failFast: true,
      });
      validator.push(bytes);
      validator.end();
      const [expected] = validator.take();
      const blank = blankComments(bytes);
      const result = validateBinary(blank);
      if (result.ok) {
        assert(expected === undefined, text);
        valid++;
        assertEquals(blank.length, bytes.length);
        for (const [i, byte] of blank.entries()) assert(byte === bytes[i] || byte === 0x20, text);
      } else if (bytes[result.offset] === 0x2f && expected !== undefined) {
        assert(result.offset <= expected.offset, text); // a malformed comment, whose slash fails
      } else assertEquals([result.offset, result.line], [expected?.offset, expected?.line], JSON.stringify(text));
    });
    assert(valid > 500 * ROUNDS, String(valid));
  });
});
