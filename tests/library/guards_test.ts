/** Options that guard against hostile input, and exact numbers, against an independent reading. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  type FailureCode,
  parseBinary,
  type ParseFailure,
  type ParseOptions,
  type ParseResult,
} from "../../parse_binary.ts";
import { locate, parseAt, type ParseAtOptions } from "../../pointer.ts";
import {
  BinaryParser,
  type BinaryParserOptions,
  type ParsedValue,
  parseStream,
  type ParseStreamAtOptions,
} from "../../parse_stream.ts";
import { every, type Mask, selectBinary, type Selector, selector } from "../../select.ts";
import { BinaryValidator, type GuardOptions, validateBinary } from "../../validate_binary.ts";
import { describeFailure } from "../../parser/base/failure.ts";
import { show, utf8 } from "../support/bytes.ts";
import { evenCuts, everyCut, piecesAt, randomCut } from "../support/cuts.ts";
import { difference, resultDifference } from "../support/difference.ts";
import { setting } from "../support/environment.ts";
import { guardedDocument, randomOptions, shortDocument } from "../support/guarded_documents.ts";
import { referenceRead, type Refusal } from "../support/reference.ts";
import { picked, randomMask, showMask } from "../support/masks.ts";
import { PointedText } from "../support/pointing.ts";
import { ROUNDS, withSeeds } from "../support/random.ts";
import { expectedOutcomes, SeveralParser, validatedOutcomes } from "../support/several_values.ts";

/** Returns the failure of a refusal. */
function failureOf(bytes: Uint8Array, { code, offset, firstOffset }: Refusal): ParseFailure {
  return { ...describeFailure(bytes, code, offset), ...firstOffset !== undefined && { firstOffset } };
}

/** Returns the expected result for a valid text. */
function expectedOf(bytes: Uint8Array, options: ParseOptions): ParseResult {
  const reading = referenceRead(bytes, options);
  return reading.refusal === null ? { ok: true, value: reading.value } : failureOf(bytes, reading.refusal);
}

/**
 * Returns the expected result for a valid text in pieces: a refusal before the last byte comes
 * first.
 */
function expectedInPieces(bytes: Uint8Array, options: ParseOptions, whole: ParseResult): ParseResult {
  if (whole.ok || whole.code !== "too-many-bytes") return whole;
  const { refusal } = referenceRead(bytes, { ...options, maxBytes: undefined });
  // Only the next byte says whether an integer has ended.
  const isFirst = refusal !== null &&
    refusal.certainAt + Number(refusal.code === "unsafe-integer") <= options.maxBytes!;
  return isFirst ? failureOf(bytes, refusal) : whole;
}

/** Returns whether the random tests are too few for each kind of result to occur. */
function hasFewRounds(): boolean {
  return Boolean(setting("BYTEJSON_ROUNDS") || setting("BYTEJSON_SEED"));
}

/** Fails unless two results of pointers are equal. */
function assertAlike(actual: unknown, expected: unknown, bytes: Uint8Array, options: ParseOptions): void {
  const problem = difference(actual, expected);
  if (problem !== undefined) throw new Error(`${show(bytes)} with ${JSON.stringify(options)}: ${problem}`);
}

/** Fails unless two results are equal, `firstOffset` included. */
function assertSame(actual: ParseResult, expected: ParseResult, bytes: Uint8Array, options: ParseOptions): void {
  const problem = resultDifference(actual, expected) ?? difference(actual, expected);
  if (problem !== undefined) throw new Error(`${show(bytes)} with ${JSON.stringify(options)}: ${problem}`);
}

/** Numbers that are none, or are followed by what may not follow. */
const MALFORMED_NUMBERS = [
  ...["1+2", "1-1", "1.5.5", "1e5e5", "1e5.5", "1.", "-", "01", "1e+", "1e+-2", "1.e5", "-.5"],
  ...["1-9007199254740993", "1.5-9007199254740993", "1e5-9007199254740993", "01-9007199254740993"],
  ...["9007199254740993-1", "-9007199254740993+1", "12345678901234567890-1", "9007199254740993e", "9007199254740993.x"],
  ...["09007199254740993", "9007199254740993.5.5", "9007199254740993e1-1"],
];

describe("parseBinary() with random options", () => {
  it("returns what an independent reading does, of valid texts", () => {
    const codes = new Set<string>();
    withSeeds(3_000, (random) => {
      const bytes = utf8(guardedDocument(random));
      for (let i = 0; i < 4; i++) {
        const options = randomOptions(random);
        const expected = expectedOf(bytes, options);
        codes.add(expected.ok ? "ok" : expected.code);
        assertSame(parseBinary(bytes, options), expected, bytes, options);
      }
    });
    assertEquals(codes.size, 9, `only ${[...codes]} occurred`);
  });

  it("returns the same by frozen options, which learn from one text for the next", () => {
    withSeeds(40, (random) => {
      const options = Object.freeze({ ...randomOptions(random), integers: "bigint" as const, maxBytes: Infinity });
      for (let i = 0; i < 60; i++) {
        const bytes = utf8(guardedDocument(random));
        if (random.below(4) === 0) bytes[random.below(bytes.length)] = 1;
        assertSame(parseBinary(bytes, options), parseBinary(bytes, { ...options }), bytes, options);
      }
    });
  });

  it("reports what comes first of texts that are cut or broken: the refusal, or the failure", () => {
    const counts = { refused: 0, failed: 0 };
    withSeeds(2_000, (random) => {
      const whole = utf8(guardedDocument(random));
      const options = { ...randomOptions(random), maxBytes: Infinity };
      const { refusal } = referenceRead(whole, options);
      for (let i = 0; i < 4; i++) {
        const at = random.below(whole.length);
        const isCut = random.below(2) === 0;
        const bytes = isCut ? whole.slice(0, at) : whole.slice();
        if (!isCut) bytes[at] = 1; // no valid byte anywhere
        const failure = parseBinary(bytes);
        // The rest of a cut number may be complete, as another number.
        if (failure.ok || /[-+.eE\d]/.test(String.fromCharCode(whole[at - 1]))) continue;
        const isRefused = refusal !== null && refusal.certainAt <= at;
        isRefused ? counts.refused++ : counts.failed++;
        assertSame(parseBinary(bytes, options), isRefused ? failureOf(bytes, refusal) : failure, bytes, options);
      }
    });
    assert(counts.refused > 50 && counts.failed > 50, JSON.stringify(counts));
  });
});

/** Parses bytes in pieces. */
function parsePieces(pieces: Iterable<Uint8Array>, options: BinaryParserOptions): ParseResult {
  const parser = new BinaryParser(options);
  for (const piece of pieces) parser.push(piece);
  return parser.end();
}

/** Reads bytes in pieces by each of the readers that take pieces. */
const PIECE_READERS: Record<string, (pieces: Iterable<Uint8Array>, options: ParseOptions) => ParseResult> = {
  BinaryParser: parsePieces,
  "BinaryParser that selects": (pieces, options) => parsePieces(pieces, { ...options, select: selector(true) }),
  BinaryValidator(pieces, options) {
    const validator = new BinaryValidator(options as GuardOptions);
    for (const piece of pieces) validator.push(piece);
    const result = validator.end();
    return result.ok ? { ok: true, value: undefined } : result;
  },
};

describe("other readers with random options", () => {
  it("validate what parseBinary parses", () => {
    withSeeds(600, (random) => {
      const bytes = utf8(guardedDocument(random));
      if (random.below(3) === 0) bytes[random.below(bytes.length)] = 1;
      const options = randomOptions(random, false) as GuardOptions;
      const expected = parseBinary(bytes, options);
      const valid = validateBinary(bytes, options);
      assertSame(
        valid.ok ? { ok: true, value: 1 } : valid,
        expected.ok ? { ok: true, value: 1 } : expected,
        bytes,
        options,
      );
    });
  });

  it("select from what an independent reading returns, whole and cut anywhere", () => {
    const found = { failures: 0, parts: 0, misfits: 0 };
    withSeeds(1_500, (random) => {
      const isShort = random.below(2) === 0;
      const bytes = utf8(isShort ? shortDocument(random) : guardedDocument(random));
      const options = randomOptions(random);
      const reading = expectedOf(bytes, options);
      const { refusal } = referenceRead(bytes, {});
      assertEquals(refusal, null);
      const mask = randomMask(random, reading.ok ? reading.value : null);
      const expected = reading.ok ? { ok: true as const, value: picked(reading.value, mask) } : reading;
      if (!expected.ok) found.failures++;
      else if (expected.value === undefined) found.misfits++;
      else found.parts++;
      const select: Selector<unknown> = selector(mask);
      const shown = { ...options, mask: showMask(mask) } as ParseOptions;
      assertSame(selectBinary(bytes, select, options), expected, bytes, shown);
      const cuts = bytes.length < 60 ? everyCut(bytes.length) : [randomCut(random, bytes.length)];
      const inPieces = expectedInPieces(bytes, options, expected);
      for (const cut of cuts) {
        const how = { ...shown, cut } as ParseOptions;
        assertSame(parsePieces(piecesAt(bytes, cut), { ...options, select }), inPieces, bytes, how);
      }
    });
    if (hasFewRounds()) return;
    assert(found.failures > 50 && found.parts > 50 && found.misfits > 5, JSON.stringify(found));
  });

  for (const [name, read] of Object.entries(PIECE_READERS)) {
    it(`return what parseBinary does, cut anywhere: ${name}`, () => {
      const codes = new Set<string>();
      withSeeds(600, (random) => {
        const bytes = utf8(guardedDocument(random)).slice(0, 600);
        if (random.below(3) === 0) bytes[random.below(bytes.length)] = 1;
        const options = { ...randomOptions(random, name !== "BinaryValidator"), maxBytes: undefined };
        const whole = parseBinary(bytes, options);
        codes.add(whole.ok ? "ok" : whole.code);
        const expected = whole.ok && name === "BinaryValidator" ? { ok: true as const, value: undefined } : whole;
        const cuts = random.below(4) === 0 ? everyCut(bytes.length) : [randomCut(random, bytes.length)];
        for (const cut of cuts) {
          assertSame(read(piecesAt(bytes, cut), options), expected, bytes, { ...options, cut } as never);
        }
      });
      if (ROUNDS < 0.5 || setting("BYTEJSON_SEED")) return; // too few documents for all codes
      for (const code of ["ok", "too-deep", "duplicate-key", "forbidden-key", "unsafe-integer"]) {
        assert(codes.has(code), `${code} never occurred`);
      }
    });
  }
});

describe("guards of several values in one input", () => {
  const TEXTS = [
    '{"a":1}',
    '{"a":1,"a":2}',
    "[[[1]]]",
    "9007199254740993",
    '{"a":\n1}',
    "[1",
    '"x"',
    "[9007199254740993]",
    "true",
    '{"a":1,\n"a":2}',
  ];
  const OPTIONS: GuardOptions = { maxDepth: 2, duplicateKeys: "reject", integers: "reject" };

  /** Returns the code of each value, and the offset of its failure. */
  function expectedPlaces(texts: string[], multiple: "lines" | "concatenated"): string[] {
    const found: string[] = [];
    let offset = 0;
    for (const text of texts) {
      for (const part of multiple === "lines" ? text.split("\n") : [text]) {
        const result = parseBinary(utf8(part), OPTIONS);
        found.push(result.ok ? "ok" : `${result.code} at ${offset + result.offset}`);
        offset += utf8(part).length + 1;
      }
    }
    return found;
  }

  for (const multiple of ["lines", "concatenated"] as const) {
    it(`refuse one value and go on with the next: ${multiple}`, () => {
      withSeeds(60, (random) => {
        const texts = Array.from({ length: 1 + random.below(6) }, () => TEXTS[random.below(TEXTS.length)])
          .filter((text) => multiple === "lines" || text !== "[1");
        const bytes = utf8(texts.map((text) => `${text}\n`).join(""));
        const expected = expectedPlaces(texts, multiple);
        for (const cut of everyCut(bytes.length)) {
          const parsed: string[] = [];
          const failures: string[] = [];
          const parser = new BinaryParser({
            ...OPTIONS,
            multiple,
            onValue: () => parsed.push("ok"),
            onInvalid: ({ failure }) => parsed.push(`${failure.code} at ${failure.offset}`),
          });
          const validator = new BinaryValidator({
            ...OPTIONS,
            multiple,
            onDocument: ({ failure }) =>
              failures.push(failure === null ? "ok" : `${failure.code} at ${failure.offset}`),
          });
          for (const piece of piecesAt(bytes, cut)) {
            parser.push(piece);
            validator.push(piece);
          }
          parser.end();
          validator.end();
          assertEquals(failures, expected, `validator, cut at ${cut}: ${show(bytes)}`);
          assertEquals(parsed, expected, `parser, cut at ${cut}: ${show(bytes)}`);
        }
      });
    });
  }

  for (const multiple of ["lines", "concatenated"] as const) {
    it(`change each value as an independent reading does, and select from it: ${multiple}`, () => {
      withSeeds(150, (random) => {
        const options = { ...randomOptions(random), maxBytes: undefined };
        const mask = random.below(2) === 0 ? true : randomMask(random, { a: { b: 1 }, b: [{ a: 1 }] });
        const texts = Array.from({ length: 1 + random.below(4) }, () => shortDocument(random));
        const bytes = utf8(texts.map((text) => `${text}\n`).join(""));
        const expected: unknown[] = [];
        let start = 0;
        for (const text of texts) {
          const { number } = options;
          const shift = start;
          const shifted = number === undefined ? undefined : (text: string, at: number) => number(text, at + shift);
          const result = expectedOf(utf8(text), { ...options, number: shifted });
          expected.push(result.ok ? picked(result.value, mask) : `${result.code} at ${start + result.offset}`);
          start += utf8(text).length + 1;
        }
        const select: Selector<unknown> = selector(mask);
        for (const cut of [randomCut(random, bytes.length), ...evenCuts(bytes.length, 1)]) {
          const values: unknown[] = [];
          const parser = new BinaryParser({
            ...options,
            multiple,
            select,
            onValue: ({ value }) => values.push(value),
            onInvalid: ({ failure }) => values.push(`${failure.code} at ${failure.offset}`),
          });
          for (const piece of piecesAt(bytes, cut)) parser.push(piece);
          parser.end();
          assertAlike(values, expected, bytes, { ...options, mask: showMask(mask), cut } as never);
        }
      });
    });
  }

  /** Inputs whose invalid values end within containers, names, strings and numbers. */
  const BROKEN = [
    '{"user":"x",\n"admin":true}\n[1]',
    '[1 1]\n{"id":"x"}\n["y"]',
    '["x"\n]\n{"a":1}',
    '[1,{"a":[\n"x"\n2]}\n"y"}\n{"b":[]}',
    '{"a":1,"b\n":2}\n{"b":1,"b":2}\ntru\ne\n[[[1]]] [2]\n3',
    "[9007199254740993,\n3] x\n-\n[4]",
  ];
  const BUILDING: ParseOptions[] = [
    {},
    { numbers: "source" },
    { integers: "bigint" },
    { duplicateKeys: "first", maxDepth: 2 },
    { protoKeys: "drop", integers: "reject" },
    { duplicateKeys: "reject", maxStringBytes: 3 },
  ];

  for (const multiple of ["lines", "concatenated"] as const) {
    it(`read each value as if it came alone, whatever was wrong before it: ${multiple}`, () => {
      for (const options of BUILDING) {
        for (const mask of [true, { a: true, b: [true] }, [true]] as Mask[]) {
          const parser = new SeveralParser(multiple, options, selector(mask) as Selector<unknown>);
          for (const text of BROKEN) {
            const bytes = utf8(text);
            const expected = expectedOutcomes(bytes, multiple, { options, mask });
            for (const cut of everyCut(bytes.length)) {
              parser.parse(piecesAt(bytes, cut), 1); // given up
              assertAlike(parser.parse(piecesAt(bytes, cut)), expected, bytes, { ...options, mask, cut } as never);
            }
          }
        }
      }
    });
  }

  it("end the input at the byte after maxBytes, whatever is read there", () => {
    const bytes = utf8('\ufeff{"a":1}\r\n[1\n"é"\r\r[2]\n');
    for (let maxBytes = 0; maxBytes < bytes.length; maxBytes++) {
      const options = { multiple: "lines", maxBytes } as const;
      const { line, column } = describeFailure(bytes, "too-many-bytes", maxBytes);
      for (const cut of everyCut(bytes.length)) {
        const how = `maxBytes ${maxBytes}, cut at ${cut}`;
        const failures: ParseFailure[] = [];
        const onFailure = (failure: ParseFailure): void => void failures.push(failure);
        const ends: number[] = [];
        const onDocument = ({ end }: { end: number }): void => void ends.push(end);
        const readers = [
          new BinaryParser({ ...options, onFailure, onValue: onDocument, onInvalid: onDocument }),
          new BinaryValidator({ ...options, onFailure, onDocument }),
        ];
        for (const reader of readers) {
          failures.length = ends.length = 0;
          for (const piece of piecesAt(bytes, cut)) reader.push(piece);
          assertEquals(reader.end().ok, false);
          const last = failures.at(-1)!;
          assertEquals(
            [last.code, last.offset, last.line, last.column],
            ["too-many-bytes", maxBytes, line, column],
            how,
          );
          assert(ends.every((end) => end <= maxBytes), how);
          assertEquals(failures.filter(({ code }) => code === "too-many-bytes").length, 1, how);
        }
      }
    }
    const validator = new BinaryValidator({ maxBytes: 2 });
    assertEquals([validator.push(utf8("[]")), validator.push(utf8(" ")), validator.push(utf8("]"))], [
      true,
      false,
      false,
    ]);
    validator.reset();
    validator.push(utf8("[]"));
    assertEquals(validator.end(), { ok: true, bytes: 2 });
  });

  it("find what is wrong in a string that a chunk has cut before one that is too long", () => {
    const bytes = utf8('["a\x01 long string"]');
    const options = { maxStringBytes: 8 };
    for (const cut of everyCut(bytes.length)) {
      for (const [name, read] of Object.entries(PIECE_READERS)) {
        const result = read(piecesAt(bytes, cut), options);
        assertEquals(
          !result.ok && [result.code, result.offset],
          ["bad-control-character", 3],
          `${name}, cut at ${cut}`,
        );
      }
    }
  });

  it("find an unsafe integer that is all of the input, or of its last line", () => {
    const bytes = utf8("9007199254740993");
    for (const cut of everyCut(bytes.length)) {
      for (const [name, read] of Object.entries(PIECE_READERS)) {
        const result = read(piecesAt(bytes, cut), { integers: "reject" });
        assertEquals(!result.ok && [result.code, result.offset], ["unsafe-integer", 0], `${name}, cut at ${cut}`);
      }
      const failures: string[] = [];
      const onFailure = ({ code }: ParseFailure): void => void failures.push(code);
      const options = { integers: "reject", multiple: "lines", onFailure } as const;
      for (const reader of [new BinaryParser(options), new BinaryValidator(options)]) {
        for (const piece of piecesAt(bytes, cut)) reader.push(piece);
        reader.end();
      }
      assertEquals(failures, ["unsafe-integer", "unsafe-integer"], `cut at ${cut}`);
    }
  });

  it("end a number where the grammar does, cut anywhere, alone and among several values", () => {
    const options = { integers: "reject" } as const;
    for (const number of MALFORMED_NUMBERS) {
      for (const text of [number, `${number} `, `[${number}]`, `{"a":${number},"b":9007199254740993}`]) {
        const bytes = utf8(text);
        const whole = parseBinary(bytes, options);
        // Only an integer that the grammar has ended is unsafe.
        const isUnsafe = /^[^\d,]*(9007199254740993|12345678901234567890)(?![.e\d])/.test(text);
        const code = isUnsafe ? "unsafe-integer" : (parseBinary(bytes) as ParseFailure).code;
        assertEquals(!whole.ok && whole.code, code, text);
        assertEquals(validateBinary(bytes, options), whole);
        for (const cut of everyCut(bytes.length)) {
          for (const [name, read] of Object.entries(PIECE_READERS)) {
            assertSame(read(piecesAt(bytes, cut), options), whole, bytes, { ...options, name, cut } as never);
          }
          for (const multiple of ["lines", "concatenated"] as const) {
            const expected = expectedOutcomes(bytes, multiple, { options, mask: true });
            const how = { ...options, multiple, cut } as never;
            assertAlike(new SeveralParser(multiple, options).parse(piecesAt(bytes, cut)), expected, bytes, how);
            const places = expected.map((outcome) => ({ ...outcome, value: undefined }));
            assertAlike(validatedOutcomes(piecesAt(bytes, cut), multiple, options), places, bytes, how);
          }
        }
      }
    }
  });

  it("report a refusal before a malformed number that ends a chunk, whatever is selected", () => {
    const cases: [text: string, options: ParseOptions][] = [
      ["[1-2,3]", { maxElements: 0 }],
      ["[1-2,3]", { maxDepth: 0 }],
      ["[[1-2]]", { maxDepth: 1 }],
      ['{"a":{"b":1-2}}', { maxMembers: 0 }],
    ];
    for (const [text, options] of cases) {
      const bytes = utf8(text);
      const whole = parseBinary(bytes, options);
      for (const mask of [true, [true], { a: { b: true } }, [[true]]] as Mask[]) {
        const select = selector(mask) as Selector<unknown>;
        for (const first of everyCut(bytes.length)) {
          for (const cut of [first, [...first, bytes.length]]) {
            const result = parsePieces(piecesAt(bytes, cut), { ...options, select });
            assertSame(result, whole, bytes, { ...options, mask, cut } as never);
          }
        }
      }
    }
  });

  it("guard all of the document around the elements of an array", () => {
    const cases: [text: string, options: ParseOptions, values: unknown[], code?: FailureCode][] = [
      ['{"deep":[[[[]]]],"items":[1]}', { maxDepth: 4 }, [], "too-deep"],
      ['{"deep":[[[]]],"items":[[1],[[2]],[[[3]]],4]}', { maxDepth: 4 }, [[1], [[2]]], "too-deep"],
      ['{"items":[{"a":1},[[1]],{"b":1,"b":2},1]}', { duplicateKeys: "reject" }, [{ a: 1 }, [[1]]], "duplicate-key"],
      ['{"items":[1,2],"items":3}', { duplicateKeys: "reject" }, [1, 2], "duplicate-key"],
      ['{"x":{"a":1,"a":1},"items":[1,2]}', { duplicateKeys: "reject" }, [], "duplicate-key"],
      ['{"x":9007199254740993,"items":[1,2]}', { integers: "reject" }, [], "unsafe-integer"],
      ['{"items":[1,2,3]}', { maxElements: 2 }, [1, 2], "too-many-elements"],
      ['{"items":["four","five5"]}', { maxStringBytes: 4 }, [], "string-too-long"],
      ['{"items":["four","five5",6]}', { maxStringBytes: 5, maxBytes: 24 }, ["four", "five5"], "too-many-bytes"],
      ['{"items":[1],\n"y":"é","__proto__":1}', { protoKeys: "reject" }, [1], "forbidden-key"],
      ['{"items":[{"a":1,"a":2}]}', { duplicateKeys: "first", maxDepth: 3 }, [{ a: 1 }]],
      ['{"items":[[9007199254740993],1]}', { numbers: "source", number: (text, at) => text + at }, [[
        "900719925474099311",
      ], "129"]],
      ['{"items":[{"b":2,"a":9007199254740993}]}', { integers: "bigint" }, [{ b: 2, a: 9007199254740993n }]],
      ['{"items":[{"__proto__":2,"a":1}]}', { protoKeys: "drop" }, [{ a: 1 }]],
    ];
    for (const [text, options, expected, code] of cases) {
      const bytes = utf8(text);
      const whole = parseBinary(bytes, options);
      assertEquals(whole.ok ? undefined : whole.code, code, text);
      for (const cut of everyCut(bytes.length)) {
        const values: unknown[] = [];
        const onValue = ({ value }: ParsedValue): void => void values.push(value);
        const parser = new BinaryParser({ ...options, multiple: "elements", at: "/items", onValue });
        for (const piece of piecesAt(bytes, cut)) parser.push(piece);
        const result = parser.end();
        assertEquals(values, expected, `${text}, cut at ${cut}`);
        assertSame(result, whole.ok ? { ok: true, value: undefined } : whole, bytes, { ...options, cut } as never);
      }
    }
  });
});

describe("guards of a value at a pointer", () => {
  /** Returns the expected result for a valid text: a refusal, or the value at the pointer. */
  function expectedAt(text: PointedText, pointer: string[], stops: boolean, options: ParseOptions): unknown {
    const followed = text.follow(pointer, stops);
    const refusal = referenceRead(text.bytes, options).refusal;
    // If the value is found, the place at which reading stops is known.
    const isRead = refusal !== null &&
      (!stops || refusal.code === "too-many-bytes" || followed.found && refusal.certainAt <= followed.end);
    if (isRead) return failureOf(text.bytes, refusal);
    if (!followed.found) return followed;
    const { start, end } = followed;
    const { number } = options;
    const shifted = number === undefined ? undefined : (text: string, at: number) => number(text, at + start);
    const unlimited = { integers: options.integers, numbers: options.numbers, number: shifted };
    const reading = referenceRead(text.bytes.subarray(start, end), unlimited);
    return { ...followed, value: "value" in reading ? reading.value : undefined };
  }

  it("are those of the document, and of what is read of it with stopWhenFound", async () => {
    const found = { values: 0, failures: 0, missing: 0 };
    const runs: (() => Promise<void>)[] = [];
    withSeeds(400, (random) => {
      const text = new PointedText(shortDocument(random));
      const { bytes } = text;
      const { duplicateKeys, protoKeys, ...others } = randomOptions(random);
      const options: ParseOptions = {
        ...others,
        duplicateKeys: duplicateKeys === "first" ? "last" : duplicateKeys,
        protoKeys: protoKeys === "drop" ? "keep" : protoKeys,
      };
      const pointer = random.pick(text.paths());
      if (random.below(5) === 0) pointer.push(random.pick(["a", "x", "0"]));
      const stops = random.below(2) === 0;
      if (stops && !text.follow(pointer, true).found) return;
      const expected = expectedAt(text, pointer, stops, options) as ParseResult;
      const isFound = "found" in expected && expected.found;
      if (!expected.ok) found.failures++;
      else isFound ? found.values++ : found.missing++;
      const shown = { ...options, pointer, stops } as ParseOptions;
      assertAlike(
        parseAt(bytes, pointer, { ...options as ParseAtOptions, stopWhenFound: stops }),
        expected,
        bytes,
        shown,
      );
      if (options.integers !== "bigint" && options.numbers !== "source") {
        const place: Record<string, unknown> = { ...expected };
        if (isFound) delete place.value;
        assertAlike(
          locate(bytes, pointer, { ...options as ParseAtOptions, stopWhenFound: stops }),
          place,
          bytes,
          shown,
        );
      }
      if (options.maxBytes !== undefined) return; // of a stream, it limits what is read
      const given = { ...options, at: pointer, stopWhenFound: stops } as ParseStreamAtOptions;
      for (const cut of [[random.below(bytes.length)], ...evenCuts(bytes.length, 1)]) {
        const pieces = Array.from(piecesAt(bytes, cut), (piece) => piece.slice());
        runs.push(async () =>
          assertAlike(await parseStream(pieces, given), expected, bytes, { ...shown, cut } as never)
        );
      }
    });
    for (const run of runs) await run();
    if (hasFewRounds()) return;
    assert(found.values > 50 && found.failures > 20 && found.missing > 4, JSON.stringify(found));
  });

  it("find nothing wrong after the value that reading stops at", async () => {
    const bytes = utf8('{"a":{"b":7},"c":1,"c":[[[]]]}');
    const options = { at: "/a/b", stopWhenFound: true, duplicateKeys: "reject", maxDepth: 2 } as const;
    for (const cut of everyCut(bytes.length)) {
      const pieces = Array.from(piecesAt(bytes, cut), (piece) => piece.slice());
      const result = await parseStream(pieces, options);
      assertEquals(result.ok && result.found && result.value, 7);
    }
    const missing = await parseStream([bytes.slice()], { ...options, at: "/a/x" });
    assertEquals(missing, { ok: true, found: false, depth: 1 });
    assertEquals(parseAt(bytes, "/a/x", { stopWhenFound: true, maxDepth: 2 }), missing);
    assertEquals(parseAt(bytes, "/a/b", { maxDepth: 2 }) as unknown, parseBinary(bytes, { maxDepth: 2 }));
    assertEquals(parseAt(bytes, ["/a/b", "/c"], { maxBytes: 3 }), [
      parseBinary(bytes, { maxBytes: 3 }),
      parseBinary(bytes, { maxBytes: 3 }),
    ] as ParseFailure[]);
  });
});

describe("options on rare paths", () => {
  const digits = "7".repeat(1_000_001);

  it("report a BigInt that is too long, wherever it is read", () => {
    const text = `{"a":[[],${digits}],"b":{"c":${digits}}}`;
    const bytes = utf8(text);
    const options = { integers: "bigint" } as const;
    const masks: [Mask, number][] = [[true, 9], [{ a: true }, 9], [{ a: [true] }, 9], [
      { b: { c: true } },
      text.length - digits.length - 2,
    ]];
    for (const [mask, offset] of masks) {
      const select: Selector<unknown> = selector(mask);
      const results = [
        selectBinary(bytes, select, options),
        parsePieces(piecesAt(bytes, [7, text.length - 1]), { ...options, select }),
      ];
      for (const result of results) {
        assertEquals(!result.ok && [result.code, result.offset], ["value-too-large", offset]);
      }
    }
    const at = parseAt(bytes, "/b", options);
    assertEquals(!at.ok && [at.code, at.offset], ["value-too-large", masks[3][1]]);
    const exact = parseAt(bytes, "/a/0", options);
    assertEquals(exact.ok && exact.found && exact.value, []);
    const scalar = parsePieces([utf8("1"), utf8(digits)], options);
    assertEquals(!scalar.ok && [scalar.code, scalar.offset], ["value-too-large", 0]);
  });

  it("find a malformed number by options that have learned of BigInts", () => {
    const options = Object.freeze({ integers: "bigint" } as const);
    for (const number of MALFORMED_NUMBERS) {
      for (const text of [`[${number}]`, `{"price":${number}}`, `[9007199254740993,[${number}],1]`, number]) {
        assertEquals(parseBinary(utf8("[9007199254740993]"), options), { ok: true, value: [9007199254740993n] });
        assertEquals(parseBinary(utf8(text), options), parseBinary(utf8(text)), text);
      }
    }
    const shared = new Uint8Array(new SharedArrayBuffer(18));
    shared.set(utf8("[9007199254740993]"));
    assertEquals(selectBinary(shared, selector([true]), options), { ok: true, value: [9007199254740993n] });
    assertEquals(parseAt(shared, "/0", options), parseAt(utf8("[9007199254740993]"), "/0", options));
  });

  it("take a name for harmless that is longer than those that are not", () => {
    for (const length of [11, 66, 67, 1_000]) {
      const text = `{"${"_".repeat(length)}":1,"__proto__":2}`;
      const result = validateBinary(utf8(text), { protoKeys: "reject" });
      assertEquals(!result.ok && result.offset, text.indexOf('"__proto__"'));
    }
  });

  it("select long arrays, of elements that are left out too", () => {
    const elements = Array.from({ length: 40 }, (_, i) => i % 3 === 0 ? [i] : { a: i, b: "x" });
    const text = JSON.stringify({ empty: [], elements });
    const result = selectBinary(utf8(text), selector({ empty: [true], elements: [{ a: true }] }), {
      numbers: "source",
    });
    const expected = elements.map((element) => "a" in element ? { a: String(element.a) } : null);
    assertEquals(result as unknown, { ok: true, value: { empty: [], elements: expected } });
  });

  it("drop an object named constructor by its second name, and select nothing else of it", () => {
    const text = '{"constructor":{"x":{},"prototype":1},"a":{"constructor":[]},"b":{"constructor":{"x":1}}}';
    const select = selector({ constructor: { x: true }, [every]: { constructor: true } });
    assertEquals(selectBinary(utf8(text), select, { protoKeys: "drop" }), {
      ok: true,
      value: { a: { constructor: [] }, b: { constructor: { x: 1 } } },
    } as never);
  });

  it("build long arrays and objects as deep as they come", () => {
    const text = `${'{"a":1,"a":['.repeat(200)}${"0,".repeat(300)}0${"]}".repeat(200)}`;
    const deep = (first: string): unknown => expectedOf(utf8(first), { duplicateKeys: "first", numbers: "source" });
    assertEquals(parseBinary(utf8(text), { duplicateKeys: "first", numbers: "source" }), deep(text) as ParseResult);
    const array = `{"b":0,"b":[${"0,".repeat(300)}0]}`;
    const number = Number;
    assertEquals(parseBinary(utf8(array), { numbers: "source", number }), parseBinary(utf8(array)));
  });

  it("read a byte-order mark before lines and elements", () => {
    for (const multiple of ["lines", "concatenated", "elements"] as const) {
      for (const text of ["\ufeff", "\ufeff [1]", "\ufeff[1]\n", "\ufeff\n[1]"]) {
        const bytes = utf8(text);
        const read = (options: ParseOptions, cut: number[]): unknown[] => {
          const values: unknown[] = [];
          const parser = new BinaryParser({
            ...options,
            multiple,
            onValue: ({ value, start, end }) => values.push(Number(value), start, end),
            onInvalid: ({ failure }) => values.push(failure),
          });
          for (const piece of piecesAt(bytes, cut)) parser.push(piece);
          values.push(parser.end());
          return values;
        };
        for (const cut of everyCut(bytes.length)) {
          const how = `${multiple}: ${text}, cut at ${cut}`;
          assertEquals(read({ numbers: "source", number: Number }, cut), read({}, cut), how);
        }
      }
    }
  });

  it("validate pieces of shared memory, which are copied first", () => {
    for (const multiple of [undefined, "lines"] as const) {
      const shared = new Uint8Array(new SharedArrayBuffer(14));
      shared.set(utf8('{"a":1,"a":2}\n'));
      const validator = new BinaryValidator({ ...multiple && { multiple }, duplicateKeys: "reject" });
      validator.push(shared);
      const result = validator.end();
      assertEquals(!result.ok && [result.code, result.offset], ["duplicate-key", 7]);
    }
  });

  it("end a number where the grammar does, in pieces too", () => {
    for (const text of ["1-9007199254740993 ", "9007199254740993-1", "1+9007199254740993", "[1-9007199254740993]"]) {
      const expected = parseBinary(utf8(text), { integers: "reject" });
      for (const cut of everyCut(text.length)) {
        assertEquals(
          parsePieces(piecesAt(utf8(text), cut), { integers: "reject" }),
          expected,
          `${text}, cut at ${cut}`,
        );
      }
    }
  });

  it("find no element behind the end of an array, or of the bytes", () => {
    for (const text of ["[1,", "[1,]", "[", "[,"]) {
      for (const pointer of ["/0", "/1", "/5"]) {
        assertEquals(parseAt(utf8(text), pointer, { maxDepth: 1 }), parseBinary(utf8(text)) as ParseFailure);
      }
    }
  });

  it("notice a name that comes twice before an object has very many", () => {
    for (const value of ["0", "[]", '"x"']) {
      for (const count of [100, 5_000]) {
        const members = Array.from({ length: count }, (_, i) => `,"k${i}":${value}`).join("");
        for (const twice of ['"k":0,"k":1', '"k":[],"j":0,"k":[]']) {
          const text = `{${twice}${members}}`;
          const result = parseBinary(utf8(text), { duplicateKeys: "reject" });
          assertEquals(!result.ok && result.offset, text.indexOf('"k":', 3), `${twice} and ${count} of ${value}`);
        }
      }
    }
  });

  it("keep a value that is larger than the usual buffer, up to maxTokenBytes", () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `{"é":${i},"x":[${i}.50]}`);
    const bytes = utf8(`{"rows":[${rows}]}\n{"rows":[]}\n`);
    const lineEnd = bytes.indexOf(0x0a);
    const cut = Array.from(evenCuts(bytes.length, 60_000))[0];
    const number = (text: string, offset: number): boolean =>
      new TextDecoder().decode(bytes.subarray(offset, offset + text.length)) === text;
    for (const select of [undefined, selector({ rows: [{ "é": true }] })]) {
      for (const maxTokenBytes of [lineEnd, 1_000_000, 1_000]) {
        const values: unknown[] = [];
        const failures: unknown[] = [];
        const parser = new BinaryParser({
          numbers: "source",
          number,
          multiple: "lines",
          maxTokenBytes,
          ...select && { select },
          onValue: ({ value }) => values.push(value),
          onInvalid: ({ failure, end }) => failures.push(failure.code, failure.offset, end),
        });
        for (const piece of piecesAt(bytes, cut)) parser.push(piece);
        parser.end();
        const isKept = maxTokenBytes > 1_000;
        assertEquals(failures, isKept ? [] : ["value-too-large", 0, lineEnd], `${maxTokenBytes}`);
        assertEquals(values.length, isKept ? 2 : 1);
        if (!isKept) continue;
        const expected = select === undefined ? { "é": true, x: [true] } : { "é": true };
        assertEquals(difference(values[0], { rows: rows.map(() => expected) }), undefined);
      }
    }
  });

  it("begin anew with another input", () => {
    const parser = new BinaryParser({ multiple: "elements", duplicateKeys: "reject", numbers: "source" });
    for (
      const [text, isValid] of [['[{"a":1,"a":2}]', false], ['[{"a":1}]', true], ["[", false], ["[1", false]] as const
    ) {
      parser.push(utf8(text));
      assertEquals(parser.end().ok, isValid, text);
      parser.reset();
    }
  });

  it("notice equal indexes in objects of few and of many members", () => {
    for (const count of [2, 10, 17, 200, 1_500]) {
      for (const value of ["0", "[]", "{}"]) {
        const members = Array.from({ length: count }, (_, i) => `"${i}":${value}`);
        for (const twice of [false, true]) {
          const text = `[{${[...members, twice ? `"1":${value}` : `"x":${value}`]}}]`;
          for (let times = 0; times < 3; times++) {
            const result = parseBinary(utf8(text), { duplicateKeys: "reject" });
            assertEquals(result.ok ? "ok" : result.code, twice ? "duplicate-key" : "ok", `${count} of ${value}`);
          }
        }
      }
    }
  });
});

describe("limits at the sizes at which the parser changes its ways", () => {
  const SIZES = [
    0,
    1,
    2,
    3,
    4,
    8,
    15,
    16,
    17,
    64,
    127,
    128,
    129,
    255,
    256,
    257,
    511,
    512,
    513,
    1023,
    1024,
    1100,
    4095,
    4096,
  ];
  const repeated = (count: number, item: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => item(i)).join();

  const forms: [name: string, option: keyof ParseOptions, code: FailureCode, make: (size: number) => string][] = [
    ["ASCII strings", "maxStringBytes", "string-too-long", (size) => `["${"x".repeat(size)}"]`],
    [
      "strings of two-byte characters",
      "maxStringBytes",
      "string-too-long",
      (size) => `["${"é".repeat(size >> 1)}${"x".repeat(size & 1)}"]`,
    ],
    [
      "strings that end in an escape",
      "maxStringBytes",
      "string-too-long",
      (size) => `["${"x".repeat(Math.max(0, size - 2))}${size > 1 ? "\\n" : "x".repeat(size)}"]`,
    ],
    ["names", "maxStringBytes", "string-too-long", (size) => `{"${"x".repeat(size)}":0}`],
    [
      "names with spaces before the colon",
      "maxStringBytes",
      "string-too-long",
      (size) => `[0,{"${"é".repeat(size >> 1)}${"y".repeat(size & 1)}"  :0}]`,
    ],
    ["arrays of numbers", "maxElements", "too-many-elements", (size) => `[${repeated(size, String)}]`],
    ["arrays of strings", "maxElements", "too-many-elements", (size) => `[${repeated(size, () => '"x"')}]`],
    ["arrays of arrays", "maxElements", "too-many-elements", (size) => `[${repeated(size, () => "[]")}]`],
    [
      "arrays of numbers and a string",
      "maxElements",
      "too-many-elements",
      (size) => `[${repeated(size, (i) => i === size - 1 ? '""' : "1.5")}]`,
    ],
    ["objects of scalars", "maxMembers", "too-many-members", (size) => `{${repeated(size, (i) => `"k${i}":0`)}}`],
    ["objects of objects", "maxMembers", "too-many-members", (size) => `{${repeated(size, (i) => `"k${i}":{}`)}}`],
    ["objects of indexes", "maxMembers", "too-many-members", (size) => `{${repeated(size, (i) => `"${i}":[0]`)}}`],
    ["nested arrays", "maxDepth", "too-deep", (size) => "[".repeat(size) + (size === 0 ? "0" : "") + "]".repeat(size)],
    ["nested objects", "maxDepth", "too-deep", (size) => '{"a":'.repeat(size) + "0" + "}".repeat(size)],
  ];
  for (const [name, option, code, make] of forms) {
    it(`of ${name} hold exactly`, () => {
      for (const size of SIZES) {
        const limit = { [option]: size };
        for (const more of ["", " ".repeat(600)]) {
          for (let times = 0; times < 2; times++) { // the second time, keys and shapes are cached
            assertEquals(parseBinary(utf8(make(size) + more), limit).ok, true, `${size}`);
            const result = parseBinary(utf8(make(size + 1) + more), limit);
            assertEquals(!result.ok && result.code, code, `${size + 1}`);
          }
        }
      }
    });
  }

  it("hold for objects of few members that a generated constructor makes", () => {
    const text = `{${repeated(10, (i) => `"k${i}":0`)}}`;
    const bytes = utf8(`[${repeated(100, () => text)}]`);
    for (let i = 0; i < 40; i++) parseBinary(bytes);
    const result = parseBinary(bytes, { maxMembers: 9 });
    assertEquals(!result.ok && [result.code, result.offset], ["too-many-members", 1 + text.indexOf('"k9"')]);
    assertEquals(parseBinary(bytes, { maxMembers: 10 }).ok, true);
  });

  it("notice indexes that are names here and numbers there", () => {
    for (let count = 50; count < 90; count++) {
      const text = `[${repeated(count, (i) => `{"${1000 * count + 7 * i}":0}`)},{"7":1,"8":2,"7":3}]`;
      const result = parseBinary(utf8(text), { duplicateKeys: "reject" });
      assertEquals(!result.ok && [result.code, result.offset], ["duplicate-key", text.lastIndexOf('"7"')], `${count}`);
    }
  });

  it("take names for equal however they are spelled", () => {
    const spellings = [
      ["é", "\\u00e9", "\\u00E9"],
      ["中", "\\u4e2d"],
      ["😀", "\\ud83d\\ude00", "\\uD83D\\uDE00"],
      ["/", "\\/", "\\u002f"],
      ["\\b\\f\\n\\r\\t", "\\u0008\\u000c\\u000a\\u000d\\u0009"],
      ['\\"\\\\', "\\u0022\\u005c"],
      ["\\ud83d", "\\uD83D"],
      ["7", "\\u0037"],
    ];
    const all = spellings.flat();
    for (const first of all) {
      for (const second of all) {
        const isSame = spellings.some((names) => names.includes(first) && names.includes(second));
        const result = parseBinary(utf8(`{"${first}":0,"${second}":1}`), { duplicateKeys: "reject" });
        assertEquals(result.ok, !isSame, `${first} and ${second}`);
      }
    }
    const escaped = (name: string): string =>
      Array.from(name, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
    for (
      const text of [`{"${escaped("__proto__")}":0}`, `{"${escaped("constructor")}":{"${escaped("prototype")}":0}}`]
    ) {
      const result = parseBinary(utf8(text), { protoKeys: "reject" });
      assertEquals(!result.ok && result.code, "forbidden-key", text);
      assertEquals(parseBinary(utf8(text), { protoKeys: "drop" }), { ok: true, value: {} });
    }
  });

  it("notice names in objects made by a generated constructor, and in dictionaries", () => {
    const texts = [
      ['{"a":1,"b":2,"a":3}', { duplicateKeys: "reject" }, "duplicate-key"],
      ['{"a":1,"__proto__":2}', { protoKeys: "reject" }, "forbidden-key"],
      ['{"constructor":{"prototype":2,"x":1},"y":1}', { protoKeys: "reject" }, "forbidden-key"],
      [`{${repeated(900, (i) => `"k${i}":0`)},"k899":{},"k0":1}`, { duplicateKeys: "reject" }, "duplicate-key"],
      [`{${repeated(900, (i) => `"k${i}":{}`)},"__proto__":1}`, { protoKeys: "reject" }, "forbidden-key"],
      [`{${repeated(200, (i) => `"${i}":{}`)},"7":1}`, { duplicateKeys: "reject" }, "duplicate-key"],
    ] as const;
    for (const [text, options, code] of texts) {
      const many = utf8(`[${repeated(100, () => text)}]`); // enough for a constructor, without options
      for (let i = 0; i < 40; i++) parseBinary(many);
      for (const bytes of [utf8(text), many]) {
        const result = parseBinary(bytes, options);
        assertEquals(!result.ok && result.code, code, text.slice(0, 60));
      }
    }
  });
});
