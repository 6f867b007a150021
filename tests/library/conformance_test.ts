/**
 * The conformance sets others have gathered, every line of them, whole and, in the long tests, cut
 * anywhere. They are no part of the repository: without `BYTEJSON_SHARED` (or `../shared`) each set
 * is skipped.
 */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { validateBinary } from "../../validate_binary.ts";
import { assertAgreement, assertResult, assertValue } from "../support/assertions.ts";
import { between, concat, type Form, FORMS, fromHex, NEIGHBOURS, show, textOf, utf8 } from "../support/bytes.ts";
import { manyCuts } from "../support/cuts.ts";
import { sharedFolder, withoutShared } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertRead, PLAIN } from "../support/readers.ts";
import { referenceParse } from "../support/reference.ts";
import { describeUnless } from "../support/skip.ts";

/** Sets of files with `expected.tsv`, which tells what is accepted and what is rejected. */
const FILE_SETS: { name: string; accepted: number; rejected: number }[] = [
  { name: "json_test_suite", accepted: 117, rejected: 201 },
  { name: "json_test_suite_transform", accepted: 19, rejected: 3 },
  { name: "nativejson_jsonchecker", accepted: 5, rejected: 31 },
  { name: "nativejson_roundtrip", accepted: 27, rejected: 0 },
  { name: "simdjson_jsonchecker", accepted: 25, rejected: 46 },
];

/** Returns the folder of a set. Where there is none, registers a test as skipped. */
function conformanceFolder(name: string): URL | undefined {
  const reason = withoutShared(`conformance/${name}`);
  if (reason) describeUnless(reason)(name, () => {});
  return sharedFolder(`conformance/${name}`);
}

/** Reads the fields of a file of tab-separated values, without comments. */
function readTable(folder: URL, name: string): string[][] {
  const lines = Deno.readTextFileSync(new URL(name, folder)).split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split("\t"));
}

function failAt(offset: number): ParseResult {
  const position = { offset, line: 1, column: offset + 1, truncated: true };
  return { ok: false, code: "unexpected-end", message: "Unexpected end of JSON input", ...position };
}

/** Results of files too deep for the reference parser, which is recursive. */
const TOO_DEEP: Record<string, ParseResult> = {
  "n_structure_100000_opening_arrays.json": failAt(100_000),
  "n_structure_open_array_object.json": { ...failAt(250_000), offset: 250_001, line: 2, column: 1 } as ParseResult,
};

/** Asserts what readers make of bytes, and returns the result. */
type Check = (bytes: Uint8Array, forms?: Form[], expected?: ParseResult) => ParseResult;

const checkPieces: Check = (bytes, forms = []) => {
  const result = parseBinary(bytes);
  for (const [form, make] of forms) assertStrictEquals(validateBinary(make(bytes)).ok, result.ok, form);
  assertRead(bytes, PLAIN, manyCuts(bytes.length), result);
  return result;
};

const GROUPS: { group: (name: string, body: () => void) => void; how: string; check: Check }[] = [
  { group: describe, how: "", check: assertAgreement },
  { group: describeLong, how: ", cut anywhere", check: checkPieces },
];

const folders = FILE_SETS.map((set) => ({ ...set, folder: conformanceFolder(set.name) }));
const test262 = conformanceFolder("test262_json");
const numbers = conformanceFolder("numbers");
const utf8Cases = conformanceFolder("utf8");
const keyCacheBug = conformanceFolder("v8_key_cache_bug");

for (const { group, how, check } of GROUPS) {
  for (const { name, accepted, rejected, folder } of folders) {
    if (folder === undefined) continue;
    const counts = { accept: 0, reject: 0 };
    group(`${name}${how}`, () => {
      for (const [file, length, , whole, withoutMark] of readTable(folder, "expected.tsv")) {
        const verdict = (withoutMark === "=" ? whole : withoutMark).slice(0, 6) as "accept" | "reject";
        it(`${verdict}s ${file}`, () => {
          const bytes = Deno.readFileSync(new URL(encodeURIComponent(file), folder));
          assertStrictEquals(bytes.length, Number(length));
          const result = check(bytes, FORMS, TOO_DEEP[file]);
          assertStrictEquals(result.ok ? "accept" : "reject", verdict);
          if (/^[yn]_/.test(file)) assertStrictEquals(result.ok, file.startsWith("y_"));
          counts[verdict]++;
        });
      }
      it("has all of its cases", () => assertEquals(counts, { accept: accepted, reject: rejected }));
    });
  }

  if (test262) {
    group(`test262${how}`, () => {
      const cases = Map.groupBy(readTable(test262, "cases.tsv"), ([, , , file]) => file);
      for (const [file, lines] of cases) {
        it(file, () => {
          for (const [verdict, document, text] of lines) {
            const bytes = fromHex(document);
            const result = check(bytes, FORMS);
            // The one decision of our own: a byte-order mark is skipped.
            const expected = document.startsWith("efbbbf") ? "accept" : verdict;
            assertStrictEquals(result.ok ? "accept" : "reject", expected, show(bytes));
            if (verdict === "accept" && result.ok) {
              assertStrictEquals(JSON.stringify(result.value), textOf(fromHex(text)));
            }
          }
        });
      }
      it("has all of its cases", () => assertStrictEquals([...cases.values()].flat().length, 1018));
    });
  }

  if (numbers) {
    group(`malformed numbers${how}`, () => {
      it("are rejected", () => {
        const lines = Deno.readTextFileSync(new URL("number_reject.txt", numbers)).trimEnd().split("\n");
        assertStrictEquals(lines.length, 1143);
        for (const line of lines) {
          assert(!check(utf8(line), FORMS).ok, line);
          check(utf8(`[${line}]`)); // some of them, such as "0,1", are arrays
        }
      });
    });
  }

  if (utf8Cases) {
    const cases = readTable(utf8Cases, "utf8_cases.tsv").map(([verdict, digits, offset, source]) => {
      const bytes = fromHex(digits);
      // These bytes are an error of JSON in a string; ill-formed bytes before them come first.
      const special = bytes.findIndex((byte) => byte < 0x20 || byte === 0x22 || byte === 0x5c);
      return { bytes, illFormed: verdict === "reject" ? Number(offset) : undefined, special, source };
    });
    const frames: { place: string; before: string; after: string }[] = [
      { place: "as a string", before: '"', after: '"' },
      { place: "as a key", before: '{"', after: '":1}' },
      { place: "in the midst of a long string", before: `["${"long ".repeat(13)}`, after: `${"é中😀".repeat(9)}"]` },
      { place: "behind an escape", before: '"\\n', after: '\\u00e9"' },
      { place: "at the end of the input", before: '["', after: "" },
    ];
    group(`UTF-8${how}`, () => {
      it("has all of its cases", () => assertStrictEquals(cases.length, 6224));
      it("is checked outside a string", () => cases.forEach(({ bytes }) => check(bytes)));
      for (const { place, before, after } of frames) {
        it(`is checked ${place}`, () => {
          cases.forEach(({ bytes, illFormed, special, source }, i) => {
            const document = concat([utf8(before), bytes, utf8(after)]);
            const result = check(document, [FORMS[i % FORMS.length]]); // in one form after the other
            if (illFormed !== undefined && (special < 0 || illFormed < special)) {
              const found = result.ok ? "accepted" : `${result.code} at ${result.offset}`;
              const expected = `invalid-utf8 at ${utf8(before).length + illFormed}`;
              assertStrictEquals(found, expected, `${source}: ${show(document)}`);
            } else if (special < 0) {
              assertStrictEquals(result.ok, after.length > 0, `${source}: ${show(document)}`);
            }
          });
        });
      }
    });
  }
}

if (numbers) {
  const file = Deno.readFileSync(new URL("number_cases.txt", numbers));
  const bits = new DataView(new ArrayBuffer(8));
  const cases = textOf(file)!.trimEnd().split("\n").map((line) => {
    bits.setBigUint64(0, BigInt(`0x${line.slice(0, 16)}`));
    return { text: line.slice(17), number: bits.getFloat64(0) };
  });

  describe("numbers", () => {
    it("have all of their cases", () => assertStrictEquals(cases.length, 107275));
    it("are read alone, and in the file, with bytes of other lines around them", () => {
      let start = 0;
      for (const [i, { text, number }] of cases.entries()) {
        assertValue(between(NEIGHBOURS[i % NEIGHBOURS.length], utf8(text)), number);
        start += 17;
        assertValue(file.subarray(start, start + text.length), number);
        start += text.length + 1;
      }
    });
    it("are read all in one array", () => {
      const values = cases.map(({ number }) => number);
      assertValue(utf8(`["",${cases.map(({ text }) => text).join(" , ")}]`), ["", ...values]);
      assertValue(utf8(`[${cases.map(({ text }) => text).join()}]`), values);
    });
  });

  for (const [group, step] of [[describe, 40], [describeLong, 1]] as const) {
    group(`one number in ${step}`, () => {
      it("is read in an array and an object, with either sign, and cut", () => {
        for (let i = 0; i < cases.length; i += step) {
          const { text, number } = cases[i];
          const turned = text.startsWith("-") ? text.slice(1) : `-${text}`;
          const bytes = between(NEIGHBOURS[i % NEIGHBOURS.length], utf8(`[${text} ,{"n":${turned}},${text}]`));
          const value = [number, { n: -number }, number];
          assertValue(bytes, value);
          assertRead(bytes, PLAIN, [[1 + i % text.length, bytes.length - 2 - i % text.length]], { ok: true, value });
        }
      });
    });
  }
}

if (keyCacheBug) {
  describe("V8's key cache bug", () => {
    const sequences = readTable(keyCacheBug, "sequences.tsv").map((fields) => fields.slice(0, 3).map(fromHex));

    it("has all of its cases", () => assertStrictEquals(sequences.length, 117));

    it("is not ours", () => {
      for (const [first, second, lastKey] of sequences) {
        for (let times = 0; times < 5; times++) {
          for (const [form, make] of FORMS) {
            assert(parseBinary(first).ok);
            const result = assertResult(make(second), referenceParse(second), form);
            let object = result.ok ? result.value : undefined;
            while (Array.isArray(object)) object = object[0];
            assertStrictEquals(Object.keys(object as object).at(-1), textOf(lastKey), show(second));
          }
        }
      }
    });
  });
}
