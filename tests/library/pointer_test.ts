/**
 * `parseAt` and `locate`, and `parseStream` at a pointer: every value by its pointer, pointers that
 * miss, several pointers, `stopWhenFound`, places, and arguments.
 */

import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary } from "../../parse_binary.ts";
import { parseStream } from "../../parse_stream.ts";
import { locateDocument } from "../../parser/selection/locate_document.ts";
import { compilePointers } from "../../parser/selection/pointers.ts";
import { selectLargeInput } from "../../parser/selection/select_large.ts";
import { valueMaker } from "../../parser/selection/value_maker.ts";
import { maskOf } from "../../parser/selection/selector.ts";
import { locate, parseAt, type ParseAtResult, type Pointer, type PointerList } from "../../pointer.ts";
import { every, type Mask, selectBinary, selector } from "../../select.ts";
import { show, utf8 } from "../support/bytes.ts";
import { everyCut, piecesAt } from "../support/cuts.ts";
import { assertSame, resultDifference } from "../support/difference.ts";
import { mutantsOf, SEEDS } from "../support/mutants.ts";
import { assertPointed, PointedText } from "../support/pointing.ts";
import { settle, SOURCES } from "../support/sources.ts";

/** Valid documents with every kind of token, duplicates, and names that pointers escape. */
const DOCUMENTS = [
  ...SEEDS.filter((text) => parseBinary(utf8(text)).ok),
  '{"a/b":{"~":1,"m~n":[2],"":{"":3}},"c%d":4,"e^f":5," ":6,"k\\"l":7,"i\\\\j":8}',
  '{"a":1,"a":{"b":[1,2]},"b":0,"a":{"c":3,"b":[3,{"d":4}]},"\\u0061":{"b":[5]}}',
  '{"0":"x","1":{"0":[["y"]]},"00":"z","-":1,"-1":2}',
  '{\n  "é": [\r\n    "中😀", {"😀": null},\r    -0\n  ],\n\n  "\\u00e9\\n": 1}',
  '[[],[[]],[[[]]],{},{"a":{}}]',
  '\r\n{\r"a"\n:\r\n [1 ,\n\n"é😀", {"中":\t"x"}]}',
  " \n 12.5 \n",
  '{"__proto__":{"__proto__":[1]},"constructor":2,"toString":{"length":3}}',
  '{"a":1,"\\u0061b":[2],"abc":{"ab":3},"aXbYc":4,"aZbWc":5,"\\ud800":6,"😀":7,"\\n":8,"\\"":9,"\\\\":0,"~":[],"/":{}}',
].map((text) => new PointedText(text));

it("every value of a document is found by its pointer, and no other", async () => {
  const misses = ["absent", "", "0", "00", "-", "1", "a", "~", "~0", "aYbYc", "\udc00", "\ufffd", "__proto__"];
  for (const document of DOCUMENTS) {
    for (const tokens of document.paths()) {
      misses.push(misses.shift()!); // each is the first one of a list, and followed alone, now and then
      const list = [tokens, ...misses.flatMap((token) => [[...tokens, token], [...tokens, token, "b"]])];
      for (const stopWhenFound of [false, true]) {
        await assertPointed(document.bytes, list, { stopWhenFound });
        for (const one of list.slice(0, 3)) await assertPointed(document.bytes, [one], { stopWhenFound });
      }
    }
  }
});

describe("several pointers", () => {
  it("all return the failure of the input", () => {
    const bytes = utf8('{"a":1,"b":[2,]}');
    const failure = parseBinary(bytes);
    for (const options of [{}, { maxDepth: 9 }]) {
      assertEquals(parseAt(bytes, ["/a", "/b/0", "/c"], options), [failure, failure, failure] as ParseAtResult[]);
      assertEquals(locate(bytes, ["/a", ["b"]], options), [failure, failure] as ParseAtResult[]);
    }
  });
});

describe("an array of pointers", () => {
  const bytes = utf8('{"a":{"b":1},"/a":{"/b":2},"":{"":3},"0":{"a":[4]}}');
  const value = (result: ParseAtResult): unknown => result.ok && result.found ? result.value : undefined;

  it("is a list of pointers if all items are arrays, empty or begin with a slash, and a path otherwise", () => {
    const whole = JSON.parse(new TextDecoder().decode(bytes));
    const paths: [pointer: Pointer, value: unknown][] = [
      ...[[["a", "b"], 1], [["/a", "b"], undefined], [[0, "a", 0], 4], [[], whole]] as [Pointer, unknown][],
      ...[[["0", { key: "a" }, { key: 0 }], 4], [[{ key: "" }, ""], 3]] as [Pointer, unknown][],
    ];
    for (const [pointer, expected] of paths) assertEquals(value(parseAt(bytes, pointer)), expected);
    const lists: [pointers: PointerList, values: unknown[]][] = [
      ...[[["/a/b"], [1]], [["/a/b", ""], [1, whole]], [[[]], [whole]]] as [PointerList, unknown[]][],
      ...[[[["/a", "/b"]], [2]], [[["", ""], [0, "a", 0]], [3, 4]]] as [PointerList, unknown[]][],
      [["/~1a/~1b", ["a", "b"]], [2, 1]],
    ];
    for (const [pointers, expected] of lists) assertEquals(parseAt(bytes, pointers).map(value), expected);
  });

  it("is refused if an item is not a pointer", async () => {
    const message = 'Cannot follow this JSON Pointer: expected a text such as "/data/items", or an array of names';
    const no = ["a", "a/b", "/~", "/~2", "/a~", 1, null, undefined, {}, true, ["a", null], [["a"], [Symbol("a")]]];
    for (const wrong of no) {
      for (const call of [parseAt, locate]) {
        assertStrictEquals(assertThrows(() => call(bytes, wrong as Pointer), TypeError).message, message);
      }
      await assertRejects(() => parseStream([bytes.slice()], { at: (wrong ?? 1) as string }), TypeError, message);
    }
    for (const wrong of [["/a", "/~"], [["a"], "/~3"], [[{}]], [[{ key: null }]], [[1n]]]) {
      assertThrows(() => parseAt(bytes, wrong as unknown as PointerList), TypeError, message);
    }
  });
});

it("indexes are those of RFC 6901: digits without a leading zero, and names in objects", () => {
  const bytes = utf8(`[${Array.from({ length: 300 }, (_, i) => i)},{"01":"x","-":"y"}]`);
  const at = (pointer: Pointer): unknown => {
    const result = parseAt(bytes, pointer);
    return result.ok && result.found ? result.value : result;
  };
  for (const index of [0, 1, 9, 10, 99, 255, 256, 299]) assertEquals([at(`/${index}`), at([index])], [index, index]);
  const tokens = ["01", "00", "-", "-1", "+1", "1.0", "1e1", " 1", "1 ", "٣", "0x1", "301", "4294967296"];
  for (const token of [...tokens, -1, 0.5, NaN, Infinity, 1e21, 2 ** 53, 2 ** 32]) {
    assertEquals(at([token]), { ok: true, found: false, depth: 0 }, `${token}`);
  }
  assertEquals([at([-0]), at("/300/01"), at("/300/-")], [0, "x", "y"]);
});

describe("stopWhenFound", () => {
  it("reads no byte after the value", () => {
    for (const document of DOCUMENTS) {
      for (const tokens of document.paths()) {
        const expected = document.follow(tokens, true);
        if (!expected.found) continue;
        const spoiled = document.bytes.slice().fill(0xff, expected.end);
        for (const bytes of [spoiled, document.bytes.slice(0, expected.end)]) {
          assertSame(
            parseAt(bytes, [tokens], { stopWhenFound: true }),
            [expected],
            () => `${show(bytes)} at ${tokens}`,
          );
        }
      }
    }
  });

  it("validates the part that it reads", () => {
    for (const [text, pointer] of [['{"x":[1,2,],"a":1}', "/a"], ['{"a":[1,2', "/a"], ['{"a":[1,2', "/b"]] as const) {
      for (const read of [parseAt, locate]) {
        assertEquals<unknown>(read(utf8(text), pointer, { stopWhenFound: true }), parseBinary(utf8(text)));
      }
    }
  });
});

describe("parseStream at a pointer", () => {
  it("cancels the source as soon as the answer is certain, of whatever kind", async () => {
    for (const [name, make] of Object.entries(SOURCES)) {
      const { source, cancelled } = make(['{"a":{"b":1,', '"c":2},"d":', "3}"].map((text) => utf8(text)), "stalls");
      const result = await parseStream(source, { at: "/a/b", stopWhenFound: true });
      assertEquals(result, { ok: true, found: true, value: 1, start: 10, end: 11, line: 1, column: 11 }, name);
      await settle();
      assertEquals(cancelled(), true, name);
    }
    const rows: { chunks: string[]; at: string; depth: number | undefined; taken: number }[] = [
      { chunks: ['{"a":{"b":1},'], at: "/a/c", depth: 1, taken: 1 },
      { chunks: ["[1,[2],"], at: "/1/5", depth: 1, taken: 1 },
      { chunks: ['{"a":7,'], at: "/a/b", depth: 1, taken: 1 },
      { chunks: ['{"meta": {"next": 7', '}, "data": [', "not JSON"], at: "/meta/none", depth: 1, taken: 2 },
      { chunks: ['{"meta": {"next": 7', '}, "data": [', "not JSON"], at: "/data/0", depth: undefined, taken: 3 },
    ];
    for (const { chunks, at, depth, taken: expected } of rows) {
      let taken = 0;
      const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(utf8(chunks[taken++]));
      const source = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
      const result = await parseStream(source, { at, stopWhenFound: true });
      if (depth !== undefined) assertEquals(result, { ok: true, found: false, depth });
      assertEquals([result.ok, taken], [depth !== undefined, expected], at);
    }
    const deep = await parseStream([utf8('{"a": 1, "b": [[]]}')], { at: "/a", stopWhenFound: true, maxDepth: 2 });
    assertEquals(deep, { ok: true, found: true, value: 1, start: 6, end: 7, line: 1, column: 7 });
    const all = await parseStream([utf8('{"a": 1, "b": ]')], { at: "/a" });
    assertEquals(all.ok || all.offset, 14);
  });

  it("selects from the value", async () => {
    const bytes = utf8('{"x":[],"page":{"items":[{"id":1,"name":"a"},{"name":"b"}],"total":2}}');
    const select = selector([{ id: true }]);
    for (const cut of everyCut(bytes.length)) {
      const result = await parseStream(piecesAt(bytes, cut), { at: "/page/items", select });
      assertSame(result.ok && result.found && result.value, [{ id: 1 }, {}]);
    }
  });

  it("buffers nothing of the values that the pointer skips", async () => {
    const chunk = utf8(`"${"x".repeat(60_000)}",`);
    async function* source(): AsyncGenerator<Uint8Array> {
      yield utf8('{"skipped": ["');
      for (let i = 0; i < 300; i++) yield utf8("x".repeat(60_000));
      yield utf8('",');
      for (let i = 0; i < 100; i++) yield chunk.slice();
      yield utf8('1], "id": 7}');
    }
    const result = await parseStream(source(), { at: "/id", maxTokenBytes: 70_000 });
    assertEquals(result.ok && result.found && result.value, 7);
  });
});

describe("an input read through windows", () => {
  it("fails as selectBinary() and locate() do, for each changed byte of shared memory", () => {
    const bytes = utf8('{"x": {}\n,  "a name of its own": "long enough", "b": [{"a": 1}]}');
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const tree = compilePointers([["b", "0"]]);
    for (const mask of [{ a: true, b: [{ a: true }] }, [{ a: [true], [every]: { b: true } }]] as Mask[]) {
      const select = selector(mask);
      for (const mutant of mutantsOf(shared, [0x22, 0x2c, 0x7b, 0x7d, 0xff])) {
        assertEquals([locateDocument(mutant, tree, false, null, 12)].flat(), locate(mutant, ["/b/0"]));
        const inWindows = selectLargeInput(mutant, maskOf(select)!.node, valueMaker, 12);
        const problem = resultDifference(inWindows, selectBinary(mutant, select));
        if (problem) throw new Error(`${show(mutant)}: ${problem}`);
      }
    }
  });
});
