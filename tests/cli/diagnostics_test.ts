/**
 * Diagnostics of an input in pieces: failures, the bytes around them, and hints.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  type Diagnostic,
  type DiagnosticOptions,
  DiagnosticValidator,
  type InputResult,
  validateBytes,
} from "../../cli/diagnostics/diagnostic_validator.ts";
import { hintFor } from "../../cli/diagnostics/hints.ts";
import { fromHex, utf8 } from "../support/bytes.ts";

const OPTIONS: DiagnosticOptions = { isJsonLines: false, maxDiagnostics: 20, failFast: false };

/** Inspects pieces, taking diagnostics as soon as they are there. */
function validatePieces(pieces: Iterable<Uint8Array<ArrayBuffer>>, options: Partial<DiagnosticOptions> = {}) {
  const validator = new DiagnosticValidator({ ...OPTIONS, ...options });
  const diagnostics: Diagnostic[] = [];
  for (const piece of pieces) {
    validator.push(piece);
    diagnostics.push(...validator.take());
    piece.fill(0xff); // the next read overwrites it
    if (validator.isComplete) break;
  }
  const result = validator.end();
  return { result, diagnostics: [...diagnostics, ...validator.take()] };
}

/** The bytes in pieces of a size. */
function* piecesOf(bytes: Uint8Array<ArrayBuffer>, size: number): Generator<Uint8Array<ArrayBuffer>> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
}

describe("DiagnosticValidator", () => {
  const cases: Record<string, { input: string | Uint8Array<ArrayBuffer>; options?: Partial<DiagnosticOptions> }> = {
    "a short document": { input: '{\n  "a": 1,\n  "b": 2,,\n}\n' },
    "one that ends too early": { input: "[1, 2,\n" },
    "one with long lines around": {
      input: `["${"a".repeat(3000)}",\n"${"é".repeat(1500)}", oops, "${"b".repeat(3000)}"]`,
    },
    "a character that is none, far in": { input: fromHex(`22${"61".repeat(2100)}f09f98${"62".repeat(1100)}22`) },
    "JSON Lines": { input: `1\r\n[1,\r\n{"a":}\n${"x".repeat(2500)}\n\n"\u00e9\n[`, options: { isJsonLines: true } },
    "JSON Lines, the first of them": { input: "1\n[\n2\n[\n3\n[", options: { isJsonLines: true, maxDiagnostics: 1 } },
  };
  for (const [name, { input, options = {} }] of Object.entries(cases)) {
    it(`finds the same in pieces of any size: ${name}`, () => {
      const bytes = typeof input === "string" ? utf8(input) : input;
      const expected = validatePieces([bytes.slice()], options);
      assert(expected.diagnostics.length > 0);
      for (const { excerpt, offset } of expected.diagnostics) {
        const start = offset - excerpt.at;
        assertEquals(excerpt.bytes, bytes.slice(start, start + excerpt.bytes.length));
        assertEquals(excerpt.isStart, start === 0);
        assert(excerpt.bytes.length - excerpt.at === 1024 || start + excerpt.bytes.length === bytes.length);
      }
      for (const size of [1, 2, 3, 7, 100, 1000, 1024, 2048, 3000]) {
        const { result, diagnostics } = validatePieces(piecesOf(bytes, size), options);
        assertEquals(diagnostics, expected.diagnostics, `pieces of ${size}`);
        assertEquals({ ...result, bytes: 0 }, { ...expected.result, bytes: 0 }, `pieces of ${size}`);
      }
    });
  }

  it("is complete after the bytes around the first failure", () => {
    const validator = new DiagnosticValidator(OPTIONS);
    validator.push(utf8("[1,]"));
    assert(validator.isDecided && !validator.isComplete);
    assertEquals(validator.validBytes, 3);
    validator.push(utf8(" ".repeat(1100)));
    assert(validator.isComplete);
    const result: InputResult = { bytes: 1104, invalidDocuments: 1, isFinal: true };
    assertEquals(validator.end(false), result);
  });

  it("counts all failures, and returns some", () => {
    const bytes = utf8("[\n".repeat(25) + "1\n");
    const { result, diagnostics } = validateBytes(bytes, true, 3);
    assertEquals(result, { bytes: bytes.length, documents: 26, invalidDocuments: 25, isFinal: true });
    assertEquals(diagnostics.map(({ line }) => line), [1, 2, 3]);
  });

  it("counts an unfinished line", () => {
    const validator = new DiagnosticValidator({ ...OPTIONS, isJsonLines: true });
    validator.push(utf8("1\n2\nx and so on"));
    assertEquals(validator.end(false), { bytes: 15, documents: 3, invalidDocuments: 1, isFinal: false });
  });

  it("stops at the first failure with failFast", () => {
    const { result } = validatePieces([utf8("1\n[\n2\n[\n")], { isJsonLines: true, failFast: true });
    assertEquals(result, { bytes: 8, documents: 2, invalidDocuments: 1, isFinal: true });
  });
});

describe("hintFor()", () => {
  const UTF16 = "looks like UTF-16; convert it to UTF-8";
  const HASH = "looks like a comment; JSON has none";
  const COMMENT = "looks like a comment; try check --jsonc '*'";
  const CONFLICT = "looks like a merge conflict; resolve it first";
  const COMMA = "looks like a trailing comma; JSON has none";
  const QUOTES = 'looks like another quotation mark; JSON has only "';
  const INFINITY = "looks like Infinity; JSON has no such number, and JSON.stringify writes null";
  const LINES = "looks like JSON Lines; try --jsonl";
  const SEVERAL = "looks like several documents; try check --concatenated";
  const cases: [input: string | Uint8Array<ArrayBuffer>, hint: string | undefined][] = [
    ["", "the input is empty"],
    [" \n\t", "the input has only whitespace"],
    ["\ufeff", "the input has only whitespace"],
    [fromHex("fffe7b00"), UTF16],
    [fromHex("feff007b"), UTF16],
    [fromHex("7b0022006100"), UTF16],
    [fromHex("007b00220061"), UTF16],
    [fromHex("fffe00007b000000"), "looks like UTF-32; convert it to UTF-8"],
    [fromHex("1f8b0800"), "looks like gzip; decompress it first"],
    [fromHex("28b52ffd"), "looks like Zstandard; decompress it first"],
    ["BZh91AY", "looks like bzip2; decompress it first"],
    [fromHex("fd377a585a00"), "looks like xz; decompress it first"],
    ["PK\x03\x04", "looks like a ZIP archive; extract it first"],
    ["\n<!DOCTYPE html>", "looks like HTML or XML"],
    ["\x1e{}\n", "looks like a JSON text sequence (RFC 7464), with byte 0x1E before each document"],
    ["{}\n{}\n", LINES],
    ['{"a":1}\n\n[\n1]', LINES],
    ['{\n"a":1}\n{}', SEVERAL],
    ['{\n"a":\n1}\n{}', SEVERAL],
    ["{} {}", SEVERAL],
    ["1 -2", SEVERAL],
    ["[1]]", undefined],
    ["{} end", undefined],
    ["[1\ufeff]", "looks like a byte-order mark; it may only stand at the very beginning"],
    ["[1 // one\n]", COMMENT],
    ["{/* none */}", COMMENT],
    ["# none\n{}", HASH],
    ['["a/b" / 2]', undefined],
    ["[1,]", COMMA],
    ['{"a": 1,\n}', COMMA],
    ['{"a": 1,, "b": 2}', undefined],
    ["['a']", QUOTES],
    ["{'a': 1}", QUOTES],
    ["{“a”: 1}", QUOTES],
    ['["\\\'"]', undefined],
    ["[NaN]", "looks like NaN; JSON has no such number, and JSON.stringify writes null"],
    ["[nan]", "looks like NaN; JSON has no such number, and JSON.stringify writes null"],
    ["[Infinity]", INFINITY],
    ["-Infinity", INFINITY],
    ["[undefined]", "looks like undefined; JSON has null"],
    ["[None]", "looks like None; JSON has null"],
    ["[True]", "looks like True or False; JSON has true and false"],
    ["{a: 1}", "looks like a property name without quotation marks; JSON requires them"],
    ["{年: 1}", "looks like a property name without quotation marks; JSON requires them"],
    ["[0x1F]", "looks like a hexadecimal, octal or binary number; JSON has only decimal ones"],
    ["[007]", "looks like leading zeros; JSON has none"],
    ["[.5]", "looks like a number that begins with a point; JSON requires a digit before it"],
    ["[+1]", "looks like a plus sign before a number; JSON has none"],
    ['["C:\\data"]', "looks like a literal backslash; JSON has \\\\ for it"],
    [fromHex("22eda080eda08022"), "looks like a surrogate in UTF-8 (CESU-8), which is malformed"],
    [fromHex("22636166e92022"), "looks like Latin-1 or Windows-1252; convert it to UTF-8"],
    ['["a" "b"]', undefined],
    ["[1", "the input ends early"],
    ['["a', "the input ends early"],
    [fromHex("5b22c3"), "the input ends early"],
    ["[", undefined], // the message says so
    ["hello", undefined],
    ['{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> b\n}', CONFLICT],
    ['{\n"a": 1\n=======\n"b": 2}', CONFLICT],
    ['{"a": 1\n>>>>>>> b\n}', CONFLICT],
    ["[1,\n======== 2]", undefined],
    ["[1, <<<<<<< HEAD]", undefined],
  ];
  for (const [input, hint] of cases) {
    const bytes = typeof input === "string" ? utf8(input) : input;
    const shown = typeof input === "string" ? JSON.stringify(input) : bytes.toHex();
    it(`${hint === undefined ? "gives no hint" : "gives a hint"}: ${shown}`, () => {
      const { diagnostics } = validateBytes(bytes, false, 1);
      assertEquals(diagnostics.length, 1);
      assertEquals(hintFor(diagnostics[0]), hint);
    });
  }

  for (const name of ["a/x.jsonc", "tsconfig.build.json", "/a/.vscode/settings.json", "deno.json", ".swcrc"]) {
    it(`says that check accepts comments and trailing commas in ${name}`, () => {
      for (const [text, hint] of [["[1, // one\n2]", COMMENT], ["[1,]", COMMA]]) {
        const { diagnostics } = validateBytes(utf8(text), false, 1);
        const told = hint.replace(/;.*/, "; check without --strict accepts it here");
        assertEquals(hintFor(diagnostics[0], name), told);
      }
    });
  }

  it("says no such thing for other names and comments", () => {
    const { diagnostics: [comma] } = validateBytes(utf8("[1,]"), false, 1);
    assertEquals(hintFor(comma, "config.json"), COMMA);
    const { diagnostics: [comment] } = validateBytes(utf8("# one\n1"), false, 1);
    assertEquals(hintFor(comment, "tsconfig.json"), HASH);
  });

  it("names a pattern that matches the file", () => {
    const { diagnostics: [comment] } = validateBytes(utf8("[/**/]"), false, 1);
    for (const [name, glob] of [["a/b-c.json", "b-c.json"], ["<stdin>", "*"], ["it's.json", "*"]]) {
      assertEquals(hintFor(comment, name), `looks like a comment; try check --jsonc '${glob}'`);
    }
  });

  it("takes no document out of sight for one of JSON Lines", () => {
    const { diagnostics } = validateBytes(utf8(`\n["${"x".repeat(3000)}"]\n{}`), false, 1);
    assertEquals(diagnostics[0].code, "trailing-content");
    assertEquals(hintFor(diagnostics[0]), SEVERAL);
  });
});
