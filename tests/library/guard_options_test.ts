/** Each option in each function: its refusals and changes, and the errors for wrong options. */

import { assertEquals, assertObjectMatch, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  BinaryParser,
  BinaryValidator,
  JsonValidationStream,
  locate,
  parseAt,
  parseBinary,
  type ParseFailure,
  type ParseOptions,
  parseOrThrow,
  parsePartial,
  type ParsePartialOptions,
  parseStream,
  parseWithSchema,
  readJson,
  selectBinary,
  selector,
  UNTRUSTED,
  validateBinary,
} from "../../mod.ts";
import { utf8 } from "../support/bytes.ts";
import { STREAMS } from "../support/readers.ts";

type Outcome = { ok: true; value?: unknown } | ParseFailure;
// deno-lint-ignore no-explicit-any
type Options = any;

/** Schema of any value. */
const ANY = { "~standard": { version: 1, vendor: "tests", validate: (value: unknown) => ({ value }) } } as const;

/** Reads a text by each function, with options. */
const READERS: Record<string, (text: string, options: Options) => Outcome | Promise<Outcome>> = {
  parseBinary: (text, options) => parseBinary(utf8(text), options),
  parseOrThrow(text, options) {
    try {
      return { ok: true, value: parseOrThrow(utf8(text), options) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      assertStrictEquals(error.message, (error.cause as ParseFailure).message);
      return error.cause as ParseFailure;
    }
  },
  parseWithSchema: (text, options) => parseWithSchema(utf8(text), ANY, options) as Outcome,
  selectBinary: (text, options) => selectBinary(utf8(text), selector(true), options),
  validateBinary: (text, options) => validateBinary(utf8(text), options),
  BinaryParser(text, options) {
    const parser = new BinaryParser(options);
    parser.push(utf8(text));
    return parser.end();
  },
  BinaryValidator(text, options) {
    const validator = new BinaryValidator(options);
    validator.push(utf8(text));
    return validator.end();
  },
  async JsonValidationStream(text, options) {
    try {
      await new Response(new Blob([text]).stream().pipeThrough(new JsonValidationStream(options))).text();
      return { ok: true };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return error.cause as ParseFailure;
    }
  },
  parseStream: (text, options) => parseStream([utf8(text)], options),
  "parseStream with a pointer": (text, options) => parseStream([utf8(text)], { ...options, at: "" }),
  parseAt: (text, options) => parseAt(utf8(text), "", options),
  locate: (text, options) => locate(utf8(text), "", options),
  readJson: (text, options) => readJson(utf8(text), options) as Promise<Outcome>,
  "readJson that selects": (text, options) =>
    readJson(utf8(text), { ...options, select: selector(true) }) as Promise<Outcome>,
  parseValues: async (text, options) => (await STREAMS.parseValues([utf8(text)], options))[0],
  JsonParseStream: async (text, options) => (await STREAMS.JsonParseStream([utf8(text)], options))[0],
  parsePartial: async (text, options) =>
    (await Array.fromAsync(parsePartial([text], options as ParsePartialOptions))).at(-1)!,
};

/** Functions that read streams, where `maxBytes` limits the bytes that are read. */
const LIMITS_READING = ["parseStream", "parseStream with a pointer", "parseValues", "JsonParseStream", "parsePartial"];

/** Functions that make no values. */
const CHECKERS = ["validateBinary", "BinaryValidator", "JsonValidationStream", "locate"];

/** Functions that follow a pointer, and options that would make it lead elsewhere. */
const POINTING = ["parseStream with a pointer", "parseAt", "locate"];
const MISLEADING = ["first", "drop"];

/** Options with which no value is there before the last byte. */
const LATE: (keyof ParseOptions)[] = ["duplicateKeys", "protoKeys", "number"];

/** Text under an option, with its refusal, or its value in the functions that make it. */
const EFFECTS: { options: ParseOptions; text: string; expected: Partial<ParseFailure> | { value: unknown } }[] = [
  { options: { maxDepth: 1 }, text: '{"a":[]}', expected: { code: "too-deep", offset: 5 } },
  { options: { maxStringBytes: 2 }, text: '["\\u0061"]', expected: { code: "string-too-long", offset: 4 } },
  { options: { maxMembers: 1 }, text: '{"a":1,"b":2}', expected: { code: "too-many-members", offset: 7 } },
  { options: { maxElements: 1 }, text: "[1, 2]", expected: { code: "too-many-elements", offset: 4 } },
  { options: { maxBytes: 3 }, text: "[1, 2]", expected: { code: "too-many-bytes", offset: 3 } },
  {
    options: { duplicateKeys: "reject" },
    text: '{"a":1,"\\u0061":2}',
    expected: { code: "duplicate-key", offset: 7, firstOffset: 1 },
  },
  { options: { protoKeys: "reject" }, text: '{"__proto__":1}', expected: { code: "forbidden-key", offset: 1 } },
  { options: { integers: "reject" }, text: "[9007199254740992]", expected: { code: "unsafe-integer", offset: 1 } },
  { options: { duplicateKeys: "first" }, text: '{"a":1,"a":2}', expected: { value: { a: 1 } } },
  { options: { protoKeys: "drop" }, text: '{"__proto__":1,"a":2}', expected: { value: { a: 2 } } },
  { options: { integers: "bigint" }, text: "[9007199254740993,1]", expected: { value: [9007199254740993n, 1] } },
  {
    options: { integers: "all-bigint" },
    text: "[9007199254740993,-1,1.0,1e3]",
    expected: { value: [9007199254740993n, -1n, 1, 1000] },
  },
  { options: { numbers: "source" }, text: "[1.0]", expected: { value: ["1.0"] } },
  {
    options: { numbers: "source", number: (text, offset) => text + offset },
    text: "[1.0]",
    expected: { value: ["1.01"] },
  },
];

/**
 * Returns the error of a function for an option that changes values, or that limits what it reads.
 */
function errorOf(name: string, options: ParseOptions, changes: boolean): [typeof TypeError, string] | undefined {
  if (options.maxBytes && LIMITS_READING.includes(name)) return [RangeError, "Cannot read more than 3 bytes"];
  const caller = name === "JsonValidationStream" ? "BinaryValidator" : name;
  if (POINTING.includes(name) && Object.values(options).some((choice) => MISLEADING.includes(choice))) {
    return [TypeError, `: not an option of ${name}, whose pointer would lead elsewhere; "reject" is one`];
  }
  if (changes && name === "parsePartial" && LATE.some((option) => option in options)) {
    return [TypeError, ": not an option of parsePartial, which passes on values before they are complete"];
  }
  return changes && CHECKERS.includes(name)
    ? [TypeError, `: not an option of ${caller}, which makes no values`]
    : undefined;
}

for (const [name, read] of Object.entries(READERS)) {
  describe(`options of ${name}`, () => {
    it("refuse input, change values, or are a TypeError", async () => {
      for (const { options, text, expected } of EFFECTS) {
        const error = errorOf(name, options, "value" in expected);
        if (error) {
          await assertRejects(async () => await read(text, options), ...error);
          continue;
        }
        const outcome = await read(text, options);
        const isBody = options.maxBytes !== undefined && name.startsWith("readJson");
        assertObjectMatch(
          outcome,
          isBody ? { code: "too-large", status: 413 } : { ok: "value" in expected, ...expected },
        );
        if (outcome.ok) continue;
        assertStrictEquals(outcome.firstOffset, (expected as ParseFailure).firstOffset);
        if (!isBody) assertEquals((await read("1", options)).ok, true);
      }
    });

    it("are named with their values in the error if they are wrong", async () => {
      const wrong: [options: Options, message: string][] = [
        [{ maxDepth: -1 }, "Cannot use maxDepth: -1: expected a non-negative integer, or Infinity"],
        [{ maxMembers: 1.5 }, "Cannot use maxMembers: 1.5: expected a non-negative integer, or Infinity"],
        [{ maxElements: "7" }, 'Cannot use maxElements: "7": expected a non-negative integer, or Infinity'],
        [{ maxStringBytes: NaN }, "Cannot use maxStringBytes: NaN: expected a non-negative integer, or Infinity"],
        [{ duplicateKeys: "error" }, 'Cannot use duplicateKeys: "error": expected "last"'],
        [{ protoKeys: true }, 'Cannot use protoKeys: true: expected "keep"'],
        [{ integers: Symbol("x") }, 'Cannot use integers: Symbol(x): expected "number"'],
        [{ maxdepth: 1 }, "Cannot use maxdepth: 1: not an option of"],
        [{ maxDept: 1 }, "did you mean maxDepth?"],
        [{ duplicateKey: "reject" }, "did you mean duplicateKeys?"],
        [{ protokeys: "drop" }, "did you mean protoKeys?"],
        [{ x: 1 }, "Cannot use x: 1: not an option of"],
        [{ ["x".repeat(31)]: 1 }, ": 1: not an option of"],
        [{ intgeers: "reject" }, "did you mean integers?"],
      ];
      for (const [options, message] of wrong) {
        await assertRejects(async () => await read("1", options), TypeError, message);
      }
    });
  });
}

describe("options of parsers and validators", () => {
  it('are an object, of known names, with a function number for numbers: "source" alone', async () => {
    const no = "not an option of";
    const rows: [read: (bytes: Uint8Array, options: Options) => unknown, options: Options, message: string][] = [
      ...[null, 1, "reject", true, Symbol("x")].flatMap((options) =>
        [parseBinary, validateBinary].map((read): [typeof read, Options, string] => [read, options, "Cannot use "])
      ),
      [parseBinary, { strict: true }, `Cannot use strict: true: ${no} parseBinary`],
      [validateBinary, { odd: Object.create(null) }, `Cannot use odd: object: ${no} validateBinary`],
      [readJson, { timeoutt: 1 }, "did you mean timeout?"],
      [readJson, { strict: true }, `${no} readJson`],
      [
        validateBinary,
        { number: Number },
        `Cannot use number: a function: ${no} validateBinary, which makes no values`,
      ],
      [parseBinary, { number: Number }, 'Cannot use number: it needs numbers: "source"'],
      [parseBinary, { numbers: "source", number: 1 }, "Cannot use number: 1: expected a function"],
    ];
    for (const [read, options, message] of rows) {
      await assertRejects(async () => await read(utf8("1"), options), TypeError, message);
    }
  });

  it("may all be missing or undefined", () => {
    const names = [
      ...["maxDepth", "maxStringBytes", "maxMembers", "maxElements", "maxBytes"],
      ...["duplicateKeys", "protoKeys", "integers", "numbers", "number"],
    ];
    for (const given of [{}, Object.fromEntries(names.map((name) => [name, undefined])), undefined]) {
      assertEquals(parseBinary(utf8('{"a":1,"a":2}'), given), { ok: true, value: { a: 2 } });
    }
  });

  it("are read again at each call unless they are frozen", () => {
    const options: { maxDepth: number } = { maxDepth: 1 };
    const results = (): boolean[] => ["[[]]", "[[[]]]"].map((text) => parseBinary(utf8(text), options).ok);
    assertEquals(results(), [false, false]);
    options.maxDepth = 2;
    assertEquals(results(), [true, false]);
    Object.freeze(options);
    for (let i = 0; i < 3; i++) assertEquals(results(), [true, false]);
  });
});

it("UNTRUSTED is frozen, and each of its limits applies", () => {
  assertEquals(Object.isFrozen(UNTRUSTED), true);
  const { maxBytes, maxDepth, maxStringBytes, maxMembers, maxElements } = UNTRUSTED;
  const unlimited = { ...UNTRUSTED, maxBytes: Infinity };
  const deepest = `[${"[".repeat(maxDepth - 1)}${"]".repeat(maxDepth - 1)},${"0,".repeat(maxElements - 2)}0]`;
  const rows: { text: string; code: string | undefined; options?: typeof unlimited }[] = [
    { text: deepest, code: undefined },
    { text: `"${"x".repeat(maxBytes)}"`, code: "too-many-bytes" },
    { text: `"${"x".repeat(maxStringBytes + 1)}"`, code: "string-too-long", options: unlimited },
    { text: "[".repeat(maxDepth + 1) + "]".repeat(maxDepth + 1), code: "too-deep" },
    { text: `{${Array.from({ length: maxMembers + 1 }, (_, i) => `"${i}":0`)}}`, code: "too-many-members" },
    { text: `[${"0,".repeat(maxElements)}0]`, code: "too-many-elements" },
    { text: '{"a":0,"a":0}', code: "duplicate-key" },
    { text: '{"__proto__":0}', code: "forbidden-key" },
  ];
  for (const { text, code, options = UNTRUSTED } of rows) {
    assertEquals((parseBinary(utf8(text), options) as ParseFailure).code, code);
  }
});

describe("the function number", () => {
  it("gets each number in input order, and may use other parsers but not its own", () => {
    const text = '{"b":[1,-2.50],"é":{"a":3e2},"1":4}';
    const seen: [string, number][] = [];
    const number = (text: string, offset: number): unknown => {
      seen.push([text, offset]);
      const inner = parseBinary(utf8(`{"text":"${text}"}`), { numbers: "source", number: String });
      const other = new BinaryParser({ numbers: "source", number: String });
      for (const byte of utf8(`{"text":"${text}"}`)) other.push(Uint8Array.of(byte));
      assertEquals<unknown>(other.end(), inner);
      return inner.ok && inner.value;
    };
    const [numbers, value] = [[["1", 6], ["-2.50", 8], ["3e2", 25], ["4", 34]] as [string, number][], {
      ...{ 1: { text: "4" }, b: [{ text: "1" }, { text: "-2.50" }], é: { a: { text: "3e2" } } },
    }];
    const bytes = utf8(text);
    const overwriting = (text: string, offset: number) => (bytes.fill(0x20), number(text, offset)); // it was copied
    assertEquals(parseBinary(bytes, { numbers: "source", number: overwriting }), { ok: true, value });
    assertEquals(seen.splice(0), numbers);
    const values: unknown[] = [];
    const parser = new BinaryParser({
      multiple: "lines",
      numbers: "source",
      number(text, offset) {
        assertThrows(() => parser.push(utf8("1")), Error, "parser");
        return number(text, offset);
      },
      onValue: ({ value, start, line }) => values.push(value, start, line),
    });
    for (const byte of utf8(`${text}\n[4]\n`)) parser.push(Uint8Array.of(byte));
    assertEquals(parser.end().ok, true);
    assertEquals(seen, [...numbers, ["4", 38]]);
    assertEquals(values, [value, 0, 1, [{ text: "4" }], 37, 2]);
  });

  it("may throw: the error reaches the caller, and the parser refuses input until reset()", async () => {
    const error = new Error("no such number");
    let isBad = true;
    const number = (text: string): string => {
      if (isBad) throw error;
      return text;
    };
    const options = { numbers: "source", number } as const;
    for (const name of ["parseBinary", "parseStream", "parseValues", "JsonParseStream"]) {
      for (const text of ["[1]", "1"]) { // which ends with the input
        assertStrictEquals(await assertRejects(async () => await READERS[name](text, options)), error, name);
      }
    }
    const broken = new BinaryParser({ ...options, select: selector([true]) });
    assertStrictEquals(assertThrows(() => broken.push(utf8("[1]"))), error);
    assertThrows(() => broken.push(utf8("[1]")), Error);
    broken.reset();
    isBad = false;
    for (const piece of ["[1", "]"]) broken.push(utf8(piece));
    assertEquals(broken.end(), { ok: true, value: ["1"] } as never);
    assertEquals(parseBinary(utf8("[1]")), { ok: true, value: [1] });
  });

  it("is not called for what a guard or the grammar refuses", () => {
    const calls: string[] = [];
    const number = (text: string): string => (calls.push(text), text);
    const options = { numbers: "source", number } as const;
    for (const text of ["[1,]", "[1", "1.", '{"a":1,"a":2}', "9007199254740993"]) {
      for (const size of [1, 100]) {
        const parser = new BinaryParser({ ...options, duplicateKeys: "reject", integers: "reject" });
        const bytes = utf8(text);
        for (let p = 0; p < bytes.length; p += size) parser.push(bytes.subarray(p, p + size));
        assertEquals([parser.end().ok, calls], [false, []], text);
      }
    }
  });

  it("may change prototypes, and members are own properties nevertheless", () => {
    const key = "changed by a callback";
    const text = `[1,{"${key}":2}]`;
    try {
      const result = parseBinary(utf8(text), {
        numbers: "source",
        number(number) {
          Object.defineProperty(Object.prototype, key, { configurable: true, set: () => {} });
          return number;
        },
      });
      assertEquals(Object.getOwnPropertyDescriptor((result as { value: [string, object] }).value[1], key)?.value, "2");
    } finally {
      Reflect.deleteProperty(Object.prototype, key);
    }
  });
});

it("parseBinary() drops members of dictionaries, also with numbers as strings", () => {
  const members = Array.from({ length: 300 }, (_, i) => `"n${i}": ${i}`);
  const text = `{${members}, "n0": 1, "__proto__": 2, "constructor": {"prototype": 3}, "last": 4}`;
  for (const numbers of ["value", "source"] as const) {
    const result = parseBinary(utf8(text), { duplicateKeys: "first", protoKeys: "drop", numbers });
    const entries = Object.entries((result as { value: object }).value).map(([name, value]) => `"${name}": ${value}`);
    assertEquals(entries, [...members, '"last": 4']);
  }
});
