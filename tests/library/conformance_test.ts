/**
 * The conformance sets others have gathered, every line of them. They are no part of the
 * repository: without `BYTEJSON_SHARED` (or `../shared`) each set says that it is skipped.
 */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import { validateBinary } from "../../validate_binary.ts";
import { assertAgreement, assertPieces, assertResult, assertValue } from "../support/assertions.ts";
import { between, concat, FORMS, fromHex, NEIGHBOURS, show, textOf, utf8 } from "../support/bytes.ts";
import {
  bytesOfField,
  conformanceFolder,
  cutTests,
  FILE_SETS,
  readLines,
  readListed,
  readTable,
  verdictOf,
} from "../support/conformance.ts";
import { referenceParse } from "../support/reference.ts";
import { describeLong } from "../support/long.ts";

function failAt(offset: number): ParseResult {
  const position = { offset, line: 1, column: offset + 1, truncated: true };
  return { ok: false, code: "unexpected-end", message: "Unexpected end of JSON input", ...position };
}

/** Results of files too deep for the reference parser, which is recursive. */
const TOO_DEEP: Record<string, ParseResult> = {
  "n_structure_100000_opening_arrays.json": failAt(100_000),
  "n_structure_open_array_object.json": { ...failAt(250_000), offset: 250_001, line: 2, column: 1 } as ParseResult,
};

for (const { name, accepted, rejected } of FILE_SETS) {
  const folder = conformanceFolder(name);
  if (folder) {
    const counts = { accept: 0, reject: 0 };
    describe(name, () => {
      for (const [file, length, , whole, withoutMark] of readTable(folder, "expected.tsv")) {
        const verdict = (withoutMark === "=" ? whole : withoutMark).slice(0, 6) as "accept" | "reject";
        it(`${verdict}s ${file}`, () => {
          const bytes = readListed(folder, file);
          assertStrictEquals(bytes.length, Number(length));
          const result = assertAgreement(bytes, FORMS, TOO_DEEP[file]);
          assertStrictEquals(result.ok ? "accept" : "reject", verdict);
          assertStrictEquals(result.ok, verdictOf(file) ?? result.ok);
          counts[verdict]++;
        });
      }
      it("is complete", () => assertEquals(counts, { accept: accepted, reject: rejected }));
    });
  }
}

const test262 = conformanceFolder("test262_json");
if (test262) {
  describe("test262", () => {
    const cases = Map.groupBy(readTable(test262, "cases.tsv"), ([, , , file]) => file);
    for (const [file, lines] of cases) {
      it(file, () => {
        for (const [verdict, document, text] of lines) {
          const bytes = bytesOfField(document);
          const result = assertAgreement(bytes, FORMS);
          // The one decision of our own: a byte-order mark is skipped.
          const expected = document.startsWith("efbbbf") ? "accept" : verdict;
          assertStrictEquals(result.ok ? "accept" : "reject", expected, show(bytes));
          if (verdict === "accept" && result.ok) {
            assertStrictEquals(JSON.stringify(result.value), textOf(fromHex(text)));
          }
        }
      });
    }
    it("is complete", () => assertStrictEquals([...cases.values()].flat().length, 1018));
  });
}

const numbers = conformanceFolder("numbers");
if (numbers) {
  const file = Deno.readFileSync(new URL("number_cases.txt", numbers));
  const bits = new DataView(new ArrayBuffer(8));
  const cases = textOf(file)!.trimEnd().split("\n").map((line) => {
    bits.setBigUint64(0, BigInt(`0x${line.slice(0, 16)}`));
    return { text: line.slice(17), number: bits.getFloat64(0) };
  });

  /** Every case, or one in so many, in `frame`, between digits and other hostile neighbours. */
  const assertEach = (frame: (text: string) => string, value: (number: number) => unknown, step = 1): void => {
    for (let i = 0; i < cases.length; i += step) {
      const { text, number } = cases[i];
      assertValue(between(NEIGHBOURS[i % NEIGHBOURS.length], utf8(frame(text))), value(number));
    }
  };

  describe("numbers", () => {
    it("are complete", () => assertStrictEquals(cases.length, 107275));
    it("alone", () => assertEach((text) => text, (number) => number));
    it("where they stand in the file, bytes of other lines around them", () => {
      let start = 0;
      for (const { text, number } of cases) {
        start += 17;
        assertValue(file.subarray(start, start + text.length), number);
        start += text.length + 1;
      }
    });
    it("all in one array", () => {
      const values = cases.map(({ number }) => number);
      assertValue(utf8(`[${cases.map(({ text }) => text).join()}]`), values);
      assertValue(utf8(`["",${cases.map(({ text }) => text).join(" , ")}]`), ["", ...values]);
    });

    it("that are none", () => {
      const lines = readLines(numbers, "number_reject.txt");
      assertStrictEquals(lines.length, 1143);
      for (const line of lines) {
        assert(!assertAgreement(utf8(line), FORMS).ok, line);
        assertAgreement(utf8(`[${line}]`)); // some of them, such as "0,1", are arrays
      }
    });
  });

  for (const [group, step] of [[describe, 5], [describeLong, 1]] as const) {
    group(step === 1 ? "all numbers" : `one number in ${step}`, () => {
      it("in an array and an object, with either sign", () => {
        const turned = (text: string): string => text.startsWith("-") ? text.slice(1) : `-${text}`;
        assertEach((text) => `[${text} ,{"n":${turned(text)}},${text}]`, (n) => [n, { n: -n }, n], step);
      });
    });
  }
}

const utf8Cases = conformanceFolder("utf8");
if (utf8Cases) {
  const cases = readTable(utf8Cases, "utf8_cases.tsv").map(([verdict, digits, offset, source]) => {
    const bytes = bytesOfField(digits);
    // These bytes are an error of JSON in a string; ill-formed bytes before them come first.
    const special = bytes.findIndex((byte) => byte < 0x20 || byte === 0x22 || byte === 0x5c);
    return { bytes, illFormed: verdict === "reject" ? Number(offset) : undefined, special, source };
  });

  describe("UTF-8", () => {
    it("is complete", () => assertStrictEquals(cases.length, 6224));

    /**
     * Every case in a string whose own bytes are `before` and `after`, in one form after the other.
     */
    function assertEach(before: Uint8Array, after: Uint8Array): void {
      cases.forEach(({ bytes, illFormed, special, source }, i) => {
        const document = concat([before, bytes, after]);
        const result = assertAgreement(document, [FORMS[i % FORMS.length]]);
        if (illFormed !== undefined && (special < 0 || illFormed < special)) {
          const found = result.ok ? "accepted" : `${result.code} at ${result.offset}`;
          assertStrictEquals(found, `invalid-utf8 at ${before.length + illFormed}`, `${source}: ${show(document)}`);
        } else if (special < 0) {
          assertStrictEquals(result.ok, after.length > 0, `${source}: ${show(document)}`);
        }
      });
    }

    it("as a string", () => assertEach(utf8('"'), utf8('"')));
    it("as a key", () => assertEach(utf8('{"'), utf8('":1}')));
    it("in the midst of a long string", () =>
      assertEach(utf8(`["${"long ".repeat(13)}`), utf8(`${"é中😀".repeat(9)}"]`)));
    it("behind an escape", () => assertEach(utf8('"\\n'), utf8('\\u00e9"')));
    it("at the end of the input", () => assertEach(utf8('["'), utf8()));
    it("outside a string", () => cases.forEach(({ bytes }) => assertAgreement(bytes)));

    for (const name of ["UTF-8-test.txt", "utf8tests.bin", "utf8tests.txt"]) {
      it(`a whole file: ${name}`, () => {
        const bytes = Deno.readFileSync(new URL(name, utf8Cases));
        const escaped = Array.from(bytes, (byte) => {
          const asItIs = byte >= 0x20 && byte !== 0x22 && byte !== 0x5c;
          return asItIs ? Uint8Array.of(byte) : utf8(`\\u00${byte.toString(16).padStart(2, "0")}`);
        });
        const result = assertAgreement(concat([utf8('"'), ...escaped, utf8('"')]));
        assertStrictEquals(result.ok, textOf(bytes) !== undefined);
      });
    }
  });
}

const keyCacheBug = conformanceFolder("v8_key_cache_bug");
if (keyCacheBug) {
  describe("V8's key cache bug", () => {
    const sequences = readTable(keyCacheBug, "sequences.tsv").map((fields) => fields.slice(0, 3).map(fromHex));

    it("is complete", () => assertStrictEquals(sequences.length, 117));

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

    it("is not ours when both stand in one document", () => {
      for (const [first, second] of sequences) {
        const document = concat([utf8("["), first, utf8(","), second, utf8(","), first, utf8(","), second, utf8("]")]);
        assertResult(document, referenceParse(document));
      }
    });
  });
}

describeLong("conformance files cut anywhere", () => {
  for (const { name, isFile, documents } of cutTests()) {
    it(name, () => {
      for (const { bytes, cuts, isValid } of documents()) {
        const result = parseBinary(bytes);
        if (isValid !== undefined) assertStrictEquals(result.ok, isValid);
        for (const [form, make] of isFile ? FORMS : []) {
          assertStrictEquals(validateBinary(make(bytes)).ok, result.ok, form);
        }
        assertPieces(bytes, result, cuts);
      }
    });
  }
});
