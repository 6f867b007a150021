/** What is wrong is found with the byte that makes it wrong, wherever the input is cut there. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  BinaryParser,
  type BinaryParserOptions,
  BinaryValidator,
  type BinaryValidatorOptions,
  every,
  type ParseFailure,
  selector,
} from "../../mod.ts";
import { PointerParser } from "../../parser/streaming/document_parser.ts";
import { concat, utf8 } from "../support/bytes.ts";

/** Beginnings of documents, one for each state of the grammar, and some with a value before. */
const STATES = [
  ...["", " ", "[", "[ ", "[1", "[1 ", "[1,", "[1, ", "{", "{ ", '{"a"', '{"a" ', '{"a":', '{"a": ', '{"a":1'],
  ...['{"a":1 ', '{"a":1,', '{"a":1, ', "[]", "{} ", "1 ", '"a"', "true", "[true", "[tru", '["a"', '{"a":{}'],
  ...["[[]", '{"a', '["', '["\\', '{"a":[1', '{"a":[1 ', '{"a":"b"', "[{},", "[1.5", "[-", "\u{feff}", '{"a":['],
  ...['{"a":[{"b":1}', "nul", "-", "1e", "0"],
];

/** Tokens, each of whose prefixes follows each state: right ones, and wrong ones. */
const TOKENS = [
  ..."{}[]:,".split(""),
  ...['"', '"a"', "true", "false", "null", "0", "-0", "12", "1.5", "-1.5e+10", "1E-2", " 7", "\n7", "7 ", " "],
  ...["--", "00", "01", "-e", ".5", "+1", "1.e", "1.0e1.2", "1e+-", "1-2", "1+2", "e", "E5", "1ee", "-.", "x"],
  ...["t1", "nul-1", "e-1", "1,,", "1}", "1]", "5:", '1"'],
];

const TEXTS = STATES.flatMap((state) =>
  TOKENS.flatMap((token) => Array.from(token, (_, i) => state + token.slice(0, i + 1)))
);

/** Options of parsers; the validator gets those that it has. */
const READERS: Record<string, BinaryParserOptions> = {
  "a document": {},
  lines: { multiple: "lines" },
  "concatenated values": { multiple: "concatenated" },
  "a guarded document": { maxDepth: 9, duplicateKeys: "reject", maxElements: 2 },
  "guarded lines": { multiple: "lines", maxElements: 1, maxMembers: 9 },
  "a document with other numbers": { numbers: "source" },
  "a guarded document with other numbers": { numbers: "source", maxElements: 1 },
  "lines with other numbers": { multiple: "lines", numbers: "source" },
  "a selected part": { select: selector({ a: true }) },
  "selected elements": { select: selector([{ b: true }]) },
  "a selected part of a guarded document": { select: selector({ a: true }), maxElements: 1, maxDepth: 9 },
  "selected parts of lines": { multiple: "lines", select: selector({ a: [true] }) },
  "filtered lines": { multiple: "lines", where: [["/a", "=", 1]] },
  "filtered and guarded values": { multiple: "concatenated", where: [["/a", "=", 1]], maxElements: 9 },
};

describe("a byte that makes the input wrong is refused at once in", () => {
  for (const [name, options] of Object.entries(READERS)) {
    const { select: _select, where: _where, numbers: _numbers, ...checks } = options;
    it(name, () => {
      for (const text of TEXTS) {
        for (const size of [1, 2, 3, 100]) {
          const parser = new BinaryParser(options);
          const validator = new BinaryValidator(checks as BinaryValidatorOptions);
          const bytes = utf8(text);
          for (let p = 0; p < bytes.length; p += size) {
            const piece = bytes.subarray(p, p + size);
            const seen = JSON.stringify(text.slice(0, p + size));
            assertEquals(parser.push(piece), validator.push(piece), `${seen} in pieces of ${size}`);
          }
          const [parsed, validated] = [parser.end(), validator.end()];
          assertEquals(parsed.ok, validated.ok, text);
          if (!parsed.ok) assertEquals(parsed, validated as typeof parsed);
        }
      }
    });
  }

  it("a string, but where more than 1 KiB of it has no end: then it is refused at the end", () => {
    for (const text of ["x", "é", "中", "\u{1f600}"]) {
      for (const [length, size] of [[3000, 1], [3000, 700], [3000, 1024], [3000, 1500], [9000, 4000]]) {
        const start = utf8(`["${text.repeat(length)}`);
        const bytes = concat([start, Uint8Array.of(0xff), utf8(`${text.repeat(length)}"]`)]);
        const [parser, validator] = [new BinaryParser(), new BinaryValidator()];
        for (let p = 0; p < bytes.length; p += size) {
          const piece = bytes.subarray(p, p + size);
          const [isRight, isValid] = [parser.push(piece), validator.push(piece)];
          if (size <= 1024 || p + size >= bytes.length) assertEquals(isRight, isValid, `${text} by ${size}`);
          assert(isRight || !isValid);
        }
        assertEquals(parser.end(), validator.end() as ParseFailure);
      }
    }
  });

  /** Compares a parser with the validator, byte by byte after a beginning that is long. */
  function comparePushes(makeParser: () => { push(bytes: Uint8Array): boolean }, texts: string[]): void {
    for (const text of texts) {
      const [parser, validator] = [makeParser(), new BinaryValidator()];
      const pieces = text[0] === "{" ? [`{"z":"${"x".repeat(5000)}",`, ...text.slice(1)] : [...text];
      for (const piece of pieces) assertEquals(parser.push(utf8(piece)), validator.push(utf8(piece)), text);
    }
  }
  const members = TEXTS.filter((text) => text.startsWith('{"a'));

  it("elements of an array", () => {
    comparePushes(() => new BinaryParser({ multiple: "elements" }), TEXTS.filter((text) => text.startsWith("[")));
  });

  it("members of a long object that is selected from", () => {
    for (const mask of [{ a: true }, { a: [{ b: true }] }, { "a\n": true, [every]: { b: true } }] as const) {
      comparePushes(() => new BinaryParser({ select: selector(mask as { a: true }) }), members);
    }
  });

  it("members of a long object in which a pointer is followed", () => {
    for (const at of ["/a", "/a/0", "/b"]) comparePushes(() => new PointerParser(at, {}), members);
  });
});
