/** Every failure: its code, its message to the letter, its offset, line and column. */

import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type FailureCode, parseBinary } from "../parse_binary.ts";
import { assertFailure, assertResult } from "./support/assertions.ts";
import { between, concat, FORMS, fromHex, show, utf8 } from "./support/bytes.ts";
import { referenceParse } from "./support/reference.ts";

/**
 * Input, text or bytes; offset, line, column; code; message, in which `@` is the usual ending with
 * the position.
 */
type Row = [
  input: string | Uint8Array,
  offset: number,
  line: number,
  column: number,
  code: FailureCode,
  message: string,
];

const END: [FailureCode, string] = ["unexpected-end", "Unexpected end of JSON input"];
const STRING: [FailureCode, string] = ["unexpected-string", "Unexpected string@"];
const NUMBER: [FailureCode, string] = ["unexpected-number", "Unexpected number@"];
const UNTERMINATED: [FailureCode, string] = ["unterminated-string", "Unterminated string@"];
const NAME_OR_BRACE: [FailureCode, string] = ["expected-property-name-or-brace", "Expected property name or '}'@"];
const NAME: [FailureCode, string] = ["expected-property-name", "Expected double-quoted property name@"];
const COLON: [FailureCode, string] = ["expected-colon", "Expected ':' after property name@"];
const BRACE: [FailureCode, string] = ["expected-comma-or-brace", "Expected ',' or '}' after property value@"];
const BRACKET: [FailureCode, string] = ["expected-comma-or-bracket", "Expected ',' or ']' after array element@"];
const FRACTION: [FailureCode, string] = ["unterminated-fraction", "Unterminated fractional number@"];
const EXPONENT: [FailureCode, string] = ["missing-exponent", "Exponent part is missing a number@"];
const DIGITS: [FailureCode, string] = ["missing-digits", "No number after minus sign@"];
const CONTROL: [FailureCode, string] = ["bad-control-character", "Bad control character in string literal@"];
const ESCAPE: [FailureCode, string] = ["bad-escape", "Bad escaped character@"];
const UNICODE: [FailureCode, string] = ["bad-unicode-escape", "Bad Unicode escape@"];
const TRAILING: [FailureCode, string] = [
  "trailing-content",
  "Unexpected non-whitespace character after JSON at position",
];
const UTF8: [FailureCode, string] = ["invalid-utf8", "Invalid UTF-8@"];

function token(character: string): [FailureCode, string] {
  return ["unexpected-token", `Unexpected token '${character}'@`];
}

function byte(digits: string): [FailureCode, string] {
  return ["unexpected-token", `Unexpected byte 0x${digits}@`];
}

const TABLES: Record<string, Row[]> = {
  "the input ends too early": [
    ["", 0, 1, 1, ...END],
    [" ", 1, 1, 2, ...END],
    ["\n", 1, 2, 1, ...END],
    ["[", 1, 1, 2, ...END],
    ["[ ", 2, 1, 3, ...END],
    ["[1,", 3, 1, 4, ...END],
    ["[1,\n", 4, 2, 1, ...END],
    ["[[", 2, 1, 3, ...END],
    ['{"a":', 5, 1, 6, ...END],
    ['{"a": ', 6, 1, 7, ...END],
    ['{"a":[', 6, 1, 7, ...END],
    ["t", 1, 1, 2, ...END],
    ["tru", 3, 1, 4, ...END],
    ["fals", 4, 1, 5, ...END],
    ["nul", 3, 1, 4, ...END],
    ["[n", 2, 1, 3, ...END],
    ['{"a":fa', 7, 1, 8, ...END],
    ['"\\', 2, 1, 3, ...END],
    ['{"ab\\', 5, 1, 6, ...END],
  ],
  "no value begins like this": [
    ["x", 0, 1, 1, ...token("x")],
    [" x", 1, 1, 2, ...token("x")],
    ["]", 0, 1, 1, ...token("]")],
    ["}", 0, 1, 1, ...token("}")],
    [",", 0, 1, 1, ...token(",")],
    [":", 0, 1, 1, ...token(":")],
    ["+1", 0, 1, 1, ...token("+")],
    [".5", 0, 1, 1, ...token(".")],
    ["'a'", 0, 1, 1, ...token("'")],
    ["/**/1", 0, 1, 1, ...token("/")],
    ["NaN", 0, 1, 1, ...token("N")],
    ["Infinity", 0, 1, 1, ...token("I")],
    ["undefined", 0, 1, 1, ...token("u")],
    ["[object Object]", 1, 1, 2, ...token("o")],
    ["True", 0, 1, 1, ...token("T")],
    ["\\u0031", 0, 1, 1, ...token("\\")],
    ["[,", 1, 1, 2, ...token(",")],
    ["[1,]", 3, 1, 4, ...token("]")],
    ["[1,,2]", 3, 1, 4, ...token(",")],
    ["[}", 1, 1, 2, ...token("}")],
    ["[:", 1, 1, 2, ...token(":")],
    ["[a", 1, 1, 2, ...token("a")],
    ['{"a":}', 5, 1, 6, ...token("}")],
    ['{"a":,', 5, 1, 6, ...token(",")],
    ['{"a"::', 5, 1, 6, ...token(":")],
    ['{"a":a', 5, 1, 6, ...token("a")],
    ["~", 0, 1, 1, ...token("~")],
    ["\x00", 0, 1, 1, ...byte("00")],
    ["\v1", 0, 1, 1, ...byte("0B")],
    ["\f1", 0, 1, 1, ...byte("0C")],
    ["[\x1f", 1, 1, 2, ...byte("1F")],
    ["\x7f", 0, 1, 1, ...byte("7F")],
    ["\xa01", 0, 1, 1, ...byte("C2")],
    ["[é", 1, 1, 2, ...byte("C3")],
    ["\u20281", 0, 1, 1, ...byte("E2")],
    ["[1,😀", 3, 1, 4, ...byte("F0")],
    [Uint8Array.of(0x80), 0, 1, 1, ...byte("80")],
    [Uint8Array.of(0xff), 0, 1, 1, ...byte("FF")],
    [Uint8Array.of(0xff, 0xfe, 0x31, 0x00), 0, 1, 1, ...byte("FF")],
    [Uint8Array.of(0x31, 0x00), 1, 1, 2, ...TRAILING],
    [Uint8Array.of(0x00, 0x31), 0, 1, 1, ...byte("00")],
  ],
  "literals": [
    ["trux", 3, 1, 4, ...token("x")],
    ["trUe", 2, 1, 3, ...token("U")],
    ["nulL", 3, 1, 4, ...token("L")],
    ["falsy", 4, 1, 5, ...token("y")],
    ["[tru]", 4, 1, 5, ...token("]")],
    ["[nul,1]", 4, 1, 5, ...token(",")],
    ['{"a":fals}', 9, 1, 10, ...token("}")],
    ["tru e", 3, 1, 4, ...token(" ")],
    ["tru\ne", 3, 1, 4, ...byte("0A")],
    ["tru\r\n", 3, 1, 4, ...byte("0D")],
    ["tru\0", 3, 1, 4, ...byte("00")],
    ["nué", 2, 1, 3, ...byte("C3")],
    ['tr"', 2, 1, 3, ...STRING],
    ['f"a"', 1, 1, 2, ...STRING],
    ["tr1", 2, 1, 3, ...NUMBER],
    ["nu-", 2, 1, 3, ...NUMBER],
    ["nul0", 3, 1, 4, ...NUMBER],
    ["nulll", 4, 1, 5, ...TRAILING],
    ["true1", 4, 1, 5, ...TRAILING],
    ["[nulll]", 5, 1, 6, ...BRACKET],
    ["[truefalse]", 5, 1, 6, ...BRACKET],
    ['{"a":nulls}', 9, 1, 10, ...BRACE],
  ],
  "numbers": [
    ["-", 1, 1, 2, ...DIGITS],
    ["-x", 1, 1, 2, ...DIGITS],
    ["- 1", 1, 1, 2, ...DIGITS],
    ["--1", 1, 1, 2, ...DIGITS],
    ["-.5", 1, 1, 2, ...DIGITS],
    ["-Infinity", 1, 1, 2, ...DIGITS],
    ["[-]", 2, 1, 3, ...DIGITS],
    ['{"a":-,', 6, 1, 7, ...DIGITS],
    ["00", 1, 1, 2, ...NUMBER],
    ["01", 1, 1, 2, ...NUMBER],
    ["-01", 2, 1, 3, ...NUMBER],
    ["-00.5", 2, 1, 3, ...NUMBER],
    ["[01]", 2, 1, 3, ...NUMBER],
    ["1.", 2, 1, 3, ...FRACTION],
    ["1.x", 2, 1, 3, ...FRACTION],
    ["1.e5", 2, 1, 3, ...FRACTION],
    ["[-0.]", 4, 1, 5, ...FRACTION],
    ["12345678901234567890.", 21, 1, 22, ...FRACTION],
    ["1e", 2, 1, 3, ...EXPONENT],
    ["1E", 2, 1, 3, ...EXPONENT],
    ["1e+", 3, 1, 4, ...EXPONENT],
    ["1e-x", 3, 1, 4, ...EXPONENT],
    ["1e+-1", 3, 1, 4, ...EXPONENT],
    ["1e.5", 2, 1, 3, ...EXPONENT],
    ["0.5e", 4, 1, 5, ...EXPONENT],
    ["[0e]", 3, 1, 4, ...EXPONENT],
    ["1a", 1, 1, 2, ...TRAILING],
    ["0x10", 1, 1, 2, ...TRAILING],
    ["1_000", 1, 1, 2, ...TRAILING],
    ["1n", 1, 1, 2, ...TRAILING],
    ["1-1", 1, 1, 2, ...TRAILING],
    ["1.5.2", 3, 1, 4, ...TRAILING],
    ["1e5.2", 3, 1, 4, ...TRAILING],
    ["1e5e5", 3, 1, 4, ...TRAILING],
    ["[1.5.2]", 4, 1, 5, ...BRACKET],
    ["[1 000]", 3, 1, 4, ...BRACKET],
    ["1\0", 1, 1, 2, ...TRAILING],
    ["１", 0, 1, 1, ...byte("EF")],
  ],
  "strings": [
    ['"', 1, 1, 2, ...UNTERMINATED],
    ['"abc', 4, 1, 5, ...UNTERMINATED],
    ["\"abc'", 5, 1, 6, ...UNTERMINATED],
    ['"abc\\"', 6, 1, 7, ...UNTERMINATED],
    ['["a', 3, 1, 4, ...UNTERMINATED],
    ['{"a', 3, 1, 4, ...UNTERMINATED],
    ['{"a":"b', 7, 1, 8, ...UNTERMINATED],
    ['"é中😀', 10, 1, 6, ...UNTERMINATED],
    ['"\\ud800', 7, 1, 8, ...UNTERMINATED],
    ['"\n"', 1, 1, 2, ...CONTROL],
    ['"a\nb"', 2, 1, 3, ...CONTROL],
    ['"a\r\nb"', 2, 1, 3, ...CONTROL],
    ['"\t"', 1, 1, 2, ...CONTROL],
    ['"a\0"', 2, 1, 3, ...CONTROL],
    ['"abcdefgh\x1f"', 9, 1, 10, ...CONTROL],
    ['{"a\tb":1}', 3, 1, 4, ...CONTROL],
    ['"é\x01"', 3, 1, 3, ...CONTROL],
    ['"\\n\x01"', 3, 1, 4, ...CONTROL],
    ['"\\x41"', 2, 1, 3, ...ESCAPE],
    ['"\\\'"', 2, 1, 3, ...ESCAPE],
    ['"\\0"', 2, 1, 3, ...ESCAPE],
    ['"\\U0041"', 2, 1, 3, ...ESCAPE],
    ['"\\ n"', 2, 1, 3, ...ESCAPE],
    ['"\\\n"', 2, 1, 3, ...ESCAPE],
    ['"\\\0"', 2, 1, 3, ...ESCAPE],
    ['"\\é"', 2, 1, 3, ...ESCAPE],
    ['"\\\u2028"', 2, 1, 3, ...ESCAPE],
    [utf8('"\\', 0xff, '"'), 2, 1, 3, ...ESCAPE],
    ['{"\\a":1}', 3, 1, 4, ...ESCAPE],
    ['"\\u', 3, 1, 4, ...UNICODE],
    ['"\\u"', 3, 1, 4, ...UNICODE],
    ['"\\u1', 4, 1, 5, ...UNICODE],
    ['"\\u12', 5, 1, 6, ...UNICODE],
    ['"\\u123', 6, 1, 7, ...UNICODE],
    ['"\\u123"', 6, 1, 7, ...UNICODE],
    ['"\\ug000"', 3, 1, 4, ...UNICODE],
    ['"\\u0g00"', 4, 1, 5, ...UNICODE],
    ['"\\u00g0"', 5, 1, 6, ...UNICODE],
    ['"\\u000g"', 6, 1, 7, ...UNICODE],
    ['"\\u-123"', 3, 1, 4, ...UNICODE],
    ['"\\u+123"', 3, 1, 4, ...UNICODE],
    ['"\\u 123"', 3, 1, 4, ...UNICODE],
    ['"\\u{41}"', 3, 1, 4, ...UNICODE],
    ['"\\u00:0"', 5, 1, 6, ...UNICODE],
    ['"\\u00@0"', 5, 1, 6, ...UNICODE],
    ['"\\u00`0"', 5, 1, 6, ...UNICODE],
    ['"\\u00/0"', 5, 1, 6, ...UNICODE],
    ['"\\u00\n0"', 5, 1, 6, ...UNICODE],
    ['"\\u00é"', 5, 1, 6, ...UNICODE],
    [utf8('"\\u00', 0xff, '0"'), 5, 1, 6, ...UNICODE],
    ['"\\ud83d\\u"', 9, 1, 10, ...UNICODE],
    ['"\\ud83d\\ude0"', 12, 1, 13, ...UNICODE],
    ['"\\ud83d\\x"', 8, 1, 9, ...ESCAPE],
    ['{"\\u00":1}', 6, 1, 7, ...UNICODE],
  ],
  "objects": [
    ["{", 1, 1, 2, ...NAME_OR_BRACE],
    ["{ ", 2, 1, 3, ...NAME_OR_BRACE],
    ["{\n", 2, 2, 1, ...NAME_OR_BRACE],
    ["{,", 1, 1, 2, ...NAME_OR_BRACE],
    ["{]", 1, 1, 2, ...NAME_OR_BRACE],
    ["{1:2}", 1, 1, 2, ...NAME_OR_BRACE],
    ["{a:1}", 1, 1, 2, ...NAME_OR_BRACE],
    ["{'a':1}", 1, 1, 2, ...NAME_OR_BRACE],
    ["{null:1}", 1, 1, 2, ...NAME_OR_BRACE],
    ["{{}}", 1, 1, 2, ...NAME_OR_BRACE],
    ["{é", 1, 1, 2, ...NAME_OR_BRACE],
    ['[{"a":{', 7, 1, 8, ...NAME_OR_BRACE],
    ['{"a"', 4, 1, 5, ...COLON],
    ['{"a" ', 5, 1, 6, ...COLON],
    ['{"a"}', 4, 1, 5, ...COLON],
    ['{"a",', 4, 1, 5, ...COLON],
    ['{"a" 1', 5, 1, 6, ...COLON],
    ['{"a""b"', 4, 1, 5, ...COLON],
    ['{"a"="b"}', 4, 1, 5, ...COLON],
    ['{"a"é', 4, 1, 5, ...COLON],
    ['{"a":1,"b"', 10, 1, 11, ...COLON],
    ['{"a":1', 6, 1, 7, ...BRACE],
    ['{"a":1 ', 7, 1, 8, ...BRACE],
    ['{"a":1]', 6, 1, 7, ...BRACE],
    ['{"a":1 2', 7, 1, 8, ...BRACE],
    ['{"a":1:2', 6, 1, 7, ...BRACE],
    ['{"a":"b" "c"', 9, 1, 10, ...BRACE],
    ['{"a":1"b":2', 6, 1, 7, ...BRACE],
    ['{"a":[]', 7, 1, 8, ...BRACE],
    ['{"a":{}', 7, 1, 8, ...BRACE],
    ['{"a":{"b":1}', 12, 1, 13, ...BRACE],
    ['{"a":trueé', 9, 1, 10, ...BRACE],
    ['{"a":1,', 7, 1, 8, ...NAME],
    ['{"a":1, ', 8, 1, 9, ...NAME],
    ['{"a":1,}', 7, 1, 8, ...NAME],
    ['{"a":1,,', 7, 1, 8, ...NAME],
    ['{"a":1,2', 7, 1, 8, ...NAME],
    ['{"a":1,b', 7, 1, 8, ...NAME],
    ["{\"a\":1,'b'", 7, 1, 8, ...NAME],
    ['{"a":1,]', 7, 1, 8, ...NAME],
    ['{"a":1,é', 7, 1, 8, ...NAME],
  ],
  "arrays": [
    ["[1", 2, 1, 3, ...BRACKET],
    ["[1 ", 3, 1, 4, ...BRACKET],
    ["[1}", 2, 1, 3, ...BRACKET],
    ["[1 2", 3, 1, 4, ...BRACKET],
    ["[1:2", 2, 1, 3, ...BRACKET],
    ["[1;2", 2, 1, 3, ...BRACKET],
    ['["a"', 4, 1, 5, ...BRACKET],
    ['["a" "b"', 5, 1, 6, ...BRACKET],
    ['[1"a"', 2, 1, 3, ...BRACKET],
    ["[[]", 3, 1, 4, ...BRACKET],
    ["[{}", 3, 1, 4, ...BRACKET],
    ["[[1,2],[3,4]", 12, 1, 13, ...BRACKET],
    ["[null", 5, 1, 6, ...BRACKET],
    ["[1é", 2, 1, 3, ...BRACKET],
    ["[1\v", 2, 1, 3, ...BRACKET],
    ["[1.5\0", 4, 1, 5, ...BRACKET],
  ],
  "something follows": [
    ["1 2", 2, 1, 3, ...TRAILING],
    ["{}{}", 2, 1, 3, ...TRAILING],
    ["{} {}", 3, 1, 4, ...TRAILING],
    ["[]]", 2, 1, 3, ...TRAILING],
    ["{}}", 2, 1, 3, ...TRAILING],
    ["[],", 2, 1, 3, ...TRAILING],
    ['""x', 2, 1, 3, ...TRAILING],
    ['"a" "b"', 4, 1, 5, ...TRAILING],
    ["1\n2", 2, 2, 1, ...TRAILING],
    ["null\0", 4, 1, 5, ...TRAILING],
    ["1é", 1, 1, 2, ...TRAILING],
    ["1 // one", 2, 1, 3, ...TRAILING],
    ["1\xa0", 1, 1, 2, ...TRAILING],
    [utf8("1", 0xff), 1, 1, 2, ...TRAILING],
  ],
  "malformed UTF-8 in a string": [
    [utf8('"', 0x80, '"'), 1, 1, 2, ...UTF8],
    [utf8('"a', 0xbf, '"'), 2, 1, 3, ...UTF8],
    [utf8('"', 0xff, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xfe, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xc0, 0x80, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xc1, 0xbf, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xc3, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xc3, 0xc3, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xe0, 0x9f, 0xbf, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xe4, 0xb8, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xe4, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xed, 0xa0, 0x80, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xf0, 0x8f, 0xbf, 0xbf, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xf0, 0x9f, 0x98, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xf4, 0x90, 0x80, 0x80, '"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xf5, 0x80, 0x80, 0x80, '"'), 1, 1, 2, ...UTF8],
    [utf8('"é中😀', 0x80, '"'), 10, 1, 6, ...UTF8],
    [utf8('"é中😀', 0xf0, 0x9f, 0x98, 'x"'), 10, 1, 6, ...UTF8],
    [utf8('{"', 0xff, '":1}'), 2, 1, 3, ...UTF8],
    [utf8('{"é', 0xc3, '":1}'), 4, 1, 4, ...UTF8],
    [utf8('{"a":"', 0xff, '"}'), 6, 1, 7, ...UTF8],
    [utf8('"\\n', 0xff, '"'), 3, 1, 4, ...UTF8],
    [utf8('"\\ud83d', 0xed, 0xb8, 0x80, '"'), 7, 1, 8, ...UTF8],
    // The first bad byte counts, whatever else is wrong behind it.
    [utf8('"', 0xff, "\n"), 1, 1, 2, ...UTF8],
    [utf8('"', 0xff, '\\x"'), 1, 1, 2, ...UTF8],
    [utf8('"', 0xff), 1, 1, 2, ...UTF8],
    [utf8('["', 0xff, '"'), 2, 1, 3, ...UTF8],
    [utf8('"\n', 0xff, '"'), 1, 1, 2, ...CONTROL],
    [utf8('"\\x', 0xff, '"'), 2, 1, 3, ...ESCAPE],
    [utf8('"', 0xc3, "\n"), 1, 1, 2, ...UTF8],
    [utf8('"', 0xc3), 1, 1, 2, ...UTF8],
    [utf8('"', 0xe4, 0xb8), 1, 1, 2, ...UTF8],
    [utf8('"', 0xf0, 0x9f, 0x98), 1, 1, 2, ...UTF8],
  ],
  "lines and columns": [
    ["\nx", 1, 2, 1, ...token("x")],
    ["\n\nx", 2, 3, 1, ...token("x")],
    ["\rx", 1, 2, 1, ...token("x")],
    ["\r\rx", 2, 3, 1, ...token("x")],
    ["\r\nx", 2, 2, 1, ...token("x")],
    ["\r\n\r\nx", 4, 3, 1, ...token("x")],
    ["\n\rx", 2, 3, 1, ...token("x")],
    ["\n\r\nx", 3, 3, 1, ...token("x")],
    ["\r\r\nx", 3, 3, 1, ...token("x")],
    ["\n  x", 3, 2, 3, ...token("x")],
    ["\t\tx", 2, 1, 3, ...token("x")],
    ["[\n  1,\n  2\n  3\n]", 13, 4, 3, ...BRACKET],
    ["[\r\n  1,\r\n  2\r\n  3\r\n]", 16, 4, 3, ...BRACKET],
    ["[\r  1,\r  2\r  3\r]", 13, 4, 3, ...BRACKET],
    ["[1,\r\n", 5, 2, 1, ...END],
    ["[1,\r", 4, 2, 1, ...END],
    ["[\n\n\n", 4, 4, 1, ...END],
    ['{\n  "a": 1,\n}', 12, 3, 1, ...NAME],
    // A column counts UTF-16 code units: one for é and 中, two for 😀. No separator of Unicode's own
    // ends a line.
    ['["é", x]', 7, 1, 7, ...token("x")],
    ['["中文", x]', 11, 1, 8, ...token("x")],
    ['["😀", x]', 9, 1, 8, ...token("x")],
    ['["\\ud83d\\ude00", x]', 17, 1, 18, ...token("x")],
    ['["\u2028\u2029\x85", x]', 13, 1, 9, ...token("x")],
    ['[\n"é中😀",\n"é中😀" x]', 27, 3, 8, ...BRACKET],
    ['"e\u0301\u200b\t"', 7, 1, 5, ...CONTROL],
  ],
};

for (const [title, rows] of Object.entries(TABLES)) {
  describe(title, () => {
    for (const [input, offset, line, column, code, wording] of rows) {
      const bytes = typeof input === "string" ? utf8(input) : input;
      const where = `${offset} (line ${line} column ${column})`;
      const message = code === "trailing-content"
        ? `${wording} ${where}`
        : wording.replace("@", ` in JSON at position ${where}`);
      const expected = { ok: false as const, code, message, offset, line, column };

      it(show(bytes) || "nothing", () => {
        assertEquals(parseBinary(bytes), expected);
        assertEquals(referenceParse(bytes), expected, "the reference parser of these tests is wrong");
        for (const [form, make] of FORMS) assertResult(make(bytes), expected, form);
        const shifted = {
          ...expected,
          offset: offset + 3,
          message: message.replace(`position ${offset} `, `position ${offset + 3} `),
        };
        assertEquals(parseBinary(concat([fromHex("efbbbf"), bytes])), shifted);
        // Long inputs may be read otherwise than short ones, and words at once far from the end.
        for (const more of [" ".repeat(64), `1${" ".repeat(64)}`, `,"${"x".repeat(64)}"]`]) {
          const longer = concat([bytes, utf8(more)]);
          assertResult(longer, referenceParse(longer));
        }
        const longer = concat([utf8("\n".repeat(2_000)), bytes]);
        for (const [form, make] of FORMS) assertResult(make(longer), referenceParse(longer), form);
      });
    }
  });
}

describe("every failure of a string", () => {
  // At each place of strings of each length, words and windows of any size are crossed.
  const CORRUPTED: [bytes: Uint8Array, at: number, code: FailureCode][] = [
    [utf8("\n"), 0, "bad-control-character"],
    [utf8("\x00"), 0, "bad-control-character"],
    [utf8("\x1f"), 0, "bad-control-character"],
    [utf8(0x80), 0, "invalid-utf8"],
    [utf8(0xff), 0, "invalid-utf8"],
    [utf8(0xc3), 0, "invalid-utf8"],
    [utf8(0xf0, 0x9f, 0x98), 0, "invalid-utf8"],
    [utf8("中", 0x80), 3, "invalid-utf8"],
    [utf8("\\x"), 1, "bad-escape"],
    [utf8("\\u12G4"), 4, "bad-unicode-escape"],
    [utf8("\\n\x01"), 2, "bad-control-character"],
  ];
  for (const [corrupted, at, code] of CORRUPTED) {
    it(`${code}: ${show(corrupted)}`, () => {
      for (let length = 0; length <= 70; length++) {
        for (let place = 0; place <= length; place++) {
          const inside = concat([utf8("a".repeat(place)), corrupted, utf8("b".repeat(length - place))]);
          assertFailure(between('"', concat([utf8('["'), inside, utf8('"]')])), code, 2 + place + at);
        }
      }
    });
  }

  it("the end, wherever it comes", () => {
    for (const character of ["a", "é", "中", "😀", "\\n", "\\u00e9"]) {
      for (let length = 0; length <= 70; length++) {
        const bytes = concat([utf8('["'), utf8(character.repeat(length))]);
        assertFailure(between('"', bytes), "unterminated-string", bytes.length);
      }
    }
  });
});

describe("a detached buffer", () => {
  const detached = {
    ok: false as const,
    code: "detached-buffer" as const,
    message: "Cannot parse a detached buffer",
    offset: 0,
    line: 1,
    column: 1,
  };

  it("is told apart from an empty one", () => {
    for (const [form, make] of FORMS) {
      const input = make(utf8("[1]"));
      const buffer = ArrayBuffer.isView(input) ? input.buffer : input;
      if (!(buffer instanceof ArrayBuffer) || form === "Buffer") continue; // a pool's memory cannot be detached
      structuredClone(buffer, { transfer: [buffer] });
      assertEquals(parseBinary(input), detached, form);
    }
    for (const empty of [new ArrayBuffer(0), new Uint8Array(0), new SharedArrayBuffer(0), utf8("1").subarray(1)]) {
      assertFailure(empty, "unexpected-end", 0);
    }
  });

  it("is told apart behind any kind of view", () => {
    class Bytes extends Uint8Array {}
    for (const view of [Buffer.from(new ArrayBuffer(3)), new Bytes(3), new Uint8Array(new ArrayBuffer(9), 3, 4)]) {
      const { buffer } = view;
      structuredClone(buffer, { transfer: [buffer] });
      assertEquals(parseBinary(view), detached);
    }
  });

  it("of no length at all", () => {
    const buffer = new ArrayBuffer(0);
    const view = new Uint8Array(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    assertEquals(parseBinary(buffer), detached);
    assertEquals(parseBinary(view), detached);
  });
});

describe("a message", () => {
  it("echoes one printable ASCII character of the input at most", () => {
    for (const secret of ["password", "hunter2", "пароль"]) {
      for (const frame of [`${secret}`, `["x" ${secret}]`, `{"${secret}" 1}`, `{"a":"${secret}",}`, `"${secret}\n"`]) {
        const failure = parseBinary(utf8(frame));
        assert(!failure.ok && !failure.message.includes(secret.slice(0, 2)), frame);
      }
    }
  });
});
