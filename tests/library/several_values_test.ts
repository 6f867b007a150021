/**
 * Several values of one input, of `BinaryParser` and `BinaryValidator`, wherever it is cut.
 * `matrix_test.ts` has random ones.
 */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary, type ParseFailure } from "../../parse_binary.ts";
import {
  BinaryParser,
  JsonParseStream,
  parseValues,
  type ParseValuesOptions,
  type StreamedMember,
  type StreamedValue,
} from "../../parse_stream.ts";
import { BinaryValidator } from "../../validate_binary.ts";
import { ValuesReader } from "../../parser/streaming/value_iterator.ts";
import { USUAL_SIZE } from "../../parser/document/chunk_buffer.ts";
import { show, utf8 } from "../support/bytes.ts";
import { copiesAt, type Cut, evenCut, evenCuts, everyCut, manyCuts, piecesAt, readPieces } from "../support/cuts.ts";
import { assertSame } from "../support/difference.ts";
import { withoutMemory } from "../support/memory_limit.ts";
import { constantOf } from "../support/modules.ts";
import { PointedText, pointerOf } from "../support/pointing.ts";
import { assertRead, openParser, type Outcome } from "../support/readers.ts";
import { placeAt, referenceParse } from "../support/reference.ts";

/** Bytes of the first buffer, which drops what it has held once it is full. */
const FIRST_SIZE = constantOf("parser/document/chunk_buffer.ts", "FIRST_SIZE");

const SEPARATIONS = ["lines", "concatenated"] as const;

type Separation = (typeof SEPARATIONS)[number];

const TEXTS = [
  ...["", " \n\r\n \t\n", "1\n2\n", "1\n2", '{"a":1}\r\n{"a":2}\r\n', '{"a":1}{"a":2}[3]"4"5 6', "\ufeff[1]\n[2]"],
  "\ufeff",
  ...["\ufeff \n[1]", "[1]\n[\n[3]\n]\n4", "tru\ntrue\n", '"a\nb"\n1', "1 2\n3 4\n", "[1,]{}\n{}x{}\n0", "nul"],
  "-\n-1\n1.\n",
  ...['{"a":\n1}\n{"b":2}', "1\x0e\n2\n", "1!\n2 \t\r\n3", "1\r2\r\n3\r\r 4", "1\r\r  }\n2", '{"a":\nx y\n1'],
  '[1,\n"é"]\n2',
  ...[
    '\x1e{"a":1}\n\x1e[2\n]\n',
    '\x1e[1,\x1e"x\n"\x1e3\r\n\x1e\x1e \x1etru\x1e{"a":\x1e',
    "\ufeff\x1e1",
    "1\x1e-\x1e2x\x1e3\n4",
  ],
  ...['[1\n[2]\n{"a":}\n1 2\n"b\n3x\ré, \ntrue\n\n[', "[1,\n]x y\n[2] tru [3]\n[4]\n{", "[1]\n[}\n[2]\n", "é\n2"],
  ...['{"user":"x",\n"admin":true}\n[1]', '[1 1]\n{"id":"x"}\n["y"]', '["x"\n]\n{"a":1}'],
  "[9007199254740993,\n3] x\n-\n[4]",
  ...['[1,{"a":[\n"x"\n2]}\n"y"}\n{"b":[]}', '{"a":1,"b\n":2}\n{"b":1,"b":2}\ntru\ne\n[[[1]]] [2]\n3'],
];

describe("several values", () => {
  for (const separation of SEPARATIONS) {
    it(`separated as ${separation} match the reference, wherever the input is cut`, () => {
      for (const text of TEXTS) {
        const bytes = utf8(text);
        assertRead(bytes, { separation }, (bytes.length < 32 ? manyCuts : everyCut)(bytes.length));
      }
    });

    it(`separated as ${separation} may be longer than the buffers, or end exactly where a buffer ends`, () => {
      const texts = [
        `x\n${`"${"a".repeat(1_000)}"\n`.repeat(600)}`,
        `"${"a".repeat(300_000)}"\n2\nx\n"${"b".repeat(300_000)}"\n5\n`,
        `"${"a".repeat(USUAL_SIZE - 2)}"\n2\n`,
        `x\n"${"a".repeat(USUAL_SIZE - 4)}"\n3\n`,
        `${"x".repeat(USUAL_SIZE)}\n2\n`,
        `${" ".repeat(USUAL_SIZE)}"a"\n2\n`,
        `${"\n".repeat(USUAL_SIZE)}"a"x\n2\n`,
      ];
      for (const text of texts) {
        const bytes = utf8(text);
        const cuts = [USUAL_SIZE, 100_000, 65_536].map((size) => evenCut(bytes, size));
        assertRead(bytes, { separation }, [[], [USUAL_SIZE, USUAL_SIZE + 3], ...cuts]);
      }
    });

    it(`separated as ${separation} are reported as soon as they end, and failures at once`, () => {
      for (const Reader of [BinaryParser, BinaryValidator]) {
        const ends: number[] = [];
        const onValue = ({ end }: { end: number }): void => void ends.push(end);
        const failures: number[] = [];
        const onFailure = ({ offset }: ParseFailure): void => void failures.push(offset);
        const callback = Reader === BinaryParser ? { onValue } : { onDocument: onValue };
        const reader = new Reader(
          { multiple: separation, ...callback, onFailure } as object as { multiple: Separation },
        );
        assertEquals([reader.push(utf8("\ufeff1\n[2]\n")), ends, failures], [true, [4, 8], []]);
        assertEquals([reader.push(utf8("[}")), ends, failures], [false, [4, 8], [10]]);
        reader.push(utf8("y\n4\n[5]\n6 \n7\n"));
        const length = Reader === BinaryParser ? 6 : 7; // a validator tells of the invalid one, too
        assertEquals([ends.length, failures], [length, [10]]);
        assertEquals(reader.end().ok, false);
        const silent = new Reader({ multiple: separation });
        assertEquals([silent.push(utf8("1\n")), silent.push(utf8("x\n2\n"))], [true, false]);
        assertEquals((silent.end() as ParseFailure).code, "unexpected-token");
      }
    });
  }
});

describe("elements", () => {
  /** Returns the elements of an array, after a check of their places, and the result. */
  function elementsOf(bytes: Uint8Array, at: string, cut: Cut = []): { values: unknown[]; result: unknown } {
    const values: unknown[] = [];
    const parser = new BinaryParser({
      multiple: "elements",
      at,
      onValue({ value, index, start, end, line }) {
        assertEquals([index, line], [values.length, placeAt(bytes, start).line]);
        assertSame(parseBinary(bytes.slice(start, end)), { ok: true, value });
        values.push(value);
      },
    });
    return { values, result: readPieces(parser, piecesAt(bytes, cut)) };
  }

  const LIST = '[1,"two",[3],{"four":4},null,true,[],{},-0.0055]';
  const DOCUMENTS = [
    ...[` ${LIST} \n`, `\ufeff${LIST}`, `{"b":[0,{"a":[9]}],"a":${LIST},"c":{"a":[8]}}`, `[[0],[1],${LIST}]`],
    `{"items":[1],"data":{"x":{"items":[2]},"items":${LIST}},"data2":{"items":[3]}}`,
    ...[`[{"a":[1]},{"a":[2]},{"a":${LIST}},{"a":[4]}]`, `[0,[0,[0,${LIST}]]]`, `[0,1,2,3,4,5,6,7,8,9,${LIST},11]`],
    ...[`{"":{"":${LIST}}}`, `{"a/b":${LIST},"~1":[1],"/":[2],"\\u00e9":[3],"\\"":[4]}`, `{"00":[1],"0":[2],"01":[3]}`],
    ...[`{"__proto__":{"a":${LIST}}}`, `{"b":[1,\n{"c":\r\n2}],\n"a":${LIST}}`, "0", "-1", '"text"', "null", "true"],
    ...["{}", '{"a":"[1]","b":12,"c":{}}'],
  ].map((text) => new PointedText(text));

  it("are those of the array at the pointer; without an array, the result is expected-array", () => {
    for (const document of DOCUMENTS) {
      const misses = document.paths().flatMap((tokens) => ["x", "-", "00", "1e0"].map((token) => [...tokens, token]));
      for (const tokens of [...document.paths(), ...misses]) {
        const found = document.follow(tokens);
        const values = found.found && Array.isArray(found.value) ? found.value : undefined;
        const { bytes } = document;
        for (const cut of values ? everyCut(bytes.length) : [[bytes.length >> 1], ...evenCuts(bytes.length, 1)]) {
          const { values: elements, result } = elementsOf(bytes, pointerOf(tokens), cut);
          assertEquals<unknown[]>(
            [elements, (result as ParseFailure).code],
            values ? [values, undefined] : [[], "expected-array"],
            `${tokens}, cut at ${cut}`,
          );
        }
      }
    }
    for (const [at, text] of [["/a", `{"a":${LIST},"a":[7]}`], ["/a/b", `{"a":{},"a":{"b":${LIST}},"a":{"b":[8]}}`]]) {
      for (const cut of everyCut(text.length)) assertEquals(elementsOf(utf8(text), at, cut).values, JSON.parse(LIST));
    }
  });

  it("end with the failure of parseBinary, wherever the input is cut", () => {
    const cut = '{"b":[{"\\"x":1}],"a":[1,2],"é":{"d":3}}';
    const invalid = [
      ...['{"a":[1,2],}', '{"b":tru,"a":[1,2]}', '{"b":"\\x","a":[1,2]}', '{"a":[1,2]} {', "{1}", '{"b" 1}', "[0 1]"],
      ...['{"a":[1,2],"b":[1,}', '{"b":1,2}', '{"b":1 2}', '{"\x01":1}', '{"b":1,"\\x":1}', '{"é":[1,', "[1,]", "x"],
      ...Array.from(cut, (_, length) => cut.slice(0, length)),
    ];
    for (const text of invalid) {
      for (const at of ["", "/a", "/0/a", "/1"]) {
        const whole = elementsOf(utf8(text), at);
        if ((whole.result as ParseFailure).code !== "expected-array") {
          assertSame(whole.result, referenceParse(utf8(text)));
        }
        for (const cut of (at === "/a" ? manyCuts : everyCut)(utf8(text).length)) {
          assertEquals(elementsOf(utf8(text), at, cut), whole, `${text} cut at ${cut}`);
        }
      }
    }
  });

  it("are reported as soon as they are complete, and a failure as soon as it is certain", () => {
    const rows: { pieces: (string | number)[]; count: number; isValid: boolean }[] = [
      { pieces: ['{"a":[1,2,'], count: 2, isValid: true },
      { pieces: ['{"long na', 'me":0,"a":[1,'], count: 1, isValid: true },
      { pieces: ['{"long \\', '"na', 'me":0,"a":[1,'], count: 1, isValid: true },
      { pieces: ['{"\x01'], count: 0, isValid: false },
      { pieces: ['{"na', "me\x01"], count: 0, isValid: false },
      { pieces: ['{"na', 'me\x01"'], count: 0, isValid: false },
      { pieces: ['{"n', 0xc3], count: 0, isValid: true },
      { pieces: ['{"n', 0xc3, "x"], count: 0, isValid: false },
      { pieces: ['{"n', 0xc3, '"'], count: 0, isValid: false }, // in the place of a byte that follows
    ];
    for (const { pieces, count, isValid } of rows) {
      let values = 0;
      const parser = new BinaryParser({ multiple: "elements", at: "/a", onValue: () => void values++ });
      const answers = pieces.map((piece) => parser.push(utf8(piece)));
      assertEquals([values, answers.at(-1)], [count, isValid], JSON.stringify(pieces));
    }
  });
});

describe("members", () => {
  it("come with their names from streams, as they arrive; others than objects are refused", async () => {
    const chunks = () => ['{"a":{"x":1,"y', '":2},"b":{"z":[', "3]}}"].map((text) => utf8(text));
    const options = { multiple: "members", at: "/a" } as const;
    const expected = [
      { ok: true, key: "x", value: 1, index: 0, start: 10, end: 11, line: 1 },
      { ok: true, key: "y", value: 2, index: 1, start: 16, end: 17, line: 1 },
    ] as StreamedMember[];
    assertEquals(await Array.fromAsync(parseValues(chunks(), options)), expected);
    const streamed = ReadableStream.from(chunks()).pipeThrough(new JsonParseStream(options));
    assertEquals<unknown>(await Array.fromAsync(streamed), expected);
    const batches = await Array.fromAsync(parseValues(chunks(), { ...options, batch: true }));
    assertEquals<unknown>(batches, expected.map((member) => [member]));
    const keys: unknown[] = [];
    const parser = new BinaryParser({ multiple: "members", onValue: ({ key }) => void keys.push(key) });
    for (const [piece, count] of [['{"x":1,', 1], ['"y', 1], ['":[]', 2], [',"z":{"a"', 2]] as const) {
      assert(parser.push(piece));
      assertEquals(keys.length, count, piece);
    }
    for (
      const [at, text, offset] of [["", "[1]", 0], ["", "7", 0], ["/a", '{"a":[]}', 5], [
        "/a/b",
        '{"a":{}}',
        8,
      ]] as const
    ) {
      const results = await Array.fromAsync(parseValues([utf8(text)], { multiple: "members", at }));
      const found = results.map((result) => result.ok || [result.code, result.offset]);
      assertEquals(found, [["expected-object", offset]], text);
    }
    for (const option of [{ duplicateKeys: "first" }, { protoKeys: "drop" }] as const) {
      const made = () => parseValues(chunks(), { ...options, ...option });
      assertThrows(made, TypeError, "Cannot pass on members with ");
    }
  });
});

it("maxBytes ends the input at the first byte beyond it, in whatever state the reader is", () => {
  const bytes = utf8('\ufeff{"a":1}\r\n[1\n"é"\r\r[2]\n');
  for (let maxBytes = 0; maxBytes < bytes.length; maxBytes++) {
    for (const cut of everyCut(bytes.length)) {
      for (const Reader of [BinaryParser, BinaryValidator]) {
        const failures: ParseFailure[] = [];
        const onFailure = (failure: ParseFailure): void => void failures.push(failure);
        const onEnd = ({ end }: { end: number }): void => assert(end <= maxBytes, `${end}`);
        const callbacks = Reader === BinaryParser ? { onValue: onEnd, onInvalid: onEnd } : { onDocument: onEnd };
        const reader = new Reader({ multiple: "lines", maxBytes, onFailure, ...callbacks });
        for (const piece of piecesAt(bytes, cut)) reader.push(piece);
        assertEquals(reader.end().ok, false);
        const found = failures.filter(({ code }) => code === "too-many-bytes");
        const places = [...found, failures.at(-1)!].map(({ offset, line, column }) => ({ offset, line, column }));
        const place = { offset: maxBytes, ...placeAt(bytes, maxBytes) };
        assertEquals(places, [place, place], `maxBytes ${maxBytes}, cut at ${cut}`);
      }
    }
  }
});

describe("maxTokenBytes", () => {
  const rows: { kind: string; pieces: string[]; place: [index: number, start: number, end: number, line: number] }[] = [
    { kind: "number", pieces: ["7\n\n ", " 23456", "7\n8\n"], place: [1, 5, 11, 3] },
    { kind: "number", pieces: ["12345", "6\n8\n"], place: [0, 0, 6, 1] },
    { kind: "string", pieces: ['7\n"', "2345", '"\n8\n'], place: [1, 2, 8, 2] },
    { kind: "string after an invalid line", pieces: ['x\n"', "2345", '"\n8\n'], place: [1, 2, 8, 2] },
    { kind: "number after an invalid line", pieces: ["x\n", "23456", "\n8\n"], place: [1, 2, 7, 2] },
    { kind: "string in an array", pieces: ['[1,"', "2345", '"\n8\n'], place: [0, 0, 9, 1] },
    { kind: "string in objects", pieces: ['7\n{"a":{"b":"', "2345", '"\n8\n'], place: [1, 2, 18, 2] },
    { kind: "name", pieces: ['{"a":1,"b', "2345", '":\n8\n'], place: [0, 0, 15, 1] },
  ];
  /** Returns what a parser passes on of pieces. */
  function read(pieces: readonly Uint8Array[], separation: Separation, maxTokenBytes?: number): Outcome[] {
    return openParser({ separation, options: { maxTokenBytes } })(pieces);
  }

  for (const multiple of SEPARATIONS) {
    it(`limits each token of ${multiple}, and the failure is located at that token`, () => {
      for (const { kind, pieces, place: [index, start, end, line] } of rows) {
        const outcomes = read(pieces.map((piece) => utf8(piece)), multiple, 4);
        const { failure, value: _, ...found } = outcomes[index];
        assertEquals({ ...found, code: failure?.code }, { index, start, end, line, code: "value-too-large" }, kind);
        const last = outcomes.at(-1)!;
        assertEquals([last.value, last.index], [8, index + 1], kind);
      }
    });

    it(`makes no value of the text around a token that is too long (${multiple})`, () => {
      const outcomes = read(['[1,"', "2345", '"\n', "2]\n", "8\n"].map((piece) => utf8(piece)), multiple, 4);
      const found = outcomes.map(({ value, failure }) => value ?? failure?.code);
      const expected = multiple === "lines" ? ["trailing-content"] : [2, "unexpected-token"];
      assertEquals(found, ["value-too-large", ...expected, 8]);
    });

    it(`is unlimited by default: reading ${multiple} goes on after a value for which there is no memory`, () => {
      const long = `["${"a".repeat(600_000)}"]`;
      const bytes = utf8(`[0]\n${long}\n[1]\n${long} [2\n[3]\n`);
      const pieces = copiesAt(bytes, evenCut(bytes, 200_000));
      const isDenied = (size: unknown): boolean => typeof size === "number" && size > 2 ** 18;
      const outcomes = withoutMemory("Uint8Array", isDenied, () => read(pieces, multiple));
      const found = outcomes.map(({ value, failure, start }) => [value ?? failure?.code, start]);
      assertEquals(found, [
        ...[[[0], 0], ["value-too-large", 4], [[1], 600_009], ["value-too-large", 600_013], [[3], 1_200_021]],
      ]);
    });
  }
});

describe("bytes of values", () => {
  const read = async (text: string, cut: Cut, options: ParseValuesOptions = {}) => {
    const copies = copiesAt(utf8(text), cut);
    const results = await Array.fromAsync(parseValues(copies, { ...options, bytes: true }));
    for (const copy of copies) copy.fill(0); // they do not refer to chunks
    const decoder = new TextDecoder();
    return results.map((result) => [result.ok || result.code, result.bytes && decoder.decode(result.bytes)]);
  };

  it("are kept over buffers, and dropped of what is longer than maxTokenBytes", async () => {
    const long = `"${"a".repeat(3 * USUAL_SIZE)}"`;
    const texts = [long, `[${long},1 ${long}]`, `x${long}`, "7"];
    const cut = evenCut(utf8(texts.join("\n")), 50_000);
    const codes: (string | true)[] = [true, "expected-comma-or-bracket", "unexpected-token", true];
    assertEquals(await read(texts.join("\n"), cut), texts.map((text, i) => [codes[i], text]));
    const few = [
      "1",
      `${"[".repeat(9)} x ${"y".repeat(90)}`,
      '{"a": tru}',
      `2${" ".repeat(90)}`,
      "[3]",
      `"${"a".repeat(90)}"`,
    ];
    for (const size of [1, 7, 30]) {
      const text = `${few.join("\n")}\n4\n`;
      assertEquals(await read(text, evenCut(utf8(text), size), { maxTokenBytes: 40 }), [
        [true, "1"],
        ["unexpected-token", undefined],
        ["unexpected-token", '{"a": tru}'],
        ["value-too-large", undefined], // with the rest of its line
        [true, "[3]"],
        ["value-too-large", undefined],
        [true, "4"],
      ]);
    }
  });

  it("are given up for an invalid line for which there is no memory", () => {
    const reader = new ValuesReader({ bytes: true }, "parseValues");
    const isDenied = (size: unknown): boolean => typeof size === "number" && size > USUAL_SIZE;
    withoutMemory("Uint8Array", isDenied, () => {
      for (const text of [`x${"a".repeat(200_000)}`, "b".repeat(400_000), "\n[1]\n"]) reader.read(utf8(text));
    });
    const found = [reader.items.take(), reader.items.take()].map((item) => {
      const result = item as StreamedValue;
      return [result.ok || result.code, result.bytes?.length, result.end];
    });
    assertEquals(found, [["unexpected-token", undefined, 600_001], [true, 3, 600_005]]);
  });
});

it("maxTokenBytes does not limit whole lines, wherever the input is cut", async () => {
  const bytes = utf8('1\n{"a":1,"b":[2,3],"c":"d"}\n[4]\n');
  for (const cut of everyCut(bytes.length)) {
    const results = parseValues(copiesAt(bytes, cut), { maxTokenBytes: 5 });
    const values = await Array.fromAsync(results, (result) => result.ok && result.value);
    assertEquals<unknown>(values, [1, { a: 1, b: [2, 3], c: "d" }, [4]], `cut at ${cut}`);
  }
});

it("lines and columns count a byte-order mark that comes after the first buffer", () => {
  const places = ["\n\ufeff1", "\r\ufeff1", "\r  \ufeff[1]", "\r\n \ufeff[2]", "\n1 \ufeff2", "\n[1,\r\ufeff2]"];
  for (const place of places) {
    const line = `"${"x".repeat(125)}"\n`;
    const bytes = utf8(`${line.repeat(FIRST_SIZE / line.length)}[2] \n${place}\n[3]\n`);
    const cuts = [FIRST_SIZE, FIRST_SIZE - 1, 1_000, 100_000].map((size) => evenCut(bytes, size));
    for (const separation of SEPARATIONS) assertRead(bytes, { separation }, cuts);
    const array = utf8(`[${"1,".repeat(FIRST_SIZE)}${place}]`);
    for (const options of [{}, { multiple: "elements" }] as const) {
      const parser = new BinaryParser(options);
      for (const piece of piecesAt(array, evenCut(array, 1_000))) parser.push(piece);
      assertEquals<unknown>(parser.end(), parseBinary(array), show(array));
    }
  }
});
