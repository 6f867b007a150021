/** Every failure: its code, its message to the letter, its offset, line and column. */

import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type FailureCode, parseBinary } from "../../parse_binary.ts";
import { BinaryValidator } from "../../validate_binary.ts";
import { assertFailure, assertResult } from "../support/assertions.ts";
import { between, concat, FORMS, fromHex, show, utf8 } from "../support/bytes.ts";
import { referenceParse } from "../support/reference.ts";

/** Code of a failure, and its message, in which `@` is the usual ending with the position. */
interface Wording {
  code: FailureCode;
  wording: string;
}

/** Input, text or bytes, and its failure. */
interface Row extends Wording {
  input: string | Uint8Array;
  offset: number;
  line: number;
  column: number;
}

const END: Wording = { code: "unexpected-end", wording: "Unexpected end of JSON input" };
const STRING: Wording = { code: "unexpected-string", wording: "Unexpected string@" };
const NUMBER: Wording = { code: "unexpected-number", wording: "Unexpected number@" };
const UNTERMINATED: Wording = { code: "unterminated-string", wording: "Unterminated string@" };
const NAME_OR_BRACE: Wording = { code: "expected-property-name-or-brace", wording: "Expected property name or '}'@" };
const NAME: Wording = { code: "expected-property-name", wording: "Expected double-quoted property name@" };
const COLON: Wording = { code: "expected-colon", wording: "Expected ':' after property name@" };
const BRACE: Wording = { code: "expected-comma-or-brace", wording: "Expected ',' or '}' after property value@" };
const BRACKET: Wording = { code: "expected-comma-or-bracket", wording: "Expected ',' or ']' after array element@" };
const FRACTION: Wording = { code: "unterminated-fraction", wording: "Unterminated fractional number@" };
const EXPONENT: Wording = { code: "missing-exponent", wording: "Exponent part is missing a number@" };
const DIGITS: Wording = { code: "missing-digits", wording: "No number after minus sign@" };
const CONTROL: Wording = { code: "bad-control-character", wording: "Bad control character in string literal@" };
const ESCAPE: Wording = { code: "bad-escape", wording: "Bad escaped character@" };
const UNICODE: Wording = { code: "bad-unicode-escape", wording: "Bad Unicode escape@" };
const TRAILING: Wording = {
  code: "trailing-content",
  wording: "Unexpected non-whitespace character after JSON at position",
};
const UTF8: Wording = { code: "invalid-utf8", wording: "Invalid UTF-8@" };

function token(character: string): Wording {
  return { code: "unexpected-token", wording: `Unexpected token '${character}'@` };
}

function byte(digits: string): Wording {
  return { code: "unexpected-token", wording: `Unexpected byte 0x${digits}@` };
}

const TABLES: Record<string, Row[]> = {
  "the input ends too early": [
    { input: "", offset: 0, line: 1, column: 1, ...END },
    { input: " ", offset: 1, line: 1, column: 2, ...END },
    { input: "\n", offset: 1, line: 2, column: 1, ...END },
    { input: "[", offset: 1, line: 1, column: 2, ...END },
    { input: "[ ", offset: 2, line: 1, column: 3, ...END },
    { input: "[1,", offset: 3, line: 1, column: 4, ...END },
    { input: "[1,\n", offset: 4, line: 2, column: 1, ...END },
    { input: "[[", offset: 2, line: 1, column: 3, ...END },
    { input: '{"a":', offset: 5, line: 1, column: 6, ...END },
    { input: '{"a": ', offset: 6, line: 1, column: 7, ...END },
    { input: '{"a":[', offset: 6, line: 1, column: 7, ...END },
    { input: "t", offset: 1, line: 1, column: 2, ...END },
    { input: "tru", offset: 3, line: 1, column: 4, ...END },
    { input: "fals", offset: 4, line: 1, column: 5, ...END },
    { input: "nul", offset: 3, line: 1, column: 4, ...END },
    { input: "[n", offset: 2, line: 1, column: 3, ...END },
    { input: '{"a":fa', offset: 7, line: 1, column: 8, ...END },
    { input: '"\\', offset: 2, line: 1, column: 3, ...END },
    { input: '{"ab\\', offset: 5, line: 1, column: 6, ...END },
  ],
  "no value begins like this": [
    { input: "x", offset: 0, line: 1, column: 1, ...token("x") },
    { input: " x", offset: 1, line: 1, column: 2, ...token("x") },
    { input: "]", offset: 0, line: 1, column: 1, ...token("]") },
    { input: "}", offset: 0, line: 1, column: 1, ...token("}") },
    { input: ",", offset: 0, line: 1, column: 1, ...token(",") },
    { input: ":", offset: 0, line: 1, column: 1, ...token(":") },
    { input: "+1", offset: 0, line: 1, column: 1, ...token("+") },
    { input: ".5", offset: 0, line: 1, column: 1, ...token(".") },
    { input: "'a'", offset: 0, line: 1, column: 1, ...token("'") },
    { input: "/**/1", offset: 0, line: 1, column: 1, ...token("/") },
    { input: "NaN", offset: 0, line: 1, column: 1, ...token("N") },
    { input: "Infinity", offset: 0, line: 1, column: 1, ...token("I") },
    { input: "undefined", offset: 0, line: 1, column: 1, ...token("u") },
    { input: "[object Object]", offset: 1, line: 1, column: 2, ...token("o") },
    { input: "True", offset: 0, line: 1, column: 1, ...token("T") },
    { input: "\\u0031", offset: 0, line: 1, column: 1, ...token("\\") },
    { input: "[,", offset: 1, line: 1, column: 2, ...token(",") },
    { input: "[1,]", offset: 3, line: 1, column: 4, ...token("]") },
    { input: "[1,,2]", offset: 3, line: 1, column: 4, ...token(",") },
    { input: "[}", offset: 1, line: 1, column: 2, ...token("}") },
    { input: "[:", offset: 1, line: 1, column: 2, ...token(":") },
    { input: "[a", offset: 1, line: 1, column: 2, ...token("a") },
    { input: '{"a":}', offset: 5, line: 1, column: 6, ...token("}") },
    { input: '{"a":,', offset: 5, line: 1, column: 6, ...token(",") },
    { input: '{"a"::', offset: 5, line: 1, column: 6, ...token(":") },
    { input: '{"a":a', offset: 5, line: 1, column: 6, ...token("a") },
    { input: "~", offset: 0, line: 1, column: 1, ...token("~") },
    { input: "\x00", offset: 0, line: 1, column: 1, ...byte("00") },
    { input: "\v1", offset: 0, line: 1, column: 1, ...byte("0B") },
    { input: "\f1", offset: 0, line: 1, column: 1, ...byte("0C") },
    { input: "[\x1f", offset: 1, line: 1, column: 2, ...byte("1F") },
    { input: "\x7f", offset: 0, line: 1, column: 1, ...byte("7F") },
    { input: "\xa01", offset: 0, line: 1, column: 1, ...byte("C2") },
    { input: "[é", offset: 1, line: 1, column: 2, ...byte("C3") },
    { input: "\u20281", offset: 0, line: 1, column: 1, ...byte("E2") },
    { input: "[1,😀", offset: 3, line: 1, column: 4, ...byte("F0") },
    { input: Uint8Array.of(0x80), offset: 0, line: 1, column: 1, ...byte("80") },
    { input: Uint8Array.of(0xff), offset: 0, line: 1, column: 1, ...byte("FF") },
    { input: Uint8Array.of(0xff, 0xfe, 0x31, 0x00), offset: 0, line: 1, column: 1, ...byte("FF") },
    { input: Uint8Array.of(0x31, 0x00), offset: 1, line: 1, column: 2, ...TRAILING },
    { input: Uint8Array.of(0x00, 0x31), offset: 0, line: 1, column: 1, ...byte("00") },
  ],
  "literals": [
    { input: "trux", offset: 3, line: 1, column: 4, ...token("x") },
    { input: "trUe", offset: 2, line: 1, column: 3, ...token("U") },
    { input: "nulL", offset: 3, line: 1, column: 4, ...token("L") },
    { input: "falsy", offset: 4, line: 1, column: 5, ...token("y") },
    { input: "[tru]", offset: 4, line: 1, column: 5, ...token("]") },
    { input: "[nul,1]", offset: 4, line: 1, column: 5, ...token(",") },
    { input: '{"a":fals}', offset: 9, line: 1, column: 10, ...token("}") },
    { input: "tru e", offset: 3, line: 1, column: 4, ...token(" ") },
    { input: "tru\ne", offset: 3, line: 1, column: 4, ...byte("0A") },
    { input: "tru\r\n", offset: 3, line: 1, column: 4, ...byte("0D") },
    { input: "tru\0", offset: 3, line: 1, column: 4, ...byte("00") },
    { input: "nué", offset: 2, line: 1, column: 3, ...byte("C3") },
    { input: 'tr"', offset: 2, line: 1, column: 3, ...STRING },
    { input: 'f"a"', offset: 1, line: 1, column: 2, ...STRING },
    { input: "tr1", offset: 2, line: 1, column: 3, ...NUMBER },
    { input: "nu-", offset: 2, line: 1, column: 3, ...NUMBER },
    { input: "nul0", offset: 3, line: 1, column: 4, ...NUMBER },
    { input: "nulll", offset: 4, line: 1, column: 5, ...TRAILING },
    { input: "true1", offset: 4, line: 1, column: 5, ...TRAILING },
    { input: "[nulll]", offset: 5, line: 1, column: 6, ...BRACKET },
    { input: "[truefalse]", offset: 5, line: 1, column: 6, ...BRACKET },
    { input: '{"a":nulls}', offset: 9, line: 1, column: 10, ...BRACE },
  ],
  "numbers": [
    { input: "-", offset: 1, line: 1, column: 2, ...DIGITS },
    { input: "-x", offset: 1, line: 1, column: 2, ...DIGITS },
    { input: "- 1", offset: 1, line: 1, column: 2, ...DIGITS },
    { input: "--1", offset: 1, line: 1, column: 2, ...DIGITS },
    { input: "-.5", offset: 1, line: 1, column: 2, ...DIGITS },
    { input: "-Infinity", offset: 1, line: 1, column: 2, ...DIGITS },
    { input: "[-]", offset: 2, line: 1, column: 3, ...DIGITS },
    { input: '{"a":-,', offset: 6, line: 1, column: 7, ...DIGITS },
    { input: "00", offset: 1, line: 1, column: 2, ...NUMBER },
    { input: "01", offset: 1, line: 1, column: 2, ...NUMBER },
    { input: "-01", offset: 2, line: 1, column: 3, ...NUMBER },
    { input: "-00.5", offset: 2, line: 1, column: 3, ...NUMBER },
    { input: "[01]", offset: 2, line: 1, column: 3, ...NUMBER },
    { input: "1.", offset: 2, line: 1, column: 3, ...FRACTION },
    { input: "1.x", offset: 2, line: 1, column: 3, ...FRACTION },
    { input: "1.e5", offset: 2, line: 1, column: 3, ...FRACTION },
    { input: "[-0.]", offset: 4, line: 1, column: 5, ...FRACTION },
    { input: "12345678901234567890.", offset: 21, line: 1, column: 22, ...FRACTION },
    { input: "1e", offset: 2, line: 1, column: 3, ...EXPONENT },
    { input: "1E", offset: 2, line: 1, column: 3, ...EXPONENT },
    { input: "1e+", offset: 3, line: 1, column: 4, ...EXPONENT },
    { input: "1e-x", offset: 3, line: 1, column: 4, ...EXPONENT },
    { input: "1e+-1", offset: 3, line: 1, column: 4, ...EXPONENT },
    { input: "1e.5", offset: 2, line: 1, column: 3, ...EXPONENT },
    { input: "0.5e", offset: 4, line: 1, column: 5, ...EXPONENT },
    { input: "[0e]", offset: 3, line: 1, column: 4, ...EXPONENT },
    { input: "1a", offset: 1, line: 1, column: 2, ...TRAILING },
    { input: "0x10", offset: 1, line: 1, column: 2, ...TRAILING },
    { input: "1_000", offset: 1, line: 1, column: 2, ...TRAILING },
    { input: "1n", offset: 1, line: 1, column: 2, ...TRAILING },
    { input: "1-1", offset: 1, line: 1, column: 2, ...TRAILING },
    { input: "1.5.2", offset: 3, line: 1, column: 4, ...TRAILING },
    { input: "1e5.2", offset: 3, line: 1, column: 4, ...TRAILING },
    { input: "1e5e5", offset: 3, line: 1, column: 4, ...TRAILING },
    { input: "[1.5.2]", offset: 4, line: 1, column: 5, ...BRACKET },
    { input: "[1 000]", offset: 3, line: 1, column: 4, ...BRACKET },
    { input: "1\0", offset: 1, line: 1, column: 2, ...TRAILING },
    { input: "１", offset: 0, line: 1, column: 1, ...byte("EF") },
  ],
  "strings": [
    { input: '"', offset: 1, line: 1, column: 2, ...UNTERMINATED },
    { input: '"abc', offset: 4, line: 1, column: 5, ...UNTERMINATED },
    { input: "\"abc'", offset: 5, line: 1, column: 6, ...UNTERMINATED },
    { input: '"abc\\"', offset: 6, line: 1, column: 7, ...UNTERMINATED },
    { input: '["a', offset: 3, line: 1, column: 4, ...UNTERMINATED },
    { input: '{"a', offset: 3, line: 1, column: 4, ...UNTERMINATED },
    { input: '{"a":"b', offset: 7, line: 1, column: 8, ...UNTERMINATED },
    { input: '"é中😀', offset: 10, line: 1, column: 6, ...UNTERMINATED },
    { input: '"\\ud800', offset: 7, line: 1, column: 8, ...UNTERMINATED },
    { input: '"\n"', offset: 1, line: 1, column: 2, ...CONTROL },
    { input: '"a\nb"', offset: 2, line: 1, column: 3, ...CONTROL },
    { input: '"a\r\nb"', offset: 2, line: 1, column: 3, ...CONTROL },
    { input: '"\t"', offset: 1, line: 1, column: 2, ...CONTROL },
    { input: '"a\0"', offset: 2, line: 1, column: 3, ...CONTROL },
    { input: '"abcdefgh\x1f"', offset: 9, line: 1, column: 10, ...CONTROL },
    { input: '{"a\tb":1}', offset: 3, line: 1, column: 4, ...CONTROL },
    { input: '"é\x01"', offset: 3, line: 1, column: 3, ...CONTROL },
    { input: '"\\n\x01"', offset: 3, line: 1, column: 4, ...CONTROL },
    { input: '"\\x41"', offset: 2, line: 1, column: 3, ...ESCAPE },
    { input: '"\\\'"', offset: 2, line: 1, column: 3, ...ESCAPE },
    { input: '"\\0"', offset: 2, line: 1, column: 3, ...ESCAPE },
    { input: '"\\U0041"', offset: 2, line: 1, column: 3, ...ESCAPE },
    { input: '"\\ n"', offset: 2, line: 1, column: 3, ...ESCAPE },
    { input: '"\\\n"', offset: 2, line: 1, column: 3, ...ESCAPE },
    { input: '"\\\0"', offset: 2, line: 1, column: 3, ...ESCAPE },
    { input: '"\\é"', offset: 2, line: 1, column: 3, ...ESCAPE },
    { input: '"\\\u2028"', offset: 2, line: 1, column: 3, ...ESCAPE },
    { input: utf8('"\\', 0xff, '"'), offset: 2, line: 1, column: 3, ...ESCAPE },
    { input: '{"\\a":1}', offset: 3, line: 1, column: 4, ...ESCAPE },
    { input: '"\\u', offset: 3, line: 1, column: 4, ...UNICODE },
    { input: '"\\u"', offset: 3, line: 1, column: 4, ...UNICODE },
    { input: '"\\u1', offset: 4, line: 1, column: 5, ...UNICODE },
    { input: '"\\u12', offset: 5, line: 1, column: 6, ...UNICODE },
    { input: '"\\u123', offset: 6, line: 1, column: 7, ...UNICODE },
    { input: '"\\u123"', offset: 6, line: 1, column: 7, ...UNICODE },
    { input: '"\\ug000"', offset: 3, line: 1, column: 4, ...UNICODE },
    { input: '"\\u0g00"', offset: 4, line: 1, column: 5, ...UNICODE },
    { input: '"\\u00g0"', offset: 5, line: 1, column: 6, ...UNICODE },
    { input: '"\\u000g"', offset: 6, line: 1, column: 7, ...UNICODE },
    { input: '"\\u-123"', offset: 3, line: 1, column: 4, ...UNICODE },
    { input: '"\\u+123"', offset: 3, line: 1, column: 4, ...UNICODE },
    { input: '"\\u 123"', offset: 3, line: 1, column: 4, ...UNICODE },
    { input: '"\\u{41}"', offset: 3, line: 1, column: 4, ...UNICODE },
    { input: '"\\u00:0"', offset: 5, line: 1, column: 6, ...UNICODE },
    { input: '"\\u00@0"', offset: 5, line: 1, column: 6, ...UNICODE },
    { input: '"\\u00`0"', offset: 5, line: 1, column: 6, ...UNICODE },
    { input: '"\\u00/0"', offset: 5, line: 1, column: 6, ...UNICODE },
    { input: '"\\u00\n0"', offset: 5, line: 1, column: 6, ...UNICODE },
    { input: '"\\u00é"', offset: 5, line: 1, column: 6, ...UNICODE },
    { input: utf8('"\\u00', 0xff, '0"'), offset: 5, line: 1, column: 6, ...UNICODE },
    { input: '"\\ud83d\\u"', offset: 9, line: 1, column: 10, ...UNICODE },
    { input: '"\\ud83d\\ude0"', offset: 12, line: 1, column: 13, ...UNICODE },
    { input: '"\\ud83d\\x"', offset: 8, line: 1, column: 9, ...ESCAPE },
    { input: '{"\\u00":1}', offset: 6, line: 1, column: 7, ...UNICODE },
  ],
  "objects": [
    { input: "{", offset: 1, line: 1, column: 2, ...NAME_OR_BRACE },
    { input: "{ ", offset: 2, line: 1, column: 3, ...NAME_OR_BRACE },
    { input: "{\n", offset: 2, line: 2, column: 1, ...NAME_OR_BRACE },
    { input: "{,", offset: 1, line: 1, column: 2, ...NAME_OR_BRACE },
    { input: "{]", offset: 1, line: 1, column: 2, ...NAME_OR_BRACE },
    { input: "{1:2}", offset: 1, line: 1, column: 2, ...NAME_OR_BRACE },
    { input: "{a:1}", offset: 1, line: 1, column: 2, ...NAME_OR_BRACE },
    { input: "{'a':1}", offset: 1, line: 1, column: 2, ...NAME_OR_BRACE },
    { input: "{null:1}", offset: 1, line: 1, column: 2, ...NAME_OR_BRACE },
    { input: "{{}}", offset: 1, line: 1, column: 2, ...NAME_OR_BRACE },
    { input: "{é", offset: 1, line: 1, column: 2, ...NAME_OR_BRACE },
    { input: '[{"a":{', offset: 7, line: 1, column: 8, ...NAME_OR_BRACE },
    { input: '{"a"', offset: 4, line: 1, column: 5, ...COLON },
    { input: '{"a" ', offset: 5, line: 1, column: 6, ...COLON },
    { input: '{"a"}', offset: 4, line: 1, column: 5, ...COLON },
    { input: '{"a",', offset: 4, line: 1, column: 5, ...COLON },
    { input: '{"a" 1', offset: 5, line: 1, column: 6, ...COLON },
    { input: '{"a""b"', offset: 4, line: 1, column: 5, ...COLON },
    { input: '{"a"="b"}', offset: 4, line: 1, column: 5, ...COLON },
    { input: '{"a"é', offset: 4, line: 1, column: 5, ...COLON },
    { input: '{"a":1,"b"', offset: 10, line: 1, column: 11, ...COLON },
    { input: '{"a":1', offset: 6, line: 1, column: 7, ...BRACE },
    { input: '{"a":1 ', offset: 7, line: 1, column: 8, ...BRACE },
    { input: '{"a":1]', offset: 6, line: 1, column: 7, ...BRACE },
    { input: '{"a":1 2', offset: 7, line: 1, column: 8, ...BRACE },
    { input: '{"a":1:2', offset: 6, line: 1, column: 7, ...BRACE },
    { input: '{"a":"b" "c"', offset: 9, line: 1, column: 10, ...BRACE },
    { input: '{"a":1"b":2', offset: 6, line: 1, column: 7, ...BRACE },
    { input: '{"a":[]', offset: 7, line: 1, column: 8, ...BRACE },
    { input: '{"a":{}', offset: 7, line: 1, column: 8, ...BRACE },
    { input: '{"a":{"b":1}', offset: 12, line: 1, column: 13, ...BRACE },
    { input: '{"a":trueé', offset: 9, line: 1, column: 10, ...BRACE },
    { input: '{"a":1,', offset: 7, line: 1, column: 8, ...NAME },
    { input: '{"a":1, ', offset: 8, line: 1, column: 9, ...NAME },
    { input: '{"a":1,}', offset: 7, line: 1, column: 8, ...NAME },
    { input: '{"a":1,,', offset: 7, line: 1, column: 8, ...NAME },
    { input: '{"a":1,2', offset: 7, line: 1, column: 8, ...NAME },
    { input: '{"a":1,b', offset: 7, line: 1, column: 8, ...NAME },
    { input: "{\"a\":1,'b'", offset: 7, line: 1, column: 8, ...NAME },
    { input: '{"a":1,]', offset: 7, line: 1, column: 8, ...NAME },
    { input: '{"a":1,é', offset: 7, line: 1, column: 8, ...NAME },
  ],
  "arrays": [
    { input: "[1", offset: 2, line: 1, column: 3, ...BRACKET },
    { input: "[1 ", offset: 3, line: 1, column: 4, ...BRACKET },
    { input: "[1}", offset: 2, line: 1, column: 3, ...BRACKET },
    { input: "[1 2", offset: 3, line: 1, column: 4, ...BRACKET },
    { input: "[1:2", offset: 2, line: 1, column: 3, ...BRACKET },
    { input: "[1;2", offset: 2, line: 1, column: 3, ...BRACKET },
    { input: '["a"', offset: 4, line: 1, column: 5, ...BRACKET },
    { input: '["a" "b"', offset: 5, line: 1, column: 6, ...BRACKET },
    { input: '[1"a"', offset: 2, line: 1, column: 3, ...BRACKET },
    { input: "[[]", offset: 3, line: 1, column: 4, ...BRACKET },
    { input: "[{}", offset: 3, line: 1, column: 4, ...BRACKET },
    { input: "[[1,2],[3,4]", offset: 12, line: 1, column: 13, ...BRACKET },
    { input: "[null", offset: 5, line: 1, column: 6, ...BRACKET },
    { input: "[1é", offset: 2, line: 1, column: 3, ...BRACKET },
    { input: "[1\v", offset: 2, line: 1, column: 3, ...BRACKET },
    { input: "[1.5\0", offset: 4, line: 1, column: 5, ...BRACKET },
  ],
  "something follows": [
    { input: "1 2", offset: 2, line: 1, column: 3, ...TRAILING },
    { input: "{}{}", offset: 2, line: 1, column: 3, ...TRAILING },
    { input: "{} {}", offset: 3, line: 1, column: 4, ...TRAILING },
    { input: "[]]", offset: 2, line: 1, column: 3, ...TRAILING },
    { input: "{}}", offset: 2, line: 1, column: 3, ...TRAILING },
    { input: "[],", offset: 2, line: 1, column: 3, ...TRAILING },
    { input: '""x', offset: 2, line: 1, column: 3, ...TRAILING },
    { input: '"a" "b"', offset: 4, line: 1, column: 5, ...TRAILING },
    { input: "1\n2", offset: 2, line: 2, column: 1, ...TRAILING },
    { input: "null\0", offset: 4, line: 1, column: 5, ...TRAILING },
    { input: "1é", offset: 1, line: 1, column: 2, ...TRAILING },
    { input: "1 // one", offset: 2, line: 1, column: 3, ...TRAILING },
    { input: "1\xa0", offset: 1, line: 1, column: 2, ...TRAILING },
    { input: utf8("1", 0xff), offset: 1, line: 1, column: 2, ...TRAILING },
  ],
  "malformed UTF-8 in a string": [
    { input: utf8('"', 0x80, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"a', 0xbf, '"'), offset: 2, line: 1, column: 3, ...UTF8 },
    { input: utf8('"', 0xff, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xfe, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xc0, 0x80, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xc1, 0xbf, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xc3, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xc3, 0xc3, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xe0, 0x9f, 0xbf, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xe4, 0xb8, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xe4, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xed, 0xa0, 0x80, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xf0, 0x8f, 0xbf, 0xbf, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xf0, 0x9f, 0x98, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xf4, 0x90, 0x80, 0x80, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xf5, 0x80, 0x80, 0x80, '"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"é中😀', 0x80, '"'), offset: 10, line: 1, column: 6, ...UTF8 },
    { input: utf8('"é中😀', 0xf0, 0x9f, 0x98, 'x"'), offset: 10, line: 1, column: 6, ...UTF8 },
    { input: utf8('{"', 0xff, '":1}'), offset: 2, line: 1, column: 3, ...UTF8 },
    { input: utf8('{"é', 0xc3, '":1}'), offset: 4, line: 1, column: 4, ...UTF8 },
    { input: utf8('{"a":"', 0xff, '"}'), offset: 6, line: 1, column: 7, ...UTF8 },
    { input: utf8('"\\n', 0xff, '"'), offset: 3, line: 1, column: 4, ...UTF8 },
    { input: utf8('"\\ud83d', 0xed, 0xb8, 0x80, '"'), offset: 7, line: 1, column: 8, ...UTF8 },
    // The first bad byte counts, even if there are others behind it.
    { input: utf8('"', 0xff, "\n"), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xff, '\\x"'), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xff), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('["', 0xff, '"'), offset: 2, line: 1, column: 3, ...UTF8 },
    { input: utf8('"\n', 0xff, '"'), offset: 1, line: 1, column: 2, ...CONTROL },
    { input: utf8('"\\x', 0xff, '"'), offset: 2, line: 1, column: 3, ...ESCAPE },
    { input: utf8('"', 0xc3, "\n"), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xc3), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xe4, 0xb8), offset: 1, line: 1, column: 2, ...UTF8 },
    { input: utf8('"', 0xf0, 0x9f, 0x98), offset: 1, line: 1, column: 2, ...UTF8 },
  ],
  "lines and columns": [
    { input: "\nx", offset: 1, line: 2, column: 1, ...token("x") },
    { input: "\n\nx", offset: 2, line: 3, column: 1, ...token("x") },
    { input: "\rx", offset: 1, line: 2, column: 1, ...token("x") },
    { input: "\r\rx", offset: 2, line: 3, column: 1, ...token("x") },
    { input: "\r\nx", offset: 2, line: 2, column: 1, ...token("x") },
    { input: "\r\n\r\nx", offset: 4, line: 3, column: 1, ...token("x") },
    { input: "\n\rx", offset: 2, line: 3, column: 1, ...token("x") },
    { input: "\n\r\nx", offset: 3, line: 3, column: 1, ...token("x") },
    { input: "\r\r\nx", offset: 3, line: 3, column: 1, ...token("x") },
    { input: "\n  x", offset: 3, line: 2, column: 3, ...token("x") },
    { input: "\t\tx", offset: 2, line: 1, column: 3, ...token("x") },
    { input: "[\n  1,\n  2\n  3\n]", offset: 13, line: 4, column: 3, ...BRACKET },
    { input: "[\r\n  1,\r\n  2\r\n  3\r\n]", offset: 16, line: 4, column: 3, ...BRACKET },
    { input: "[\r  1,\r  2\r  3\r]", offset: 13, line: 4, column: 3, ...BRACKET },
    { input: "[1,\r\n", offset: 5, line: 2, column: 1, ...END },
    { input: "[1,\r", offset: 4, line: 2, column: 1, ...END },
    { input: "[\n\n\n", offset: 4, line: 4, column: 1, ...END },
    { input: '{\n  "a": 1,\n}', offset: 12, line: 3, column: 1, ...NAME },
    // A column counts UTF-16 code units: one for é and 中, two for 😀. No separator of Unicode's own
    // ends a line.
    { input: '["é", x]', offset: 7, line: 1, column: 7, ...token("x") },
    { input: '["中文", x]', offset: 11, line: 1, column: 8, ...token("x") },
    { input: '["😀", x]', offset: 9, line: 1, column: 8, ...token("x") },
    { input: '["\\ud83d\\ude00", x]', offset: 17, line: 1, column: 18, ...token("x") },
    { input: '["\u2028\u2029\x85", x]', offset: 13, line: 1, column: 9, ...token("x") },
    { input: '[\n"é中😀",\n"é中😀" x]', offset: 27, line: 3, column: 8, ...BRACKET },
    { input: '"e\u0301\u200b\t"', offset: 7, line: 1, column: 5, ...CONTROL },
  ],
};

for (const [title, rows] of Object.entries(TABLES)) {
  describe(title, () => {
    for (const { input, offset, line, column, code, wording } of rows) {
      const bytes = typeof input === "string" ? utf8(input) : input;
      const where = `${offset} (line ${line} column ${column})`;
      const message = code === "trailing-content"
        ? `${wording} ${where}`
        : wording.replace("@", ` in JSON at position ${where}`);
      const truncated = new BinaryValidator().push(bytes); // more bytes may follow all of them
      const expected = { ok: false as const, code, message, offset, line, column, truncated };

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
  const CORRUPTED: { corrupted: Uint8Array; at: number; code: FailureCode }[] = [
    { corrupted: utf8("\n"), at: 0, code: "bad-control-character" },
    { corrupted: utf8("\x00"), at: 0, code: "bad-control-character" },
    { corrupted: utf8("\x1f"), at: 0, code: "bad-control-character" },
    { corrupted: utf8(0x80), at: 0, code: "invalid-utf8" },
    { corrupted: utf8(0xff), at: 0, code: "invalid-utf8" },
    { corrupted: utf8(0xc3), at: 0, code: "invalid-utf8" },
    { corrupted: utf8(0xf0, 0x9f, 0x98), at: 0, code: "invalid-utf8" },
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
    truncated: false,
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
