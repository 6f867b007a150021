/**
 * `validateBinary`, `BinaryValidator` and `JsonValidationStream`: the answer is `parseBinary`'s,
 * wherever the input is cut.
 *
 * A failure names its seed: `BYTEJSON_SEED` runs it alone, `BYTEJSON_ROUNDS` multiplies the rounds.
 */

import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { toBytes } from "@std/streams/to-bytes";
import { describe, it } from "@std/testing/bdd";
import { parseBinary } from "../../parse_binary.ts";
import {
  BinaryValidator,
  type BinaryValidatorOptions,
  JsonValidationStream,
  type ParseFailure,
  validateBinary,
  type ValidatedDocument,
  type ValidationResult,
} from "../../validate_binary.ts";
import { Slice } from "../../slice.ts";
import { bytesOf, concat, type Form, FORMS, fromHex, type Input, show, utf8 } from "../support/bytes.ts";
import { cutTests } from "../support/conformance.ts";
import { assertAtEachCut, type Cut, cutsAround, evenCuts, everyCut, piecesAt, randomCut } from "../support/cuts.ts";
import { corrupt, randomDocument } from "../support/documents.ts";
import { projectRoot, sharedFolder } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { loadFresh, withGlobals } from "../support/modules.ts";
import { placedMutantsOf, prefixesOf, SEEDS } from "../support/mutants.ts";
import { withSeeds } from "../support/random.ts";

/** Writes a result as text, for comparison. */
function summary(result: { ok: true } | ParseFailure): string {
  return result.ok ? "valid" : JSON.stringify(result);
}

const validator = new BinaryValidator();

/** Validates an input in pieces; returns the result as text. */
function validatePieces(pieces: Iterable<Uint8Array>): string {
  validator.reset();
  let length = 0;
  for (const piece of pieces) {
    length += piece.length;
    validator.push(piece);
  }
  const result = validator.end();
  if (result.ok) assertStrictEquals(result.bytes, length);
  return summary(result);
}

/**
 * Fails unless bytes get the answer of `parseBinary`: whole, in the given forms, and cut at each
 * list of places.
 */
function assertAgreement(bytes: Uint8Array, cuts: Iterable<Cut>, forms: Form[] = []): ValidationResult {
  const expected = summary(parseBinary(bytes));
  const result = validateBinary(bytes);
  assertStrictEquals(summary(result), expected, show(bytes));
  for (const [form, make] of forms) {
    const input: Input = make(bytes);
    assertStrictEquals(summary(validateBinary(input)), expected, `${show(bytes)}, as ${form}`);
    validator.reset();
    validator.push(input);
    assertStrictEquals(summary(validator.end()), expected, `${show(bytesOf(input))}, pushed as ${form}`);
  }
  assertAtEachCut(bytes, cuts, validatePieces, expected);
  return result;
}

describe("validateBinary and BinaryValidator agree with parseBinary", () => {
  for (const text of SEEDS) {
    const seed = utf8(text);
    it(`on every prefix of ${show(seed)}, cut anywhere`, () => {
      for (const prefix of prefixesOf(seed)) assertAgreement(prefix, everyCut(prefix.length), FORMS);
    });
    it(`on every significant change of ${show(seed)}, cut around it`, () => {
      for (const [mutant, place] of placedMutantsOf(seed.slice())) {
        assertAgreement(mutant, cutsAround(place, mutant.length));
      }
    });
  }

  it("on random documents, cut at random", () => {
    withSeeds(1_500, (random) => {
      const bytes = utf8(randomDocument(random));
      const cuts = Array.from({ length: 5 }, () => randomCut(random, bytes.length));
      assertStrictEquals(assertAgreement(bytes, cuts, [random.pick(FORMS)]).ok, true);
    });
  });

  it("on corrupted documents, cut at random", () => {
    withSeeds(1_500, (random) => {
      const document = utf8(randomDocument(random));
      for (let times = 0; times < 5; times++) {
        const bytes = corrupt(random, document);
        assertAgreement(bytes, Array.from({ length: 5 }, () => randomCut(random, bytes.length)));
      }
    });
  });

  it("on runs of numbers, right and wrong", () => {
    const right = [
      "0",
      "-0",
      "7",
      "42",
      "-255",
      "65536",
      "0.5",
      "-1.25",
      "0.0625",
      "123456789.123456789",
      "1e5",
      "-2.5E-7",
    ];
    const wrong = ["00", "-", "01", "-01", "1.", ".5", "1.2.3", "--1", "1-", "1e", "+1", "1 2", "é", "", '"'];
    withSeeds(2_000, (random) => {
      const spacing = random.pick([",", ",", ", ", ",  ", " , ", ",\n"]);
      const mistakes = random.pick([0, 0, 100, 10]);
      const text = random.repeat(1, 30, () =>
        random.pick(mistakes > 0 && random.once(mistakes) ? wrong : right) + (random.once(99) ? ",," : spacing)) +
        random.pick(right);
      const [before, after] = random.pick([["[", "]"], ["[", "]"], ["[[", "],0]"], ['{"a":[', "]}"], ['{"a":', "}"], [
        "[",
        "",
      ]]);
      const bytes = utf8(before, text, after);
      assertAgreement(bytes, [randomCut(random, bytes.length), ...evenCuts(bytes.length, 1 + random.below(9))]);
    });
  });

  it("on strings of all alphabets, right and wrong", () => {
    const right = [
      "a",
      " and ",
      "e",
      "é",
      "ß",
      "я",
      "ё",
      "\u07ff",
      "ก",
      "中",
      "\ud7ff",
      "\ue000",
      "😀",
      "\u{10ffff}",
      "\\n",
      "\\u00e9",
    ]
      .map((text) => utf8(text));
    const wrong = [
      ...["80", "bf", "c3", "c080", "c1bf", "c3c3", "e0", "e08080", "eda080", "e4b8", "f0808080", "f4908080", "f09f98"],
      ...["f5808080", "ff", "00", "1f", "0a", "22", "5c"],
    ].map(fromHex);
    withSeeds(2_000, (random) => {
      const alphabet = Array.from({ length: 1 + random.below(5) }, () => random.pick(right));
      const characters = Array.from({ length: random.below(40) }, () => random.pick(alphabet));
      if (random.once(2)) characters[random.below(characters.length + 1)] = random.pick(wrong);
      const [before, after] = random.pick([["", ""], ["[", ",0]"], ['{"k":', "}"], ["{", ":1}"]]);
      const bytes = concat([utf8(`${before}"`), ...characters, utf8(`"${after}`)]);
      assertAgreement(bytes, [randomCut(random, bytes.length), ...evenCuts(bytes.length, 1 + random.below(9))]);
    });
  });

  it("on every sequence of three of JSON's own pieces", () => {
    const alphabet = [
      ...["{", "}", "[", "]", ":", ",", '"', "\\", "-", ".", "e", "0", "1", " ", "\n", "\r"],
      ...["true", "nul", '"a"', '"a":', "12.5e3", "\\u0061", "é", "中", "\ufeff"],
    ].map((text) => utf8(text));
    for (const first of alphabet) {
      for (const second of alphabet) {
        for (const third of alphabet) {
          const bytes = concat([first, second, third]);
          assertAgreement(bytes, evenCuts(bytes.length, 1));
        }
      }
    }
  });
});

describeLong("validateBinary and BinaryValidator agree with parseBinary on conformance files cut anywhere", () => {
  for (const { name, isFile, documents } of cutTests()) {
    it(name, () => {
      for (const { bytes, cuts, isValid } of documents()) {
        const { ok } = assertAgreement(bytes, cuts, isFile ? FORMS : []);
        if (isValid !== undefined) assertStrictEquals(ok, isValid);
      }
    });
  }
});

const corpus = sharedFolder("corpus");
if (corpus) {
  describeLong("the corpus, cut at random", () => {
    for (const { name } of Deno.readDirSync(corpus)) {
      if (!name.endsWith(".json")) continue;
      it(name, () => {
        const bytes = Deno.readFileSync(new URL(name, corpus));
        assertStrictEquals(summary(validateBinary(bytes)), "valid");
        withSeeds(4, (random) => {
          const cuts = [randomCut(random, bytes.length), [...evenCuts(bytes.length, 1 + random.below(70_000))][0]];
          assertAtEachCut(bytes, cuts, validatePieces, "valid");
          const corrupted = corrupt(random, bytes);
          assertAgreement(corrupted, [randomCut(random, corrupted.length)]);
        });
      });
    }
  });
}

/**
 * Milliseconds after which a process is taken for hung; it ends by itself within some seconds.
 */
const PATIENCE = 120_000;

async function assertProcess(change: "toggle" | "grow", share: number, checks: number): Promise<void> {
  const program = "tests/processes/validate_shared_memory.ts";
  const { success, signal, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--import-map=imports.npm.json", "--allow-read", program, change, `${share}`],
    cwd: projectRoot,
    signal: AbortSignal.timeout(PATIENCE),
  }).output();
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert(success, signal === null ? output : `did not end: ${output}`);
  assertStrictEquals(output, `${checks} checks, 0 failed\n`);
}

for (const [group, share] of [[describe, 0.2], [describeLong, 1]] as const) {
  group(`validation of shared memory for ${share} of the time`, () => {
    it("ends and finds places that exist while another thread toggles a byte", async () => {
      await assertProcess("toggle", share, 100);
    });
  });
}

describe("validation of shared memory", () => {
  it("does not throw while another thread grows the memory", async () => {
    await assertProcess("grow", 1, 20);
  });

  for (const multiple of ["lines", "concatenated"] as const) {
    it(`reads as many bytes of ${multiple} as there were when it began`, () => {
      const buffer = new SharedArrayBuffer(1_000, { maxByteLength: 2_000 });
      const bytes = new Uint8Array(buffer);
      bytes.set(utf8(`[1]\n[2]${" ".repeat(993)}`));
      const ends: number[] = [];
      const validator = new BinaryValidator({
        multiple,
        onDocument({ end }) {
          ends.push(end);
          buffer.grow(buffer.byteLength + 500);
        },
      });
      assert(validator.push(bytes));
      assertEquals(validator.end(), { ok: true, bytes: 1_000 });
      assertEquals(ends, [3, 7]);
    });
  }

  it("agrees with that of private memory, wherever a piece of it ends", () => {
    const LENGTH = 200_000;
    withSeeds(6, (random) => {
      const row = utf8(randomDocument(random), ",");
      const document = concat([utf8("["), ...Array(Math.ceil(LENGTH / row.length)).fill(row), utf8("0]")]);
      for (const bytes of [document, corrupt(random, document), corrupt(random, document)]) {
        const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 1), 1);
        shared.set(bytes);
        const expected = summary(validateBinary(bytes));
        assertStrictEquals(summary(validateBinary(shared)), expected);
        const cut = random.below(bytes.length);
        validator.reset();
        validator.push(shared.subarray(0, cut));
        validator.push(shared.subarray(cut));
        assertStrictEquals(summary(validator.end()), expected);
        for (const multiple of ["lines", "concatenated"] as const) {
          assertEquals(documentsOf(multiple, [shared]), documentsOf(multiple, [bytes]));
        }
      }
    });
  });
});

describe("validateBinary()", () => {
  it("leaves its input as it was", () => {
    for (const text of ['[1,"a"]', "[1,", `["${"é".repeat(40_000)}"]`]) {
      const bytes = utf8(text);
      const before = bytes.slice();
      validateBinary(bytes);
      validateBinary(bytes.buffer);
      assertEquals(bytes, before);
    }
  });

  it("agrees with parseBinary() on every short text behind a number and a comma, where it reads runs", () => {
    const characters = [..."01.-, e]"];
    let texts = [""];
    for (let length = 1; length <= 4; length++) {
      texts = texts.flatMap((text) => characters.map((character) => text + character));
      for (const text of texts) {
        const bytes = utf8(`[1,${text}]`);
        assertStrictEquals(summary(validateBinary(bytes)), summary(parseBinary(bytes)), text);
      }
    }
  });

  it("returns the failure of parseBinary() for a detached buffer", () => {
    const bytes = utf8("[]");
    structuredClone(bytes, { transfer: [bytes.buffer] });
    assertEquals(validateBinary(bytes), parseBinary(bytes) as ValidationResult);
  });

  it("validates the bytes that shared memory had when the call began, though it grows while it is copied", () => {
    const buffer = new SharedArrayBuffer(20, { maxByteLength: 2048 });
    const bytes = new Uint8Array(buffer);
    bytes.set(utf8("[1,2,3,4,5,6,7,8,99]"));
    const prototype = Object.getPrototypeOf(Uint8Array.prototype);
    const descriptor = Object.getOwnPropertyDescriptor(prototype, "set")!;
    const set = function (this: Uint8Array, source: Uint8Array): void {
      if (buffer.byteLength === 20) buffer.grow(2048);
      Reflect.apply(descriptor.value, this, [source]);
    };
    Object.defineProperty(prototype, "set", { ...descriptor, value: set });
    try {
      assertEquals(validateBinary(bytes), { ok: true });
    } finally {
      Object.defineProperty(prototype, "set", descriptor);
    }
    assertEquals(buffer.byteLength, 2048);
  });

  it("throws a TypeError for an argument that is not bytes", () => {
    for (const input of ["[]", null, undefined, [1], new Int8Array(2), {}]) {
      assertThrows(() => validateBinary(input as unknown as Uint8Array), TypeError);
      assertThrows(() => new BinaryValidator().push(input as unknown as Uint8Array), TypeError);
    }
  });

  it("keeps nothing of an input for the next one", () => {
    for (const text of ["[[[", '{"a', "[1", "12", "\ufeff", "[\r"]) {
      validateBinary(utf8(text));
      assertEquals(validateBinary(utf8('{"a":[]}')), { ok: true });
      assertEquals(summary(validateBinary(utf8("\n]"))), summary(parseBinary(utf8("\n]"))));
    }
  });
});

describe("BinaryValidator", () => {
  it("push() returns false from the first failure on, and end() returns that failure", () => {
    const validator = new BinaryValidator();
    assert(validator.push(utf8("[1,")));
    assert(validator.push(utf8("")));
    assert(!validator.push(utf8("]")));
    assert(!validator.push(utf8("2]")));
    const failure = validator.end();
    assertEquals(failure, parseBinary(utf8("[1,]")) as ParseFailure);
    assertEquals(validator.end(), failure);
  });

  it("calls onFailure once for each failure, in the call that finds it", () => {
    const told: ParseFailure[] = [];
    const onFailure = (failure: ParseFailure) => void told.push(failure);
    const one = new BinaryValidator({ onFailure });
    one.push(utf8("[1,"));
    assertEquals(told, []);
    one.push(utf8("]"));
    one.push(utf8("]"));
    const failure = one.end() as ParseFailure;
    assertEquals(told, [failure]);

    told.length = 0;
    const lines = new BinaryValidator({ multiple: "lines", onFailure });
    lines.push(utf8("[1,]"));
    assertEquals(told, [failure]);
    lines.push(utf8(" and so on\n1\n[\n["));
    assertEquals(told.map(({ offset, line }) => [offset, line]), [[3, 1], [18, 3]]);
    lines.end();
    assertEquals(told.map(({ offset, line }) => [offset, line]), [[3, 1], [18, 3], [20, 4]]);
  });

  it("reset() begins a new input", () => {
    const validator = new BinaryValidator();
    validator.push(utf8("\n\n[1,]"));
    validator.reset();
    validator.push(utf8("\ufeff[1"));
    assert(validator.push(utf8("]")));
    assertEquals(validator.end(), { ok: true, bytes: 6 });
  });

  for (const multiple of ["lines", "concatenated"] as const) {
    it(`reset() forgets the documents of ${multiple}`, () => {
      const documents: ValidatedDocument[] = [];
      const validator = new BinaryValidator({ multiple, onDocument: (document) => documents.push(document) });
      for (const text of ["[1", "1\n2\n[", "\n\nx", "\r"]) {
        validator.push(utf8(text));
        validator.reset();
        documents.length = 0;
        validator.push(utf8(" 3\n"));
        assertEquals(validator.end(), { ok: true, bytes: 3 });
        assertEquals(documents, [{ index: 0, start: 1, end: 2, line: 1, failure: null }], JSON.stringify(text));
        validator.reset();
      }
    });
  }

  it("push() takes a detached piece for a failure", () => {
    const bytes = utf8("1]");
    structuredClone(bytes, { transfer: [bytes.buffer] });
    const validator = new BinaryValidator();
    assert(validator.push(utf8("[")));
    assert(!validator.push(bytes));
    assertEquals(validator.end(), parseBinary(bytes) as ParseFailure);
  });

  it("tells braces from brackets at any depth", () => {
    withSeeds(20, (random) => {
      const depth = random.below(3_000);
      let opening = "";
      let closing = "";
      for (let i = 0; i < depth; i++) {
        const isObject = random.once(2);
        opening += isObject ? '{"":' : "[";
        closing = (isObject ? "}" : "]") + closing;
      }
      const bytes = utf8(opening, "0", closing);
      assertStrictEquals(assertAgreement(bytes, [randomCut(random, bytes.length)]).ok, true);
      const place = bytes.length - 1 - random.below(depth + 1);
      if (place < 0) return;
      bytes[place] = bytes[place] === 0x5d ? 0x7d : 0x5d;
      assertAgreement(bytes, [randomCut(random, bytes.length)]);
    });
  });

  it("tells neighbouring brackets apart at any depth", () => {
    const neighbours = '[],{},[[],[]],{"":[]},{},[{},{}],[ ], [],[]';
    for (let depth = 0; depth < 100; depth++) {
      const bytes = utf8("[".repeat(depth), `[${neighbours}]`, "]".repeat(depth));
      assertStrictEquals(assertAgreement(bytes, evenCuts(bytes.length, 7)).ok, true);
      for (let place = depth; place < bytes.length - depth; place++) {
        const corrupted = bytes.slice();
        corrupted[place] ^= 0x20; // a bracket for a brace
        assertAgreement(corrupted, []);
      }
    }
  });

  it("throws a TypeError for an unknown separation", () => {
    for (const multiple of ["pages", "", null, 1]) {
      const { message } = assertThrows(
        () => new BinaryValidator({ multiple } as unknown as BinaryValidatorOptions),
        TypeError,
      );
      assertStrictEquals(message, 'Cannot separate documents this way: expected "lines" or "concatenated"');
    }
  });
});

describe("BinaryValidator with callbacks that go wrong", () => {
  const BROKEN = "an earlier call threw before it was done; reset() begins a new input";
  const BUSY = "a callback of this validator is running";

  /** Fails unless the validator takes nothing but `reset`, and works after it. */
  function assertBroken(validator: BinaryValidator): void {
    for (let times = 0; times < 2; times++) {
      assertThrows(() => validator.push(utf8("5\n6\n")), Error, `Cannot validate a piece: ${BROKEN}`);
      assertThrows(() => validator.end(), Error, `Cannot end the input: ${BROKEN}`);
    }
    validator.reset();
    assertStrictEquals(validator.push(utf8("\n8")), true);
    assertEquals(validator.end(), { ok: true, bytes: 2 });
  }

  for (const multiple of ["lines", "concatenated"] as const) {
    it(`takes no more of ${multiple} after onDocument threw in push()`, () => {
      const error = new Error("enough");
      const indices: number[] = [];
      const validator = new BinaryValidator({
        multiple,
        onDocument({ index, line }) {
          indices.push(index);
          if (line === 3) throw error;
        },
      });
      validator.push(utf8("1\n"));
      assertStrictEquals(assertThrows(() => validator.push(utf8("2\n3\n4\n"))), error);
      assertEquals(indices, [0, 1, 2]);
      assertBroken(validator);
    });
  }

  it("takes no more after onDocument threw in end()", () => {
    const error = new Error("enough");
    const validator = new BinaryValidator({
      multiple: "lines",
      onDocument({ end }) {
        if (end === 3) throw error;
      },
    });
    validator.push(utf8("123"));
    assertStrictEquals(assertThrows(() => validator.end()), error);
    assertBroken(validator);
  });

  for (const multiple of [undefined, "lines", "concatenated"] as const) {
    it(`takes no more after onFailure threw, multiple being ${multiple}`, () => {
      const error = new Error("enough");
      const onFailure = () => {
        throw error;
      };
      const validator = new BinaryValidator({ ...multiple && { multiple }, onFailure });
      assertStrictEquals(assertThrows(() => validator.push(utf8("[1,]\n2\n"))), error);
      assertBroken(validator);
      validator.reset();
      validator.push(utf8("[1"));
      assertStrictEquals(assertThrows(() => validator.end()), error);
      assertBroken(validator);
    });

    it(`refuses to be called from onFailure, multiple being ${multiple}`, () => {
      const errors: unknown[] = [];
      const validator = new BinaryValidator({
        ...multiple && { multiple },
        onFailure() {
          for (const call of [() => validator.push(utf8("9")), () => validator.end(), () => validator.reset()]) {
            errors.push(assertThrows(call, Error, BUSY));
          }
        },
      });
      assertStrictEquals(validator.push(utf8("[1,]\n2\n")), false);
      const failure = validator.end();
      assertStrictEquals(failure.ok ? -1 : failure.offset, 3);
      assertEquals(errors.map((error) => (error as Error).message.replace(/:.*/, "")), [
        "Cannot validate a piece",
        "Cannot end the input",
        "Cannot reset the validator",
      ]);
    });
  }

  for (const multiple of ["lines", "concatenated"] as const) {
    it(`refuses to be called from onDocument of ${multiple}`, () => {
      let documents = 0;
      const validator = new BinaryValidator({
        multiple,
        onDocument() {
          documents++;
          for (const call of [() => validator.push(utf8("9")), () => validator.end(), () => validator.reset()]) {
            assertThrows(call, Error, BUSY);
          }
        },
      });
      assertStrictEquals(validator.push(utf8("1\n2\n3")), true);
      assertEquals(validator.end(), { ok: true, bytes: 5 });
      assertStrictEquals(documents, 3);
    });

    for (
      const [change, act] of [
        ["detaches", (buffer) => structuredClone(buffer, { transfer: [buffer] })],
        ["shrinks", (buffer) => buffer.resize(4)],
      ] as [string, (buffer: ArrayBuffer) => void][]
    ) {
      it(`throws if a callback ${change} the buffer of ${multiple} being read`, () => {
        const buffer = new ArrayBuffer(32, { maxByteLength: 64 });
        const bytes = new Uint8Array(buffer);
        bytes.set(utf8("1\n2\n3 }".padEnd(32)));
        let calls = 0;
        const onDocument = () => {
          if (calls++ === 0) act(buffer);
        };
        const onFailure = () => {
          if (calls++ > 9) throw new Error("called endlessly");
        };
        const validator = new BinaryValidator({ multiple, onDocument, onFailure });
        const { message } = assertThrows(() => validator.push(bytes), TypeError);
        assertStrictEquals(
          message,
          "Cannot validate the rest of this piece: a callback detached or resized its buffer",
        );
        assertStrictEquals(calls, 1);
        assertBroken(validator);
      });
    }
  }

  it("reads a piece as long as it was when push was called, if a callback grows its buffer", () => {
    const buffer = new ArrayBuffer(6, { maxByteLength: 64 });
    const bytes = new Uint8Array(buffer);
    bytes.set(utf8("1\n2\n3 "));
    const validator = new BinaryValidator({ multiple: "lines", onDocument: () => buffer.resize(64) });
    assertStrictEquals(validator.push(bytes), true);
    assertEquals(validator.end(), { ok: true, bytes: 6 });
  });

  it("fails on nesting for which the engine has no memory", () => {
    const Original = globalThis.Int32Array;
    globalThis.Int32Array = new Proxy(Original, {
      construct(target, args) {
        if (args[0] > 500) throw new RangeError("Array buffer allocation failed");
        return Reflect.construct(target, args);
      },
    });
    try {
      const result = validateBinary(utf8("[".repeat(100_000)));
      assert(!result.ok && result.code === "value-too-large" && result.offset < 40_000, JSON.stringify(result));
    } finally {
      globalThis.Int32Array = Original;
    }
    assertEquals(validateBinary(utf8("[1]")), { ok: true });
  });

  it("is not deceived by properties of its own that a piece has", () => {
    for (const size of [20, 2_000]) {
      for (const multiple of [undefined, "lines"] as const) {
        const bytes = utf8("[1,".padEnd(size) + "2]");
        for (const name of ["length", "buffer", "byteOffset"]) Object.defineProperty(bytes, name, { value: 1 });
        const validator = new BinaryValidator(multiple ? { multiple } : {});
        assertStrictEquals(validator.push(bytes), true);
        assertEquals(validator.end(), { ok: true, bytes: size + 2 });
        assertEquals(validateBinary(bytes), { ok: true });
      }
    }
  });

  it("is not broken by an argument of the wrong type", () => {
    const validator = new BinaryValidator({ multiple: "lines" });
    validator.push(utf8("1\n["));
    assertThrows(() => validator.push("]" as unknown as Uint8Array), TypeError);
    validator.push(utf8("]"));
    assertEquals(validator.end(), { ok: true, bytes: 4 });
  });
});

/**
 * Validates an input of several documents, cut at the given places; returns the documents and the
 * result.
 */
function documentsOf(multiple: "lines" | "concatenated", pieces: Iterable<Uint8Array>): {
  documents: ValidatedDocument[];
  result: string;
} {
  const documents: ValidatedDocument[] = [];
  const validator = new BinaryValidator({ multiple, onDocument: (document) => documents.push(document) });
  for (const piece of pieces) validator.push(piece);
  return { documents, result: JSON.stringify(validator.end()) };
}

/** Describes a document in short: its line, bytes and failure. */
function describeDocument(bytes: Uint8Array, { start, end, line, failure }: ValidatedDocument): string {
  const place = failure === null ? "" : ` ${failure.code} at ${failure.offset} (${failure.line}:${failure.column})`;
  return `${line}: ${show(bytes.subarray(start, end))}${place}`;
}

function assertDocuments(multiple: "lines" | "concatenated", text: string, expected: string[]): void {
  const bytes = utf8(text);
  const whole = documentsOf(multiple, [bytes]);
  assertEquals(whole.documents.map((document) => describeDocument(bytes, document)), expected);
  whole.documents.forEach(({ index }, i) => assertStrictEquals(index, i));
  assertStrictEquals(JSON.parse(whole.result).ok, whole.documents.every(({ failure }) => failure === null));
  assertAtEachCut(bytes, everyCut(bytes.length), (pieces) => documentsOf(multiple, pieces), whole);
}

describe('BinaryValidator with multiple "lines"', () => {
  it("takes each line that is not blank for a document", () => {
    assertDocuments("lines", '{"a":1}\n\n  \t\r\n [2] \r\n"three"\n4', [
      '1: {"a":1}',
      "4: [2]",
      '5: "three"',
      "6: 4",
    ]);
    assertDocuments("lines", "", []);
    assertDocuments("lines", " \n\r\n", []);
  });

  it("continues after an invalid line", () => {
    assertDocuments("lines", '[1\n[2]\n{"a":}\n1 2\n"b\n3x\ré, \ntrue\n\n[', [
      "1: [1 expected-comma-or-bracket at 2 (1:3)",
      "2: [2]",
      '3: {"a":} unexpected-token at 12 (3:6)',
      "4: 1 2 trailing-content at 16 (4:3)",
      '5: "b unterminated-string at 20 (5:3)',
      "6: 3x\\x0d\\xc3\\xa9,  trailing-content at 22 (6:2)",
      "8: true", // the lone CR ends a line too, though not a document
      "10: [ unexpected-end at 36 (10:2)",
    ]);
  });

  it("has the failure of parseBinary() for each line", () => {
    withSeeds(600, (random) => {
      const lines = Array.from({ length: 6 }, () => {
        const text = utf8(randomDocument(random).replace(/[\r\n]/g, " "));
        return (random.once(2) ? corrupt(random, text) : text).filter((byte) => byte !== 0x0a && byte !== 0x0d);
      }).filter((line) => line.some((byte) => byte !== 0x20 && byte !== 0x09) && line[0] !== 0xef);
      const bytes = concat(lines.flatMap((line) => [line, utf8("\n")]));
      let start = 0;
      const expected = lines.map((line, i) => {
        const result = parseBinary(line);
        const origin = start;
        start += line.length + 1;
        return result.ok ? "valid" : `${result.code} ${origin + result.offset} ${i + 1}:${result.column}`;
      });
      const { documents } = documentsOf("lines", piecesAt(bytes, randomCut(random, bytes.length)));
      const found = documents.map(({ failure }) =>
        failure === null ? "valid" : `${failure.code} ${failure.offset} ${failure.line}:${failure.column}`
      );
      assertEquals(found, expected);
    });
  });

  it("returns false from push() at the wrong byte, not at the end of its line", () => {
    const validator = new BinaryValidator({ multiple: "lines" });
    assert(validator.push(utf8("[1]\n[")));
    assert(!validator.push(utf8("}")));
    assert(!validator.push(utf8("\n[2]\n")));
    const result = validator.end();
    assertStrictEquals(result.ok ? -1 : result.offset, 5);
  });
});

describe('BinaryValidator with multiple "concatenated"', () => {
  it("takes documents anywhere on a line", () => {
    assertDocuments("concatenated", '{"a":\n1}{}[2]\n\n 3 4\n"x""y"\nnull', [
      '1: {"a":\\x0a1}',
      "2: {}",
      "2: [2]",
      "4: 3",
      "4: 4",
      '5: "x"',
      '5: "y"',
      "6: null",
    ]);
    assertDocuments("concatenated", " \n", []);
  });

  it("continues on the line after an invalid document", () => {
    assertDocuments("concatenated", "[1,\n]x y\n[2] tru [3]\n[4]\n{", [
      "1: [1,\\x0a]x y unexpected-token at 4 (2:1)",
      "3: [2]",
      "3: tru [3] unexpected-token at 16 (3:8)",
      "4: [4]",
      "5: { expected-property-name-or-brace at 26 (5:2)",
    ]);
  });

  it("calls onDocument when a document is complete, not when the next begins", () => {
    let count = 0;
    const validator = new BinaryValidator({ multiple: "concatenated", onDocument: () => count++ });
    validator.push(utf8("[1]"));
    assertStrictEquals(count, 1);
  });
});

describe("JsonValidationStream", () => {
  /** Returns the chunks that pass until the stream ends or fails, and the error. */
  async function flow(parts: Uint8Array[], options?: BinaryValidatorOptions): Promise<[Uint8Array[], unknown]> {
    const passed: Uint8Array[] = [];
    let taken = 0;
    // Not every browser has `ReadableStream.from`, or iterates over streams.
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts[taken++];
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    });
    const reader = source.pipeThrough(new JsonValidationStream(options)).getReader();
    try {
      for (let part; !(part = await reader.read()).done;) passed.push(part.value);
    } catch (error) {
      return [passed, error];
    }
    return [passed, undefined];
  }

  it("passes chunks of valid JSON through as they are", async () => {
    const parts = [utf8('{"a": "'), utf8("é").subarray(0, 1), utf8("é").subarray(1), utf8('"'), utf8("}")];
    const [passed, error] = await flow(parts);
    assertStrictEquals(error, undefined);
    assertStrictEquals(passed.length, parts.length);
    passed.forEach((part, i) => assertStrictEquals(part, parts[i]));
  });

  it("fails at the first wrong byte and passes the bytes before it", async () => {
    const [passed, error] = await flow([utf8("[1, "), utf8("2, ] 3"), utf8("]")]);
    assertEquals(concat(passed), utf8("[1, 2, "));
    assert(error instanceof SyntaxError);
    const { message, cause } = error as SyntaxError;
    assertEquals(cause, parseBinary(utf8("[1, 2, ]")));
    assertStrictEquals(message, (cause as ParseFailure).message);
  });

  it("fails where the input ends too early", async () => {
    const [passed, error] = await flow([utf8("[1"), utf8(", 2")]);
    assertEquals(concat(passed), utf8("[1, 2"));
    assertEquals((error as SyntaxError).cause, parseBinary(utf8("[1, 2")));
  });

  it("passes on copies of chunks of shared memory", async () => {
    const buffer = new SharedArrayBuffer(3, { maxByteLength: 10 });
    const chunk = new Uint8Array(buffer);
    chunk.set(utf8("[1]"));
    const onDocument = () => {
      chunk[1] = 0;
      buffer.grow(10);
    };
    const [passed, error] = await flow([chunk], { multiple: "lines", onDocument });
    assertStrictEquals(error, undefined);
    assertEquals(passed, [utf8("[1]")]);
    assert(passed[0].buffer instanceof ArrayBuffer);
  });

  for (
    const [what, chunk] of [
      ["a buffer", utf8("[1]").buffer],
      ["a slice", new Slice(utf8("[1]"))],
      ["a string", "[1]"],
      ["a proxy", new Proxy(utf8("[1]"), {})],
    ] as [string, unknown][]
  ) {
    it(`fails with a TypeError for ${what}, which does not pass`, async () => {
      const [passed, error] = await flow([utf8(" "), chunk as Uint8Array]);
      assertEquals(concat(passed), utf8(" "));
      assert(error instanceof TypeError);
      assertStrictEquals((error as TypeError).message, "Cannot validate this chunk: expected a Uint8Array");
    });
  }

  it("fails with the error of a callback", async () => {
    const thrown = new Error("enough");
    const onDocument = () => {
      throw thrown;
    };
    const [passed, error] = await flow([utf8("1\n"), utf8("2\n")], { multiple: "lines", onDocument });
    assertEquals(passed, []);
    assertStrictEquals(error, thrown);
  });

  it("passes through streams of the platform, by its types too", async () => {
    const source = () => new Blob(['{"a": ', '"é"}']).stream();
    const text = source().pipeThrough(new JsonValidationStream()).pipeThrough(new TextDecoderStream());
    assertEquals(await new Response(text.pipeThrough(new TextEncoderStream())).json(), { a: "é" });
    const packed = source().pipeThrough(new CompressionStream("gzip")).pipeThrough(new DecompressionStream("gzip"))
      .pipeThrough(new JsonValidationStream()).pipeThrough(new CompressionStream("gzip"));
    const response = new Response(packed.pipeThrough(new DecompressionStream("gzip")));
    assertEquals(await response.json(), { a: "é" });
  });

  it("cancels its source", async () => {
    // Some engines cancel the source after the reader has its error.
    const { promise: reason, resolve: cancel } = Promise.withResolvers<unknown>();
    const source = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(utf8("]")), cancel });
    await assertRejects(() => toBytes(source.pipeThrough(new JsonValidationStream())), SyntaxError);
    assert(await reason instanceof SyntaxError);
  });

  it("passes several documents if multiple is given", async () => {
    const lines: number[] = [];
    const options: BinaryValidatorOptions = { multiple: "lines", onDocument: ({ line }) => lines.push(line) };
    const [passed, error] = await flow([utf8("1\n2"), utf8("3\n[]\n")], options);
    assertStrictEquals(error, undefined);
    assertEquals(concat(passed), utf8("1\n23\n[]\n"));
    assertEquals(lines, [1, 2, 3]);
  });
});

describe("JsonValidationStream in an engine without TransformStream", () => {
  it("throws a TypeError once it is made, not when the module is loaded", async () => {
    await withGlobals({ TransformStream: undefined }, async () => {
      const { JsonValidationStream } = await loadFresh<typeof import("../../validate_binary.ts")>("validate_binary.ts");
      const message = "Cannot make a stream: this engine has no TransformStream";
      assertThrows(() => new JsonValidationStream(), TypeError, message);
    });
  });
});
