/**
 * Failures of the grammar: code, offset, line and column by the table, and the message by the
 * reference parser.
 */

import { Buffer } from "node:buffer";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type FailureCode, parseBinary, type ParseFailure } from "../../parse_binary.ts";
import { BinaryValidator } from "../../validate_binary.ts";
import { assertFailure, assertResult } from "../support/assertions.ts";
import { between, concat, FORMS, show, utf8 } from "../support/bytes.ts";
import { referenceParse } from "../support/reference.ts";

/** Place of a failure in a text of the table. */
const MARK = "§";

/**
 * Texts with each failure, and a mark where it is. A low surrogate from U+DC80 on stands for a byte
 * from 80 on that is no UTF-8.
 */
const FAILURES: Partial<Record<FailureCode, string[]>> = {
  "unexpected-end": [
    ...["§", " §", "\n§", "[§", "[ §", "[1,§", "[1,\n§", "[[§", '{"a":§', '{"a": §', '{"a":[§', "t§", "tru§"],
    ...["fals§", "nul§", "[n§", '{"a":fa§', '"\\§', '{"ab\\§', "[1,\r\n§", "[1,\r§", "[\n\n\n§"],
  ],
  "unexpected-token": [
    ...["§x", " §x", "§]", "§}", "§,", "§:", "§+1", "§.5", "§'a'", "§/**/1", "§NaN", "§Infinity", "§undefined"],
    ...["[§object Object]", "§True", "§\\u0031", "[§,", "[1,§]", "[1,§,2]", "[§}", "[§:", "[§a", '{"a":§}'],
    ...['{"a":§,', '{"a":§:', '{"a":§a', "§~", "§\0", "§\v1", "§\f1", "[§\x1f", "§\x7f", "§\u00a01", "[§é"],
    ...["§\u20281", "[1,§😀", "§\udc80", "§\udcff", "§\udcff\udcfe1\0", "§\x001", "tru§x", "tr§Ue", "nul§L"],
    ...["fals§y", "[tru§]", "[nul§,1]", '{"a":fals§}', "tru§ e", "tru§\ne", "tru§\r\n", "tru§\0", "nu§é", "§１"],
    ...["\n§x", "\n\n§x", "\r§x", "\r\r§x", "\r\n§x", "\r\n\r\n§x", "\n\r§x", "\n\r\n§x", "\r\r\n§x", "\n  §x"],
    ...["\t\t§x", '["é", §x]', '["中文", §x]', '["😀", §x]', '["\\ud83d\\ude00", §x]'],
    '["\u2028\u2029\u0085", §x]',
  ],
  "unexpected-string": ['tr§"', 'f§"a"'],
  "unexpected-number": ["tr§1", "nu§-", "nul§0", "0§0", "0§1", "-0§1", "-0§0.5", "[0§1]"],
  "missing-digits": ["-§", "-§x", "-§ 1", "-§-1", "-§.5", "-§Infinity", "[-§]", '{"a":-§,'],
  "unterminated-fraction": ["1.§", "1.§x", "1.§e5", "[-0.§]", "12345678901234567890.§"],
  "missing-exponent": ["1e§", "1E§", "1e+§", "1e-§x", "1e+§-1", "1e§.5", "0.5e§", "[0e§]"],
  "unterminated-string": ['"§', '"abc§', "\"abc'§", '"abc\\"§', '["a§', '{"a§', '{"a":"b§', '"é中😀§', '"\\ud800§'],
  "bad-control-character": [
    ...['"§\n"', '"a§\nb"', '"a§\r\nb"', '"§\t"', '"a§\0"', '"abcdefgh§\x1f"', '{"a§\tb":1}', '"é§\x01"'],
    ...['"\\n§\x01"', '"§\n\udcff"', '"e\u0301\u200b§\t"'],
  ],
  "bad-escape": [
    ...['"\\§x41"', '"\\§\'"', '"\\§0"', '"\\§U0041"', '"\\§ n"', '"\\§\n"', '"\\§\0"', '"\\§é"', '"\\§\u2028"'],
    ...['"\\§\udcff"', '{"\\§a":1}', '"\\ud83d\\§x"', '"\\§x\udcff"'],
  ],
  "bad-unicode-escape": [
    ...['"\\u§', '"\\u§"', '"\\u1§', '"\\u12§', '"\\u123§', '"\\u123§"', '"\\u§g000"', '"\\u0§g00"', '"\\u00§g0"'],
    ...['"\\u000§g"', '"\\u§-123"', '"\\u§+123"', '"\\u§ 123"', '"\\u§{41}"', '"\\u00§:0"', '"\\u00§@0"'],
    ...['"\\u00§`0"', '"\\u00§/0"', '"\\u00§\n0"', '"\\u00§é"', '"\\u00§\udcff0"', '"\\ud83d\\u§"'],
    ...['"\\ud83d\\ude0§"', '{"\\u00§":1}'],
  ],
  "invalid-utf8": [
    ...['"§\udc80"', '"a§\udcbf"', '"§\udcff"', '"§\udcfe"', '"§\udcc0\udc80"', '"§\udcc1\udcbf"', '"§\udcc3"'],
    ...['"§\udcc3\udcc3"', '"§\udce0\udc9f\udcbf"', '"§\udce4\udcb8"', '"§\udce4"', '"§\udced\udca0\udc80"'],
    ...['"§\udced\udca0\udcbd\udced\udcb8\udc80"', '"§\udcf0\udc8f\udcbf\udcbf"', '"§\udcf0\udc9f\udc98"'],
    ...['"§\udcf4\udc90\udc80\udc80"', '"§\udcf5\udc80\udc80\udc80"', '"é中😀§\udc80"'],
    ...['"é中😀§\udcf0\udc9f\udc98x"', '{"§\udcff":1}', '{"é§\udcc3":1}', '{"a":"§\udcff"}', '"\\n§\udcff"'],
    ...['"\\ud83d§\udced\udcb8\udc80"', '"§\udcff\n', '"§\udcff\\x"', '"§\udcff', '["§\udcff"', '"§\udcc3\n'],
    ...['"§\udcc3', '"§\udce4\udcb8', '"§\udcf0\udc9f\udc98'],
  ],
  "expected-property-name-or-brace": [
    ...["{§", "{ §", "{\n§", "{§,", "{§]", "{§1:2}", "{§a:1}", "{§'a':1}", "{§null:1}", "{§{}}", "{§é"],
    '[{"a":{§',
  ],
  "expected-property-name": [
    ...['{"a":1,§', '{"a":1, §', '{"a":1,§}', '{"a":1,§,', '{"a":1,§2', '{"a":1,§b', "{\"a\":1,§'b'", '{"a":1,§]'],
    ...['{"a":1,§é', '{\n  "a": 1,\n§}'],
  ],
  "expected-colon": [
    ...['{"a"§', '{"a" §', '{"a"§}', '{"a"§,', '{"a" §1', '{"a"§"b"', '{"a"§="b"}', '{"a"§é', '{"a":1,"b"§'],
  ],
  "expected-comma-or-brace": [
    ...['{"a":null§s}', '{"a":1§', '{"a":1 §', '{"a":1§]', '{"a":1 §2', '{"a":1§:2', '{"a":"b" §"c"'],
    ...['{"a":1§"b":2', '{"a":[]§', '{"a":{}§', '{"a":{"b":1}§', '{"a":true§é'],
  ],
  "expected-comma-or-bracket": [
    ...["[null§l]", "[true§false]", "[1.5§.2]", "[1 §000]", "[1§", "[1 §", "[1§}", "[1 §2", "[1§:2", "[1§;2"],
    ...['["a"§', '["a" §"b"', '[1§"a"', "[[]§", "[{}§", "[[1,2],[3,4]§", "[null§", "[1§é", "[1§\v", "[1.5§\0"],
    ...["[\n  1,\n  2\n  §3\n]", "[\r\n  1,\r\n  2\r\n  §3\r\n]", "[\r  1,\r  2\r  §3\r]"],
    '[\n"é中😀",\n"é中😀" §x]',
  ],
  "trailing-content": [
    ...["1§\0", "null§l", "true§1", "1§a", "0§x10", "1§_000", "1§n", "1§-1", "1.5§.2", "1e5§.2", "1e5§e5", "1 §2"],
    ...["{}§{}", "{} §{}", "[]§]", "{}§}", "[]§,", '""§x', '"a" §"b"', "1\n§2", "null§\0", "1§é", "1 §// one"],
    ...["1§\u00a0", "1§\udcff"],
  ],
};

/** Returns the bytes of a part of a text of the table. */
function bytesOf(text: string): Uint8Array {
  const parts = text.split(/([\udc80-\udcff])/).map((part, i) => i % 2 === 0 ? part : part.charCodeAt(0) & 0xff);
  return utf8(...parts);
}

for (const [code, texts] of Object.entries(FAILURES) as [FailureCode, string[]][]) {
  describe(code, () => {
    for (const [i, text] of texts.entries()) {
      const [before, after] = text.split(MARK);
      const bytes = bytesOf(before + after);
      const offset = bytesOf(before).length;
      const lines = before.split(/\r\n|\r|\n/);
      const truncated = new BinaryValidator().push(bytes); // unless the bytes are already wrong
      const { message } = referenceParse(bytes) as ParseFailure;
      const place = { line: lines.length, column: lines.at(-1)!.length + 1 };
      const expected = { ok: false as const, code, message, offset, ...place, truncated };

      it(show(bytes) || "nothing", () => {
        assertEquals(parseBinary(bytes), expected);
        assertEquals(referenceParse(bytes), expected, "the reference parser of these tests is wrong");
        for (const [form, make] of FORMS) assertResult(make(bytes), expected, form);
        const moved = message.replace(/position \d+/, `position ${offset + 3}`);
        assertEquals(parseBinary(utf8("\ufeff", ...bytes)), { ...expected, offset: offset + 3, message: moved });
        // Long inputs may be read otherwise than short ones, and words at once far from the end.
        for (const more of [" ".repeat(64), `1${" ".repeat(64)}`, `,"${"x".repeat(64)}"]`]) {
          const longer = concat([bytes, utf8(more)]);
          assertResult(longer, referenceParse(longer));
        }
        const longer = concat([utf8("\n".repeat(2_000)), bytes]);
        const [form, make] = FORMS[i % FORMS.length];
        assertResult(make(longer), referenceParse(longer), form);
      });
    }
  });
}

describe("every failure of a string", () => {
  // At each place of strings of each length, words and windows of any size are crossed.
  const CORRUPTED: { corrupted: Uint8Array; at: number; code: FailureCode }[] = [
    ...["\n", "\x00", "\x1f"].map((text) => ({ corrupted: utf8(text), at: 0, code: "bad-control-character" as const })),
    ...[[0x80], [0xff], [0xc3], [0xf0, 0x9f, 0x98]].map((bytes) => {
      return { corrupted: utf8(...bytes), at: 0, code: "invalid-utf8" as const };
    }),
    { corrupted: utf8("中", 0x80), at: 3, code: "invalid-utf8" },
    { corrupted: utf8("\\x"), at: 1, code: "bad-escape" },
    { corrupted: utf8("\\u12G4"), at: 4, code: "bad-unicode-escape" },
    { corrupted: utf8("\\n\x01"), at: 2, code: "bad-control-character" },
  ];
  for (const { corrupted, at, code } of CORRUPTED) {
    it(`${code}: ${show(corrupted)}`, () => {
      for (let length = 0; length <= 70; length++) {
        for (let place = 0; place <= length; place++) {
          const inside = concat([utf8("a".repeat(place)), corrupted, utf8("b".repeat(length - place))]);
          assertFailure(between('"', concat([utf8('["'), inside, utf8('"]')])), code, 2 + place + at);
        }
      }
    });
  }
});

it("a detached buffer is told apart from an empty one, in any kind of view", () => {
  const place = { offset: 0, line: 1, column: 1, truncated: false };
  const detached = { ok: false, code: "detached-buffer", message: "Cannot parse a detached buffer", ...place };
  class Bytes extends Uint8Array {}
  const empty = new ArrayBuffer(0);
  const views = [Buffer.from(new ArrayBuffer(3)), new Bytes(3), new Uint8Array(new ArrayBuffer(9), 3, 4)];
  const inputs = FORMS.filter(([form]) => form !== "Buffer").map(([, make]) => make(utf8("[1]"))); // its pool cannot be detached
  for (const input of [...inputs, ...views, empty, new Uint8Array(empty)]) {
    const buffer = ArrayBuffer.isView(input) ? input.buffer : input;
    if (!(buffer instanceof ArrayBuffer)) continue;
    if (!buffer.detached) structuredClone(buffer, { transfer: [buffer] });
    for (const options of [undefined, { maxDepth: 1 }]) assertEquals<unknown>(parseBinary(input, options), detached);
  }
  for (const empty of [new ArrayBuffer(0), new Uint8Array(0), new SharedArrayBuffer(0), utf8("1").subarray(1)]) {
    assertFailure(empty, "unexpected-end", 0);
  }
});
