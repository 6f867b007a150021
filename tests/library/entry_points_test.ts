/**
 * Promises of SECURITY.md, each for every entry point that it covers. Tests that need a process of
 * their own are elsewhere, and read the same table: see `tests/support/entry_points.ts`.
 */

import { assert, assertEquals, assertLess, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { runInNewContext } from "node:vm";
import * as library from "../../mod.ts";
import { Slice } from "../../slice.ts";
import { concat, show, utf8 } from "../support/bytes.ts";
import { copiesAt, type Cut, evenCut, evenCuts, piecesAt, randomCut, singleCuts } from "../support/cuts.ts";
import { assertSame } from "../support/difference.ts";
import { randomDocument } from "../support/random_documents.ts";
import { corrupt } from "../support/mutations.ts";
import {
  coveredBy,
  type EntryPoint,
  entryPointsOf,
  exportsCoveredBy,
  GROUPS,
  PROMISES,
  type Reading,
} from "../support/entry_points.ts";
import { projectRoot } from "../support/environment.ts";
import { type Random, withSeedsAsync } from "../support/random.ts";
import { failureOf, referenceRead } from "../support/reference.ts";

type Promised = keyof typeof PROMISES;

const ENTRY_POINTS = entryPointsOf(library);

/** Modules of the package that export nothing, or are tested with programs and frameworks. */
const WITHOUT_ROWS: Record<string, string[]> = {
  "./cli": ["main"],
  "./hono": ["jsonBody"],
  "./express": ["json"],
  "./fastify": ["jsonParser"],
  "./http": ["jsonHandler"],
  "./blank-comments": ["blankComments"],
  "./polyfill": [],
  "./codegen": [],
  "./no-codegen": [],
};

/** Describes a promise, with a test for each entry point that it covers. */
function describePromise(promise: Promised, body: (entryPoint: EntryPoint) => void | Promise<void>): void {
  describe(`SECURITY.md, "${promise}"`, () => {
    for (const entryPoint of coveredBy(promise, ENTRY_POINTS)) it(entryPoint.name, () => body(entryPoint));
  });
}

/** Cuts bytes into chunks, or copies them if the entry point takes them whole. */
function chunksOf({ isWhole }: EntryPoint, bytes: Uint8Array, cut: Cut = []): Uint8Array[] {
  return isWhole ? [bytes.slice()] : copiesAt(bytes, cut);
}

type Summary = [values: unknown[], failure: Reading["failure"]];

/** Reads chunks. Returns the values, and the failure or `null`. */
async function read(entryPoint: EntryPoint, chunks: readonly Uint8Array[]): Promise<Summary> {
  const { values, failure } = await entryPoint.read(chunks);
  return [values.toArray(), failure];
}

/** Asserts that an input of these texts is read correctly from chunks. */
async function assertReads(entryPoint: EntryPoint, texts: string[], chunks: readonly Uint8Array[]): Promise<void> {
  assertSame(await read(entryPoint, chunks), [entryPoint.valuesOf(texts), null], () => texts.join(" "));
}

/** Returns random documents on lines of their own. */
function randomTexts(random: Random): string[] {
  return Array.from({ length: 1 + random.below(6) }, () => randomDocument(random).replaceAll(/[\n\r]/g, " "));
}

describe("the table of entry points", () => {
  const { exports } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", projectRoot)));
  const listed = Object.values(GROUPS).flat();

  it("has rows for each export", async () => {
    for (const [name, path] of Object.entries<string>(exports)) {
      const url = new URL(path, projectRoot);
      if (name in WITHOUT_ROWS) {
        const exported = Deno.readTextFileSync(url).matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm);
        assertEquals([...new Set(Array.from(exported, ([, exported]) => exported))], WITHOUT_ROWS[name]);
        continue;
      }
      const functions = Object.entries(await import(url.href)).filter(([, value]) => typeof value === "function");
      assert(functions.length > 0, name);
      for (const [exported] of functions) {
        assertEquals(listed.filter((other) => other === exported).length, 1, `groups that have ${exported}`);
        assert(ENTRY_POINTS.some((row) => row.export === exported), `there is no row for ${exported}`);
      }
    }
  });

  it("names only exports of mod.ts, and each row once", () => {
    const names = [...listed, ...ENTRY_POINTS.map((row) => row.export)];
    for (const promise of Object.keys(PROMISES) as Promised[]) names.push(...exportsCoveredBy(promise));
    assertEquals([...new Set(names)].filter((name) => !(name in library)), []);
    assertEquals(new Set(ENTRY_POINTS.map(({ name }) => name)).size, ENTRY_POINTS.length);
  });
});

/** Row of the table of promises in SECURITY.md. */
interface PromiseRow {
  title: string;
  covers: string;
  tests: string[];
}

/** Reads the table of promises. The command lines of tasks stand for the files that they run. */
function promisesOf(page: string): PromiseRow[] {
  const rows = page.matchAll(/^\| \*\*(.+?)\.?\*\*.*? \| (.+?) +\| (.+?) +\|$/gm);
  return Array.from(rows, ([, title, covers, tests]) => ({
    title,
    covers: covers.replaceAll("`", ""),
    tests: Array.from(tests.matchAll(/`(?:tests\/)?([\w/]+\.ts)`/g), ([, path]) => `tests/${path}`),
  }));
}

describe("SECURITY.md", () => {
  const page = Deno.readTextFileSync(new URL("SECURITY.md", projectRoot));
  const rows = promisesOf(page);

  it("lists the promises and groups of the table, with the entry points that each covers", () => {
    assertEquals(Object.fromEntries(rows.map(({ title, covers }) => [title, covers])), { ...PROMISES });
    const groups = page.matchAll(/^- \*\*([a-z]+)\*\*: ((?:.|\n {2})+)$/gm);
    const found = Array.from(groups, ([, name, names]) => [name, names.replaceAll(/[`.]/g, "").split(/,\s+/)]);
    assertEquals(Object.fromEntries(found), GROUPS);
  });

  it("names tests for every export that a promise covers", () => {
    for (const { title, tests } of rows) {
      assert(tests.length > 0, title);
      const sources = tests.map((path) => Deno.readTextFileSync(new URL(path, projectRoot)));
      // A test that goes through the table covers what the table says.
      if (PROMISES[title as Promised] === "all" || sources.some((source) => source.includes(`"${title}"`))) continue;
      const text = sources.join("\n");
      const missing = exportsCoveredBy(title as Promised).filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
      assertEquals(missing, [], title);
    }
  });
});

describePromise("No exception", async (entryPoint) => {
  await withSeedsAsync(60, async (random) => {
    const bytes = corrupt(random, utf8(entryPoint.inputOf(randomTexts(random))));
    const [, failure] = await read(entryPoint, chunksOf(entryPoint, bytes, randomCut(random, bytes.length)));
    assert(failure === null || failure.offset <= bytes.length, show(bytes));
  });
});

describePromise("Right values", async (entryPoint) => {
  await withSeedsAsync(40, async (random) => {
    const texts = randomTexts(random);
    const bytes = utf8(entryPoint.inputOf(texts));
    await assertReads(entryPoint, texts, chunksOf(entryPoint, bytes, randomCut(random, bytes.length)));
  });
});

describePromise("Strict input", async (entryPoint) => {
  const texts: (string | number)[][] = [
    ...["[1,]", '{"a":1,}', "{'a':1}", "{a:1}", "[1]]", "01", "1.", ".5", "+1", "0x1", "NaN", "Infinity", "undefined"],
    ...["// 1\r1", "/* 1 */ 1", "True", '"\t"', '"\\x41"', '"\\u00g0"', '"a', "[1 2]", '{"a" 1}', "\v1", "\u00a01"],
    "1\0",
  ].map((text) => [text]);
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]) {
    texts.push(['"', ...bytes, '"']);
  }
  const [before, after] = entryPoint.inputOf(["0", "~"]).split("~");
  for (const text of texts) {
    const [, failure] = await read(entryPoint, chunksOf(entryPoint, utf8(before, ...text, after)));
    assert(failure !== null, `accepted ${text}`);
  }
});

describePromise("No confusion", async (entryPoint) => {
  const similar = (letter: string, other: string): string => {
    return `{"name_${letter}_of_a_member":"text_${letter}_of_a_value","${other}":0,"id":"${letter}"}`;
  };
  // `JSON.parse` itself confuses names that end in a backslash, and some names after them.
  const pairs = [
    [similar("x", "a"), similar("y", "b")],
    ['{"id":[],"\\\\":0}', '{"id":1,"b":0}'],
    ['["ab"]', '["aB"]'],
  ];
  for (const pair of pairs) {
    for (const text of [...pair, ...pair, pair[0]]) {
      const texts = Array<string>(50).fill(text);
      await assertReads(entryPoint, texts, chunksOf(entryPoint, utf8(entryPoint.inputOf(texts))));
    }
  }
});

/** Returns the failure of a text that is wrong before its end, behind others in an input. */
function failureBehind(before: string, text: string): Reading["failure"] {
  const { refusal } = referenceRead(utf8(text), {});
  const length = utf8(before).length;
  return failureOf(utf8(before, text, " "), { ...refusal!, offset: length + refusal!.offset });
}

describePromise("True positions", async (entryPoint) => {
  const wrong = [
    ...["[1 2]", '{"a" 1}', "{1}", '{"a":1 2}', "[,]", "[01]", "[+1]", '["\\x"]', '["\\u00g0"]', "[1.x]", "[-]"],
  ];
  for (const text of [...wrong, "[truE]", '["é😀\x01"]', '{"é":é}', "[\ufeff1]"]) {
    const [before, after] = entryPoint.inputOf(['{"é":"中\\n"}', "[]", "~"]).split("~");
    const bytes = utf8(before, text, after);
    for (const cut of [[], ...evenCuts(bytes.length, 1)]) {
      const [, failure] = await read(entryPoint, chunksOf(entryPoint, bytes, cut));
      assertEquals(failure, failureBehind(before, text), text);
    }
  }
});

describePromise("No echo", async (entryPoint) => {
  const texts = [
    ...["ZQXJ", '"ZQXJ', '{"ZQXJ"', "[ZQXJ]", '["\\ZQXJ"]', "[1,ZQXJ,2]", '{"ZQXJ" ZQXJ}', "[1.ZQXJ]", '["ZQ\x01XJ"]'],
    ...['["пароль\n"]', '["x" пароль]'],
  ];
  for (const text of texts) {
    const [, failure] = await read(entryPoint, chunksOf(entryPoint, utf8(entryPoint.inputOf([text]))));
    assert(failure !== null, text);
    assertEquals(/ZQ|QX|XJ|па|ар|ро|ол|ль/.exec(JSON.stringify(failure)), null);
  }
});

describePromise("Any depth", async (entryPoint) => {
  const depth = 15_000;
  for (const [opening, closing] of [["[", "]"], ['[{"a":', "}]"]]) {
    const text = entryPoint.inputOf([`${opening.repeat(depth)}1${closing.repeat(depth)}`]);
    // A failure in the depths must leave nothing behind.
    for (const isWhole of [false, true]) {
      const bytes = utf8(isWhole ? text : text.slice(0, opening.length * depth));
      const chunks = chunksOf(entryPoint, bytes, evenCut(bytes, 65_536));
      assertEquals((await entryPoint.read(chunks)).failure === null, isWhole);
    }
  }
});

describePromise("Linear work", async (entryPoint) => {
  // Inputs of n and of 16 n bytes: linear time grows by 16, quadratic time by 256.
  const texts = [
    (n: number) => Array<string>(n / 8).fill('{"a":1}'),
    (n: number) => [`"${"é\\n".repeat(n / 4)}"`],
    (n: number) => [`[${"1,".repeat(n / 2)}x]`],
    (n: number) => [`[1${" ".repeat(n)}`],
  ];
  const timeOf = async (bytes: Uint8Array): Promise<number> => {
    const chunks = chunksOf(entryPoint, bytes, evenCut(bytes, 100));
    const start = performance.now();
    await entryPoint.read(chunks);
    return performance.now() - start;
  };
  for (const make of texts) {
    const [small, large] = [2_000, 32_000].map((n) => utf8(entryPoint.inputOf(make(n))));
    let growth = Infinity;
    for (let attempt = 0; attempt < 30 && growth >= 100; attempt++) {
      const before = Math.max(0.1, await timeOf(small), await timeOf(small));
      growth = Math.min(growth, await timeOf(large) / before);
    }
    assertLess(growth, 100);
  }
});

describePromise("Same results wherever input is cut", async (entryPoint) => {
  const whole = utf8(entryPoint.inputOf(['{"a\\n":"é\\u00e9"}', "[-1.5e3,null]", '"😀"', "true", "12"]));
  for (const bytes of [whole, whole.subarray(0, -2), concat([whole, utf8(' "a\x01')])]) {
    const expected = await read(entryPoint, [bytes.slice()]);
    for (const cut of [...singleCuts(bytes.length), ...evenCuts(bytes.length, 1)]) {
      assertSame(
        await read(entryPoint, chunksOf(entryPoint, bytes, cut)),
        expected,
        () => `${show(bytes)}, cut at ${cut}`,
      );
    }
  }
});

/** Proxy that answers as its target would, and calls methods of the target. */
function answering<T extends object>(target: T): T {
  return new Proxy(target, {
    get(object, key) {
      const value = Reflect.get(object, key, object);
      return typeof value === "function" && key !== "constructor" ? value.bind(object) : value;
    },
  });
}

/** Arguments that are not bytes, but may look like bytes. */
function lookalikes(): Record<string, unknown> {
  const bytes = utf8("[1]");
  const targets = [
    bytes,
    Buffer.from(bytes),
    bytes.slice().buffer,
    new SharedArrayBuffer(3),
    new DataView(bytes.buffer),
  ];
  const proxies = targets.flatMap((target) => [
    [`a proxy of ${target.constructor.name}`, new Proxy<object>(target, {})],
    [`a proxy that answers for ${target.constructor.name}`, answering<object>(target)],
  ]);
  const views = [new DataView(new ArrayBuffer(8)), new Int8Array(8), new Uint8ClampedArray(8), new Float64Array(1)];
  const viewFields = { constructor: Uint8Array, length: 8 };
  const slice = { byteLength: 3, byteOffset: 0, buffer: bytes.buffer };
  const fields = Object.getOwnPropertyDescriptors({ ...slice, length: 3, 0: 0x5b, 1: 0x31, 2: 0x5d });
  return {
    ...Object.fromEntries(proxies),
    ...Object.fromEntries(views.map((view) => [view.constructor.name, view])),
    "a DataView with fields": Object.assign(new DataView(new ArrayBuffer(8)), viewFields),
    "an object with the prototype of Uint8Array": Object.create(Uint8Array.prototype),
    "an object with its prototype and fields": Object.create(Uint8Array.prototype, fields),
    "an object with its fields": Object.create({}, fields),
    "an object with the prototype of ArrayBuffer": Object.create(ArrayBuffer.prototype),
    "an object that inherits from bytes": Object.create(bytes),
    "an object like a slice of an ArrayBuffer": slice,
    "a slice of a proxy": Object.assign(new Slice(), { buffer: new Proxy(bytes, {}), byteLength: 3 }),
    "a slice of a proxy that answers": Object.assign(new Slice(), { buffer: answering(bytes), byteLength: 3 }),
    ...{ "a function": () => bytes, "a Blob": new Blob(["[1]"]), "a promise": Promise.resolve(bytes), "an object": {} },
    ...{ "an array": [0x5b, 0x31, 0x5d], "a string": "[1]", "a symbol": Symbol("[1]"), "a number": 8, "a bigint": 1n },
    ...{ "null": null, "a boolean": true, "undefined": undefined },
  };
}

/** Returns whether an entry point takes an argument though it is not bytes. */
function isTaken({ name, export: exported }: EntryPoint, argument: unknown): boolean {
  if (argument === undefined) return /slice|PoolAllocator/i.test(name);
  if (typeof argument === "number") return exported === "PoolAllocator";
  if (typeof argument === "string") return exported === "BinaryParser" || exported === "parsePartial";
  return ArrayBuffer.isView(argument) && (exported === "PoolAllocator" || exported === "detach");
}

const REFUSAL = new RegExp(
  "^Cannot (parse this argument: expected a Uint8Array|read a chunk of this source: expected a Uint8Array|" +
    "validate this chunk: expected a Uint8Array|queue this chunk: expected a Uint8Array|" +
    "make a slice: expected a Uint8Array|make a pool of this argument|detach this argument)",
);

describePromise("No effect", async (entryPoint) => {
  const texts = ['{"a":[1,"é"]}', "[2]"];
  const bytes = utf8(entryPoint.inputOf(texts));
  const refused = Object.entries(lookalikes()).filter(([, argument]) => !isTaken(entryPoint, argument));
  for (const [name, argument] of refused as [string, Uint8Array][]) {
    const { message } = await assertRejects(async () => await entryPoint.read([argument]), TypeError, undefined, name);
    assertMatch(message, REFUSAL, name);
    await assertReads(entryPoint, texts, chunksOf(entryPoint, bytes));
  }
  if (entryPoint.open === undefined) return;
  for (const [place] of singleCuts(bytes.length)) {
    const reader = entryPoint.open();
    for (const piece of piecesAt(bytes, [place])) {
      for (const [name, argument] of refused.filter((_, i) => i % 8 === place % 8) as [string, Uint8Array][]) {
        assertThrows(() => reader.push(argument), TypeError, "expected a Uint8Array", name);
      }
      reader.push(piece.slice());
    }
    const { values, failure } = reader.end();
    assertSame([values.toArray(), failure], [entryPoint.valuesOf(texts), null], () => `pushed at ${place}`);
  }
});

/** Makes bytes of another realm: of `node:vm`, as in tests by Jest, or in its memory. */
const FOREIGN: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  "a Uint8Array of another realm": runInNewContext("(bytes) => new Uint8Array(bytes)"),
  "part of a buffer of another realm": runInNewContext("(bytes) => new Uint8Array([9, ...bytes, 9]).subarray(1, -1)"),
  "shared memory of another realm": runInNewContext(`(bytes) => {
    const array = new Uint8Array(new SharedArrayBuffer(bytes.length));
    array.set(bytes);
    return array;
  }`),
  "a view of a buffer of another realm": (bytes) => {
    const buffer: ArrayBuffer = runInNewContext("(length) => new ArrayBuffer(length)")(bytes.length);
    new Uint8Array(buffer).set(bytes);
    return new Uint8Array(buffer);
  },
  "a Buffer": (bytes) => Buffer.from(bytes),
};

describePromise("Any realm", async (entryPoint) => {
  const texts = ['{"a":[1,"é"]}', "[2]", ...Array(200).fill("3")];
  const bytes = utf8(entryPoint.inputOf(texts));
  for (const [name, make] of Object.entries(FOREIGN)) {
    const chunks = chunksOf(entryPoint, bytes, [5, 60]).map((chunk) => make(chunk));
    const [values, failure] = await read(entryPoint, chunks);
    assertEquals(failure, null, name);
    // Neither shared memory nor part of a buffer can be detached.
    const isDetached = entryPoint.export === "detach" && (name.startsWith("part") || name.startsWith("shared"));
    assertEquals(values, isDetached ? [false] : entryPoint.valuesOf(texts), name);
  }
});

describePromise("Shared memory", async (entryPoint) => {
  const texts = [`{"a":[1,"${"é".repeat(300)}"]}`, "[2]", ...Array(200).fill("3")];
  const bytes = utf8(entryPoint.inputOf(texts));
  for (const around of [0, 7]) {
    const chunks = chunksOf(entryPoint, bytes, [5, 60]).map((chunk) => {
      const buffer = new SharedArrayBuffer(chunk.length + 2 * around, { maxByteLength: 10_000 });
      const memory = new Uint8Array(buffer).fill(0x22);
      memory.set(chunk, around);
      return memory.subarray(around, around + chunk.length);
    });
    await assertReads(entryPoint, texts, chunks);
  }
});

describePromise("No detaching", async (entryPoint) => {
  for (const text of ['{"a":[1,"é"]}', '{"a":[1,', `["${"é".repeat(40_000)}"]`]) {
    const chunks = chunksOf(entryPoint, utf8(entryPoint.inputOf([text])), [5]);
    const copies = chunks.map((chunk) => chunk.slice());
    await read(entryPoint, chunks);
    assertEquals(chunks, copies);
  }
});

describePromise("Only whole buffers are detached", async (entryPoint) => {
  const bytes = utf8(entryPoint.inputOf(['{"a":[1,"é"]}']));
  const whole = new Uint8Array(bytes.length + 2).fill(0x39);
  whole.set(bytes, 1);
  await read(entryPoint, [whole.subarray(1, -1)]);
  assertEquals(whole, concat([utf8("9"), bytes, utf8("9")]));
});

describe("a buffer that shrinks, grows and is detached", () => {
  const readers = coveredBy("No detaching", ENTRY_POINTS).filter(({ readsJson }) => readsJson);
  // `readJson` joins its chunks first: one without bytes adds nothing.
  for (const entryPoint of readers.filter((reader) => reader.export !== "readJson")) {
    it(`is read as it is at each call: ${entryPoint.name}`, async () => {
      const input = entryPoint.inputOf(["1", "[2]"]);
      // Small and large inputs are read in different ways.
      for (const length of [512, 513, 70_000]) {
        const buffer = new ArrayBuffer(length, { maxByteLength: length + 9 });
        const bytes = new Uint8Array(buffer);
        bytes.set(utf8(input.padStart(length)));
        const views = [bytes, new Uint8Array(buffer, 0, length)];
        const assertPresent = async () => {
          for (const view of views) {
            // A view that is out of bounds has no length.
            const expected = await read(entryPoint, [view.length === 0 ? new Uint8Array(0) : view.slice()]);
            assertSame(await read(entryPoint, [view]), expected, () => `${length} bytes, now ${buffer.byteLength}`);
          }
        };
        for (const size of [length, length - 1, length - 2, 0]) {
          buffer.resize(size);
          await assertPresent();
        }
        buffer.resize(length + 9);
        for (const end of ["x", " "]) {
          bytes.set(utf8(input.padStart(length) + end.repeat(9)));
          await assertPresent();
        }
        buffer.transfer();
        for (const view of views) {
          const [, failure] = await read(entryPoint, [view]);
          assertEquals(failure?.code, "detached-buffer");
        }
        await assertReads(entryPoint, ["1", "[2]"], [utf8(input)]);
      }
    });
  }
});
