/** Tests of small bodies: their sizes, and engines whose decoder is missing or differs. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseSmallBody } from "../../../parser/bodies/small_body.ts";
import { utf8 } from "../../support/bytes.ts";
import { constantOf, loadFreshWith } from "../../support/modules.ts";

type SmallBody = typeof import("../../../parser/bodies/small_body.ts");

const PATH = "parser/bodies/small_body.ts";
const BODY = utf8('{"text": "long enough"}');

describe("parseSmallBody()", () => {
  it("parses bodies between two sizes", () => {
    const [least, most] = ["MIN_SMALL", "MAX_SMALL"].map((name) => constantOf(PATH, name));
    for (const size of [least - 1, least, most, most + 1]) {
      const bytes = utf8(`"${"a".repeat(size - 2)}"`);
      const isSmall = size >= least && size <= most;
      assertEquals(parseSmallBody(bytes, size), isSmall ? { ok: true, value: "a".repeat(size - 2) } : null);
    }
  });

  it("leaves everything else to the parser", () => {
    const texts = [
      '{"text": "an \\u0065scape"}',
      '{"text": "\ufffd a character"}',
      '{"text": "cut',
      "\ufeff[1, 2, 3, 4, 5]",
    ];
    for (const bytes of [...texts.map((text) => utf8(text)), utf8('{"text": "not UTF-8', 0xff, '"}')]) {
      assertEquals(parseSmallBody(bytes, bytes.length), null);
    }
  });

  const DECODERS = {
    "without a decoder": undefined,
    "whose decoder drops byte-order marks": class extends TextDecoder {
      override decode(bytes: Uint8Array): string {
        return super.decode(bytes).replace("\ufeff", "");
      }
    },
    "whose decoder drops what is not UTF-8": class extends TextDecoder {
      override decode(bytes: Uint8Array): string {
        return super.decode(bytes).replace("\ufffd", "");
      }
    },
  };
  for (const [name, TextDecoder] of Object.entries(DECODERS)) {
    it(`leaves everything to the parser in engines ${name}`, async () => {
      const { parseSmallBody } = await loadFreshWith<SmallBody>(PATH, { TextDecoder });
      assertEquals(parseSmallBody(BODY, BODY.length), null);
    });
  }

  it("is not changed by a program that replaces the functions it uses", async () => {
    const { parseSmallBody } = await loadFreshWith<SmallBody>(PATH, {});
    const { parse } = JSON;
    const { decode } = TextDecoder.prototype;
    JSON.parse = TextDecoder.prototype.decode = () => "replaced";
    try {
      assertEquals(parseSmallBody(BODY, BODY.length), { ok: true, value: { text: "long enough" } });
    } finally {
      JSON.parse = parse;
      TextDecoder.prototype.decode = decode;
    }
  });
});
