/**
 * `parseAt` and `locate`, and `parseStream` at a pointer: every value by its pointer, pointers that
 * miss, several pointers, `stopWhenFound`, places, and arguments.
 *
 * A failure names its seed: `BYTEJSON_SEED` runs it alone, `BYTEJSON_ROUNDS` multiplies the rounds.
 */

import { assertEquals, assertLess, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary } from "../../parse_binary.ts";
import { parseStream } from "../../parse_stream.ts";
import { locate, parseAt, type ParseAtResult, type Pointer, type PointerList } from "../../pointer.ts";
import { selector } from "../../select.ts";
import { validateBinary } from "../../validate_binary.ts";
import { FORMS, show, utf8 } from "../support/bytes.ts";
import { evenCuts, everyCut, piecesAt } from "../support/cuts.ts";
import { corrupt, randomDocument } from "../support/documents.ts";
import { difference, own } from "../support/difference.ts";
import { sharedFolder } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { mutantsOf, SEEDS } from "../support/mutants.ts";
import { placeOf, PointedText, pointerOf, randomMiss } from "../support/pointing.ts";
import { type Random, withSeeds } from "../support/random.ts";
import { referenceParse } from "../support/reference.ts";
import { SOURCES } from "../support/sources.ts";

/** Valid documents with every kind of token, duplicates, and names that pointers escape. */
const DOCUMENTS = [
  ...SEEDS.filter((text) => !text.startsWith("\ufeff") && parseBinary(utf8(text)).ok),
  '{"a/b":{"~":1,"m~n":[2],"":{"":3}},"c%d":4,"e^f":5," ":6,"k\\"l":7,"i\\\\j":8}',
  '{"a":1,"a":{"b":[1,2]},"b":0,"a":{"c":3,"b":[3,{"d":4}]},"\\u0061":{"b":[5]}}',
  '{"0":"x","1":{"0":[["y"]]},"00":"z","-":1,"-1":2}',
  '{\n  "é": [\r\n    "中😀", {"😀": null},\r    -0\n  ],\n\n  "\\u00e9\\n": 1}',
  '[[],[[]],[[[]]],{},{"a":{}}]',
  '{"__proto__":{"__proto__":[1]},"constructor":2,"toString":{"length":3}}',
].map((text) => new PointedText(text));

/** Asserts that two results are the same, bit for bit. */
function assertSame(actual: unknown, expected: unknown, { text }: PointedText, tokens: unknown, how: string): void {
  const problem = difference(actual, expected);
  if (problem) throw new Error(`${show(utf8(text))} at ${JSON.stringify(tokens)}, ${how}: ${problem}`);
}

/** Asserts the result at a pointer, for each way to look it up. */
function assertAt(document: PointedText, tokens: readonly string[]): void {
  const { bytes } = document;
  const pointer = pointerOf(tokens);
  const path = tokens.map((token) => /^(?:0|[1-9]\d{0,8})$/.test(token) ? Number(token) : token);
  for (const stopWhenFound of [undefined, false, true]) {
    const expected = document.follow(tokens, stopWhenFound);
    const place = placeOf(expected);
    const options = { stopWhenFound };
    const how = `stopWhenFound: ${stopWhenFound}`;
    assertSame(parseAt(bytes, pointer, options), expected, document, tokens, how);
    assertSame(parseAt(bytes, [path], options), [expected], document, tokens, `path, ${how}`);
    assertSame(parseAt(bytes, [path.map((key) => ({ key }))], options), [expected], document, tokens, `keys, ${how}`);
    assertSame(locate(bytes, pointer, options), place, document, tokens, `locate, ${how}`);
    assertSame(locate(bytes, [path], options), [place], document, tokens, `locate a path, ${how}`);
  }
}

describe("every value of a document", () => {
  for (const document of DOCUMENTS) {
    it(`is found by its pointer in ${show(document.bytes)}`, () => {
      for (const tokens of document.paths()) assertAt(document, tokens);
      for (const tokens of document.paths()) {
        for (const token of ["absent", "", "0", "00", "-", "1", "a", "~", "__proto__"]) {
          assertAt(document, [...tokens, token]);
          assertAt(document, [...tokens, token, "b"]);
        }
      }
    });
  }

  it("is found in random documents, and so is what misses", () => {
    withSeeds(400, (random) => {
      const document = new PointedText(randomDocument(random));
      const paths = document.paths();
      for (let times = 0; times < 4; times++) {
        const tokens = random.pick(paths);
        assertAt(document, random.once(3) ? randomMiss(random, tokens) : tokens);
      }
    });
  });

  it("is the value that the pointer leads to in the value of the document", () => {
    withSeeds(100, (random) => {
      const document = new PointedText(randomDocument(random));
      const whole = referenceParse(document.bytes);
      if (!whole.ok) throw new Error(whole.message);
      for (const tokens of document.paths()) {
        let { value } = whole;
        for (const token of tokens) value = Object.getOwnPropertyDescriptor(value, token)!.value;
        const result = parseAt(document.bytes, [tokens])[0];
        assertSame(result.ok && result.found && result.value, value, document, tokens, "in the whole");
      }
    });
  });
});

/** Asserts the results of a list of pointers. */
function assertList(document: PointedText, list: string[][], random: Random): void {
  const pointers = list.map((tokens) => random.once(2) ? pointerOf(tokens) : tokens) as PointerList;
  for (const stopWhenFound of [false, true]) {
    const expected = list.map((tokens) => document.follow(tokens, stopWhenFound));
    assertSame(parseAt(document.bytes, pointers, { stopWhenFound }), expected, document, list, `${stopWhenFound}`);
    const places = expected.map(placeOf);
    assertSame(locate(document.bytes, pointers, { stopWhenFound }), places, document, list, `${stopWhenFound}`);
  }
}

describe("several pointers", () => {
  it("are followed in one pass, in any order", () => {
    withSeeds(500, (random) => {
      const document = random.once(2) ? random.pick(DOCUMENTS) : new PointedText(randomDocument(random));
      const paths = document.paths();
      const list = Array.from({ length: 1 + random.below(8) }, () => {
        const tokens = random.pick(paths);
        return random.once(4) ? randomMiss(random, tokens) : tokens;
      });
      assertList(document, list, random);
    });
  });

  it("may be the same, or lead to a value and to one within it", () => {
    const document = new PointedText('{"a":{"b":[1,{"c":2}]},"d":3}');
    withSeeds(1, (random) => {
      assertList(document, [["a"], ["a", "b", "1", "c"], ["a"], [], ["a", "b"], ["d"], ["a", "b", "1", "c"]], random);
    });
  });

  it("are as many as all values of a document", () => {
    const document = new PointedText(
      JSON.stringify(
        Array.from({ length: 300 }, (_, i) => ({ id: i, tags: ["a", `é${i}`], [`n${i % 7}`]: { x: null } })),
      ),
    );
    const paths = document.paths();
    const results = parseAt(document.bytes, paths);
    const value = JSON.parse(document.text);
    for (const [i, tokens] of paths.entries()) {
      const result = results[i];
      const expected = tokens.reduce((part, token) => part[token], value);
      if (!result.ok || !result.found) throw new Error(`there is nothing at ${pointerOf(tokens)}`);
      assertStrictEquals(difference(result.value, expected), undefined);
      const text = new TextDecoder().decode(document.bytes.subarray(result.start, result.end));
      assertStrictEquals(text, JSON.stringify(expected));
    }
  });

  it("all get the failure of the input", () => {
    const bytes = utf8('{"a":1,"b":[2,]}');
    const failure = parseBinary(bytes);
    assertEquals(parseAt(bytes, ["/a", "/b/0", "/c"]), [failure, failure, failure] as ParseAtResult[]);
    assertEquals(locate(bytes, ["/a", ["b"]]), [failure, failure] as ParseAtResult[]);
  });
});

describe("an array of pointers", () => {
  const bytes = utf8('{"a":{"b":1},"/a":{"/b":2},"":{"":3},"0":{"a":[4]}}');
  const value = (result: ParseAtResult): unknown => result.ok && result.found ? result.value : undefined;

  it("is a path unless all items are arrays, begin with a slash, or are empty", () => {
    const path = (pointer: Pointer): unknown => value(parseAt(bytes, pointer));
    assertEquals(path(["a", "b"]), 1);
    assertEquals(path(["/a", "b"]), undefined);
    assertEquals(path([0, "a", 0]), 4);
    assertEquals(path(["0", { key: "a" }, { key: 0 }]), 4);
    assertEquals(path([]), JSON.parse(new TextDecoder().decode(bytes)));
    assertEquals(path([{ key: "" }, ""]), 3);
  });

  it("is a list otherwise", () => {
    const list = (pointers: PointerList): unknown[] => parseAt(bytes, pointers).map(value);
    assertEquals(list(["/a/b"]), [1]);
    assertEquals(list(["/a/b", ""]), [1, JSON.parse(new TextDecoder().decode(bytes))]);
    assertEquals(list(["/~1a/~1b", ["a", "b"]]), [2, 1]);
    assertEquals(list([["/a", "/b"]]), [2]);
    assertEquals(list([["", ""], [0, "a", 0]]), [3, 4]);
    assertEquals(list([[]]).length, 1);
  });

  it("is refused if an item is no pointer", () => {
    const message = 'Cannot follow this JSON Pointer: expected a text such as "/data/items", or an array of names';
    for (
      const wrong of ["a", "a/b", "/~", "/~2", "/a~", 1, null, undefined, {}, true, ["a", null], [["a"], [Symbol("a")]]]
    ) {
      for (const call of [parseAt, locate]) {
        assertStrictEquals(assertThrows(() => call(bytes, wrong as Pointer), TypeError).message, message);
      }
    }
    for (const wrong of [["/a", "/~"], [["a"], "/~3"], [[{}]], [[{ key: null }]], [[1n]]]) {
      assertThrows(() => parseAt(bytes, wrong as unknown as PointerList), TypeError, message);
    }
  });
});

describe("indexes", () => {
  const bytes = utf8(`[${Array.from({ length: 300 }, (_, i) => i)},{"01":"x","-":"y"}]`);
  const at = (pointer: Pointer): unknown => {
    const result = parseAt(bytes, pointer);
    return result.ok && result.found ? result.value : result;
  };
  const missing = { ok: true, found: false, depth: 0 };

  it("are those of RFC 6901: digits without a leading zero", () => {
    for (const index of [0, 1, 9, 10, 99, 255, 256, 299]) {
      assertEquals(at(`/${index}`), index);
      assertEquals(at([index]), index);
    }
    for (const token of ["01", "00", "-", "-1", "+1", "1.0", "1e1", " 1", "1 ", "٣", "0x1", "301", "4294967296"]) {
      assertEquals(at([token]), missing, token);
    }
    for (const index of [-1, 0.5, NaN, Infinity, 1e21, 2 ** 53, 2 ** 32]) assertEquals(at([index]), missing);
    assertEquals(at([-0]), 0);
  });

  it("are names in objects", () => {
    assertEquals(at("/300/01"), "x");
    assertEquals(at("/300/-"), "y");
  });
});

describe("places", () => {
  it("count lines and columns as failures do", () => {
    const text = '\r\n{\r"a"\n:\r\n [1 ,\n\n"é😀", {"中":\t"x"}]}';
    const document = new PointedText(text);
    for (const tokens of document.paths()) assertAt(document, tokens);
    const place = locate(document.bytes, "/a/1");
    assertEquals(place, { ok: true, found: true, start: 18, end: 26, line: 7, column: 1 });
  });

  it("count a byte-order mark in offsets, not in columns", () => {
    const bytes = utf8('\ufeff{"a": [1]}');
    assertEquals(locate(bytes, "/a"), { ok: true, found: true, start: 9, end: 12, line: 1, column: 7 });
    assertEquals(locate(bytes, ""), { ok: true, found: true, start: 3, end: 13, line: 1, column: 1 });
    assertEquals(parseAt(bytes, "/a/0"), { ok: true, found: true, value: 1, start: 10, end: 11, line: 1, column: 8 });
  });

  it("are those of the outermost value without the whitespace around it", () => {
    const document = new PointedText(" \n 12.5 \n");
    assertAt(document, []);
    assertAt(document, ["0"]);
  });
});

describe("stopWhenFound", () => {
  it("reads no byte after the value", () => {
    for (const document of DOCUMENTS) {
      for (const tokens of document.paths()) {
        const expected = document.follow(tokens, true);
        if (!expected.found) continue;
        const spoiled = document.bytes.slice();
        spoiled.fill(0xff, expected.end);
        assertSame(parseAt(spoiled, [tokens], { stopWhenFound: true })[0], expected, document, tokens, "spoiled");
        const cut = document.bytes.slice(0, expected.end);
        assertSame(parseAt(cut, [tokens], { stopWhenFound: true })[0], expected, document, tokens, "cut");
      }
    }
  });

  it("takes the first of members with the same name, and looks no further in it", () => {
    const bytes = utf8('{"a":{"b":1},"a":{"c":2},"d":3}');
    const at = (pointer: string) => parseAt(bytes, pointer, { stopWhenFound: true });
    assertEquals(at("/a/b"), { ok: true, found: true, value: 1, start: 10, end: 11, line: 1, column: 11 });
    assertEquals(at("/a/c"), { ok: true, found: false, depth: 1 });
    assertEquals(at("/a/b/c"), { ok: true, found: false, depth: 2 });
    assertEquals(at("/d"), { ok: true, found: true, value: 3, start: 29, end: 30, line: 1, column: 30 });
  });

  it("checks what it reads", () => {
    const bytes = utf8('{"x":[1,2,],"a":1}');
    assertEquals(parseAt(bytes, "/a", { stopWhenFound: true }), parseBinary(bytes) as ParseAtResult);
    const cut = utf8('{"a":[1,2');
    assertEquals(parseAt(cut, "/a", { stopWhenFound: true }), parseBinary(cut) as ParseAtResult);
    assertEquals(parseAt(cut, "/b", { stopWhenFound: true }), parseBinary(cut) as ParseAtResult);
    assertEquals(locate(cut, "/a", { stopWhenFound: true }), parseBinary(cut) as ParseAtResult);
  });

  it("takes as long as what it reads, not as the input", () => {
    const bytes = new Uint8Array(30_000_000).fill(0x20);
    bytes.set(utf8('{"a":{"b":1}'));
    let best = Infinity;
    for (let times = 0; times < 5; times++) {
      const start = performance.now();
      parseAt(bytes, "/a/b", { stopWhenFound: true });
      best = Math.min(best, performance.now() - start);
    }
    assertLess(best, 1);
  });
});

describe("inputs", () => {
  const text = '{"a":[1,{"b":"é"}],"c":null}';
  const expected = new PointedText(text).follow(["a", "1", "b"]);

  it("are bytes in every form", () => {
    for (const length of [0, 2_000]) {
      const bytes = utf8(text, " ".repeat(length));
      for (const [form, make] of FORMS) {
        assertStrictEquals(difference(parseAt(make(bytes), "/a/1/b"), expected), undefined, form);
        assertStrictEquals(difference(locate(make(bytes), "/a/1/b"), placeOf(expected)), undefined, form);
      }
    }
  });

  it("are nothing else", () => {
    for (const wrong of [text, [1], null, new DataView(new ArrayBuffer(1)), new Uint16Array(2)]) {
      for (const call of [parseAt, locate]) {
        assertThrows(() => call(wrong as unknown as Uint8Array, ""), TypeError, "expected a Uint8Array");
      }
    }
  });

  it("may be detached: a failure", () => {
    const bytes = utf8(text);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    const failure = parseBinary(bytes);
    assertEquals(failure.ok || failure.code, "detached-buffer");
    assertEquals(parseAt(bytes, "/a"), failure as ParseAtResult);
    assertEquals(parseAt(bytes, ["/a", "/b"]), [failure, failure] as ParseAtResult[]);
    assertEquals(locate(bytes, "/a"), failure as ParseAtResult);
  });

  it("of any depth are followed", () => {
    const depth = 2_000;
    const deep = utf8(`${'{"a":['.repeat(depth)}7${"]}".repeat(depth)}`);
    const tokens = Array.from({ length: 2 * depth }, (_, i) => i % 2 === 0 ? "a" : 0);
    const result = parseAt(deep, [tokens])[0];
    const start = 6 * depth;
    assertEquals(result, { ok: true, found: true, value: 7, start, end: start + 1, line: 1, column: start + 1 });
    assertEquals(locate(deep, [[...tokens, "a"]])[0], { ok: true, found: false, depth: 2 * depth });
    const inner = parseAt(deep, ["/a/0/a"])[0];
    assertEquals(inner.ok && inner.found && [inner.start, inner.end], [11, deep.length - 3]);
    const skipped = utf8(`{"x":${"[".repeat(100_000)}${"]".repeat(100_000)},"y":1}`);
    const last = parseAt(skipped, "/y");
    assertEquals(last.ok && last.found && last.value, 1);
  });

  it("are accepted and rejected as validateBinary does: every change of a byte", () => {
    const pointers = ["/a/1/b", "/c", "/c/d/1", "/1/0", ""] as const;
    for (const { text } of DOCUMENTS) {
      for (const mutant of mutantsOf(utf8(text))) {
        const valid = validateBinary(mutant);
        for (const result of [...locate(mutant, pointers), parseAt(mutant, "/a")]) {
          if (result.ok && valid.ok) continue;
          const problem = difference(result, valid);
          if (problem) throw new Error(`${show(mutant)}: ${problem}`);
        }
      }
    }
  });

  it("are accepted and rejected as validateBinary does: corrupted documents", () => {
    withSeeds(1_500, (random) => {
      const document = new PointedText(randomDocument(random));
      const tokens = random.pick(document.paths());
      const bytes = corrupt(random, document.bytes);
      const valid = validateBinary(bytes);
      const [result, other] = locate(bytes, [tokens, random.pick(document.paths())]);
      if (valid.ok) assertEquals([result.ok, other.ok], [true, true]);
      else assertStrictEquals(difference([result, other], [valid, valid]), undefined, show(bytes));
    });
  });
});

/** Asserts the result of `parseStream` at a pointer, at each cut. */
async function assertStream(document: PointedText, tokens: string[], cuts: Iterable<number[]>): Promise<void> {
  for (const stopWhenFound of [undefined, true]) {
    const expected = document.follow(tokens, stopWhenFound);
    for (const cut of cuts) {
      const result = await parseStream(piecesAt(document.bytes, cut), { at: tokens, stopWhenFound });
      assertSame(result, expected, document, tokens, `stopWhenFound: ${stopWhenFound}, cut at ${cut}`);
    }
  }
}

describe("parseStream at a pointer", () => {
  it("finds every value of a document that is cut anywhere", async () => {
    for (const document of DOCUMENTS) {
      const cuts = [...everyCut(document.bytes.length)];
      for (const tokens of document.paths()) await assertStream(document, tokens, cuts);
      for (const tokens of document.paths()) await assertStream(document, [...tokens, "x"], cuts.slice(-1));
    }
  });

  it("finds the values of random documents, and none where there is none", async () => {
    const rounds: { document: PointedText; tokens: string[] }[] = [];
    withSeeds(150, (random) => {
      const document = new PointedText(randomDocument(random));
      const tokens = random.pick(document.paths());
      rounds.push({ document, tokens: random.once(3) ? randomMiss(random, tokens) : tokens });
    });
    for (const { document, tokens } of rounds) await assertStream(document, tokens, evenCuts(document.bytes.length, 3));
  });

  it("cancels the source as soon as the answer is certain", async () => {
    for (const [name, make] of Object.entries(SOURCES)) {
      const texts = ['{"a":{"b":1,', '"c":2},"d":', "3}"];
      const { source, cancelled } = make(texts.map((text) => utf8(text)), "stalls");
      const result = await parseStream(source, { at: "/a/b", stopWhenFound: true });
      assertEquals(result, { ok: true, found: true, value: 1, start: 10, end: 11, line: 1, column: 11 }, name);
      await new Promise((resolve) => setTimeout(resolve));
      assertEquals(cancelled(), true, name);
    }
  });

  it("knows that there is no value before the source has ended", async () => {
    for (
      const [text, at, depth] of [['{"a":{"b":1},', "/a/c", 1], ["[1,[2],", "/1/5", 1], ['{"a":7,', "/a/b", 1]] as const
    ) {
      const { source } = SOURCES["a stream"]([utf8(text)], "stalls");
      assertEquals(await parseStream(source, { at, stopWhenFound: true }), { ok: true, found: false, depth });
    }
  });

  it("fails as validateBinary does", async () => {
    for (const text of ['{"a":1,"b":[2,]}', '{"a":1', '{"a":"\\x"}', "", "[1 2]", '{"b":tru}']) {
      const bytes = utf8(text);
      for (const cut of everyCut(bytes.length)) {
        assertEquals(await parseStream(piecesAt(bytes, cut), { at: "/a" }), parseBinary(bytes) as ParseAtResult);
      }
    }
  });

  it("selects from the value", async () => {
    const bytes = utf8('{"x":[],"page":{"items":[{"id":1,"name":"a"},{"name":"b"}],"total":2}}');
    const select = selector([{ id: true }]);
    for (const cut of everyCut(bytes.length)) {
      const result = await parseStream(piecesAt(bytes, cut), { at: "/page/items", select });
      assertStrictEquals(difference(result.ok && result.found && result.value, [{ id: 1 }, {}]), undefined);
    }
  });
});

describe("names", () => {
  it("that objects inherit, that are alike, or that escapes spell, are told apart", () => {
    const names = [
      "__proto__",
      "constructor",
      "a",
      "ab",
      "abc",
      "aXbYc",
      "aZbWc",
      "\ud800",
      "😀",
      "é",
      "\n",
      '"',
      "\\",
      "~",
      "/",
    ];
    const text = JSON.stringify(own(...names.map((name, i): [string, unknown] => [name, own([name, i])])));
    const document = new PointedText(text.replace('"ab"', '"\\u0061b"'));
    for (const tokens of document.paths()) assertAt(document, tokens);
    for (const name of ["toString", "abd", "aYbYc", "\udc00", "\ufffd", "~0", "~1"]) assertAt(document, [name]);
  });

  it("of 10,000 pointers are found", () => {
    const value = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`name ${i}`, { id: i }]));
    const bytes = utf8(JSON.stringify(value));
    const pointers = Object.keys(value).toReversed().map((name) => `/${name}/id` as const);
    const found = parseAt(bytes, pointers).map((result) => result.ok && result.found && result.value);
    assertEquals(found, Object.keys(found).map((i) => 9_999 - Number(i)));
  });
});

/** Returns pointers to all values of a value, in an order of their own. */
function pathsIn(
  value: unknown,
  path: (string | number)[] = [],
  paths: (string | number)[][] = [],
): (string | number)[][] {
  paths.push(path);
  if (Array.isArray(value)) value.forEach((element, i) => pathsIn(element, [...path, i], paths));
  else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) pathsIn(member, [...path, name], paths);
  }
  return paths;
}

/** Asserts that values of the corpus are found by their pointers. */
function assertCorpus(choose: (paths: (string | number)[][], random: Random) => (string | number)[][][]): void {
  const corpus = sharedFolder("corpus");
  if (corpus === undefined) return;
  for (const { name } of Deno.readDirSync(corpus)) {
    if (!name.endsWith(".json")) continue;
    const bytes = Deno.readFileSync(new URL(name, corpus));
    const value = JSON.parse(new TextDecoder().decode(bytes));
    withSeeds(1, (random) => {
      for (const paths of choose(pathsIn(value), random)) {
        const results = parseAt(bytes, paths);
        for (const [i, path] of paths.entries()) {
          const result = results[i];
          let expected = value;
          for (const token of path) expected = expected[token];
          const found = result.ok && result.found ? result.value : result;
          const problem = difference(found, expected);
          if (problem) throw new Error(`${name} at ${pointerOf(path)}: ${problem}`);
        }
      }
    });
  }
}

describe("the corpus", () => {
  it("has values at random pointers", () => {
    assertCorpus((paths, random) => [Array.from({ length: 20 }, () => random.pick(paths))]);
  });
});

describeLong("all of the corpus", () => {
  it("has every fourth value at its pointer", () => {
    assertCorpus((paths, random) => {
      const first = 1 + random.below(4); // the outermost value takes long to compare
      const chosen = paths.filter((_, i) => i >= first && (i - first) % 4 === 0);
      const lists: (string | number)[][][] = [];
      for (let i = 0; i < chosen.length; i += 5_000) lists.push(chosen.slice(i, i + 5_000));
      return lists;
    });
  });
});
