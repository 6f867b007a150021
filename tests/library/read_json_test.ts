/** `readJson` and `parseWithSchema`: behaviour with particular schemas, sources and options. */

import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { createConnection } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync, zstdCompressSync } from "node:zlib";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import {
  type JsonSource,
  parseBinary,
  type ParseFailure,
  parseWithSchema,
  type ParseWithSchemaResult,
  readJson,
  type ReadJsonFailure,
  type ReadJsonOptions,
  type ReadJsonResult,
  type SchemaFailure,
  type SchemaIssue,
  selector,
  type StandardSchemaV1,
  UNTRUSTED,
} from "../../mod.ts";
import { zstdOfOneByte } from "../hostile/compressed.ts";
import { utf8 } from "../support/bytes.ts";
import { runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertChecks } from "../support/outcomes.ts";
import { schemaOf } from "../support/price_schema.ts";

/** Document whose second price is text, and whose third item has no price. */
const TEXT = `{"items": [
  {"price": 1},
  {"price": "2"},
  {"name": "é"}
], "note": null}`;

/** Schema that finds the same issues in any value. */
function finding(...issues: SchemaIssue[]): StandardSchemaV1 {
  return schemaOf(() => ({ issues }));
}

/** Returns the failure of a schema; fails for any other result. */
function schemaFailureOf(result: ParseWithSchemaResult | ReadJsonResult): SchemaFailure {
  if (result.ok || result.code !== "schema") throw new Error(`Not a failure of a schema: ${JSON.stringify(result)}`);
  return result;
}

const COMPRESSIONS: Record<string, (text: string) => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>> = {
  gzip: (text) => bytesBy(text, "gzip"),
  deflate: (text) => bytesBy(text, "deflate"),
  br: (text) => new Uint8Array(brotliCompressSync(text)),
  zstd: (text) => new Uint8Array(zstdCompressSync(text)),
};

async function bytesBy(text: string, format: "gzip" | "deflate"): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function inPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return ReadableStream.from((function* () {
    for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
  })());
}

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

// deno-lint-ignore no-explicit-any
type Any = any;

/** Returns the code of a failure, or false. */
function codeOf(result: ReadJsonResult): string | false {
  return !result.ok && result.code;
}

/** Returns the part of a text that an issue points to. */
function textAt(text: string, { start, end }: { start: number; end: number }): string {
  return new TextDecoder().decode(utf8(text).slice(start, end));
}

/** Returns path, line, column and text of each issue. */
function placesIn(text: string, result: ReadJsonResult): unknown[] {
  const { status, issues } = schemaFailureOf(result);
  assertEquals(status, 422);
  return issues.map((issue) => [issue.path, issue.line, issue.column, textAt(text, issue)]);
}

const PLACES = [["/items/1/price", 3, 13, '"2"'], ["/items/2/price", 4, 3, '{"name": "é"}']];

describe("readJson() with a schema of", () => {
  const schemas: Record<string, StandardSchemaV1> = {
    Zod: z.object({ items: z.array(z.object({ price: z.number() })), note: z.null() }),
    Valibot: v.object({ items: v.array(v.object({ price: v.number() })), note: v.null() }),
    ArkType: type({ items: type({ price: "number" }).array(), note: "null" }),
  };
  for (const [name, schema] of Object.entries(schemas)) {
    it(`${name}, whose issues get places in the document, of which a part is selected, too`, async () => {
      const select = selector({ items: [{ price: true }], note: true });
      for (const options of [{}, { select }]) {
        assertEquals(placesIn(TEXT, await readJson(new Response(TEXT), { schema, ...options })), PLACES);
      }
    });
  }

  const a = z.object({ kind: z.literal("a"), a: z.number() });
  const b = z.object({ kind: z.literal("b"), b: z.string() });
  const notBob = v.pipeAsync(v.string(), v.checkAsync(async (name) => await Promise.resolve(name) !== "Bob", "Taken"));
  const kinds = '[\n {"kind": "a", "a": 1},\n {"kind": "b", "b": 2}]';
  const rows: { name: string; schema: StandardSchemaV1; text: string; places: unknown[] }[] = [
    {
      name: "Zod, with a union",
      schema: z.array(z.union([a, b])),
      text: kinds,
      places: ["/1", 3, 2, '{"kind": "b", "b": 2}'],
    },
    {
      name: "Zod, with a union by a member",
      schema: z.array(z.discriminatedUnion("kind", [a, b])),
      text: kinds,
      places: ["/1/b", 3, 21, "2"],
    },
    {
      name: "Valibot, with asynchronous checks",
      schema: v.objectAsync({ name: notBob }),
      text: '{"name":\n"Bob"}',
      places: [
        "/name",
        2,
        1,
        '"Bob"',
      ],
    },
  ];
  for (const { name, schema, text, places: place } of rows) {
    it(name, async () => assertEquals(placesIn(text, await readJson(new Response(text), { schema })), [place]));
  }

  it("any library, whose own issues are kept, inner ones of unions, too", async () => {
    const LIBRARIES: { schema: StandardSchemaV1; own: (issue: Any) => unknown; expected: unknown }[] = [
      {
        schema: z.array(z.union([a, b])),
        own: ({ code, errors }) => [code, errors[1][0].path],
        expected: ["invalid_union", ["b"]],
      },
      {
        schema: v.array(v.union([v.string(), v.number()])),
        own: ({ kind, issues }) => [kind, issues.length],
        expected: ["schema", 2],
      },
      {
        schema: type("(string | number)[]"),
        own: ({ code, actual }) => [code, actual],
        expected: ["predicate", "an object"],
      },
    ];
    for (const { schema, own, expected } of LIBRARIES) {
      const [issue, ...others] =
        schemaFailureOf(await readJson(new Response('[{"kind": "b", "b": 2}]'), { schema })).issues;
      assertEquals([own(issue.issue), others], [expected, []]);
    }
  });

  it("Zod and Valibot, with the values that they make", async () => {
    const schema = z.object({ since: z.string().transform((text) => new Date(text)) });
    const result = await readJson(new Response('{"since": "2020-01-01"}'), { schema });
    const year: number | false = result.ok && result.value.since.getUTCFullYear();
    assertEquals(year, 2020);
    const named = await readJson(new Response('{"name": "Ann"}'), { schema: v.objectAsync({ name: notBob }) });
    assertEquals(named, { ok: true, value: { name: "Ann" } });
  });
});

describe("an issue points to", () => {
  const path = (...path: PropertyKey[]): SchemaIssue => ({ message: "wrong", path });
  const CASES: [name: string, text: string, issue: SchemaIssue, path: string, place: string][] = [
    ["the document, without a path", " [1]", { message: "wrong" }, "", "[1]"],
    ["the document, with an empty path", " [1]", path(), "", "[1]"],
    ["an element", "[1, 22]", path(1), "/1", "22"],
    ["a key in an object", '{"a":1}', { message: "", path: [{ key: "a" }] }, "/a", "1"],
    ["an escaped name", '{"a/b~c":1}', path("a/b~c"), "/a~1b~0c", "1"],
    ["an empty name", '{"":1}', path(""), "/", "1"],
    ["the last of equal names", '{"a":1,"a":2}', path("a"), "/a", "2"],
    ["the object that lacks a member", '{"a":{"b":1}}', path("a", "c"), "/a/c", '{"b":1}'],
    ["the array that lacks an element", '{"a":[1]}', path("a", 1), "/a/1", "[1]"],
    ["the object that lacks the outermost member", '{"a":{"b":1}}', path("a", "c", "d", 0), "/a/c/d/0", '{"b":1}'],
    ["the scalar in place of an object", '{"a":7}', path("a", "b", "c"), "/a/b/c", "7"],
    ["the object in place of a symbol", "{}", path(Symbol("s")), "/Symbol(s)", "{}"],
    ["a value behind a byte-order mark", "\ufeff[1]", path(0), "/0", "1"],
  ];
  it("the innermost place that is there", () => {
    for (const [name, text, issue, ...expected] of CASES) {
      const [found] = schemaFailureOf(parseWithSchema(utf8(text), finding(issue))).issues;
      assertEquals([found.path, textAt(text, found)], expected, name);
    }
  });

  it("the first of equal names if that counts", () => {
    const result = parseWithSchema(utf8('{"a":1,"a":2}'), finding(path("a")), { duplicateKeys: "first" });
    assertEquals(schemaFailureOf(result).issues[0].start, 5);
  });

  it("one of a thousand places, and all issues are counted", () => {
    const bytes = utf8(`[${Array(3000).fill(1).join()}]`);
    const { issues, issueCount } = schemaFailureOf(parseWithSchema(bytes, z.array(z.string())));
    assertEquals([issues.length, issueCount], [1000, 3000]);
    assertEquals(issues[999].start, 1 + 2 * 999);
  });

  it("nothing, if the schema names no issue", () => {
    const result = parseWithSchema(utf8("1"), finding());
    const message = "Value does not conform to the schema";
    assertEquals(result, { ok: false, code: "schema", message, status: 422, issues: [], issueCount: 0 });
  });

  it("the beginning, if the bytes have changed meanwhile", async () => {
    const bytes = utf8("[1]");
    const validate = () => Promise.resolve({ issues: [path(0)] }).finally(() => void bytes.buffer.transfer());
    const issues = [{ message: "wrong", path: "/0", start: 0, end: 0, line: 1, column: 1, issue: path(0) }];
    assertEquals(schemaFailureOf(await readJson(bytes, { schema: schemaOf(validate) })).issues, issues);
  });
});

describe("parseWithSchema()", () => {
  it("refuses asynchronous schemas, even those that reject", () => {
    const ofLibrary = { then: (resolve: (result: unknown) => void) => resolve({ value: 1 }) };
    for (const checked of [Promise.resolve({ value: 1 }), Promise.reject(new Error("late")), ofLibrary]) {
      assertThrows(() => parseWithSchema(utf8("1"), schemaOf(() => checked)), TypeError, "asynchronous schema");
    }
  });

  it("refuses what is not a schema, and what are not bytes", () => {
    for (const wrong of [undefined, null, {}, "x", { "~standard": {} }, parseBinary]) {
      assertThrows(() => parseWithSchema(utf8("1"), wrong as StandardSchemaV1), TypeError, "Standard Schema");
    }
    assertThrows(() => parseWithSchema("1" as never, finding()), TypeError, "Cannot parse this argument");
  });

  it("reads shared memory once", () => {
    const shared = new Uint8Array(new SharedArrayBuffer(5));
    shared.set(utf8('["1"]'));
    const changing = () => {
      shared.fill(0x20);
      return { issues: [{ message: "wrong", path: [0] }] };
    };
    assertEquals(schemaFailureOf(parseWithSchema(shared, schemaOf(changing))).issues[0].start, 1);
  });
});

describe("readJson()", () => {
  /** Text of the largest body without an option. */
  const LARGEST = `"${"a".repeat(2 ** 20 - 2)}"`;

  it("has a limit of 1 MiB", async () => {
    for (const [text, options] of [[LARGEST, {}], [`${LARGEST} `, { maxBytes: Infinity }]] as const) {
      assertEquals((await readJson([utf8(text)], options)).ok, true);
    }
    const message = "Body is larger than 1048576 bytes";
    const expected = { ok: false, code: "too-large", message, status: 413 } as const;
    assertEquals(await readJson([utf8(`${LARGEST} `)]), expected);
  });

  it("has failures with a status", async () => {
    const failing = async function* (error: unknown): AsyncGenerator<Uint8Array> {
      yield utf8("[1");
      throw error;
    };
    const arrayBuffer = () => Promise.resolve(utf8("[1, 2]").buffer);
    const mistaken = { size: 1, arrayBuffer, stream: () => new Blob().stream() }; // says less than it has
    const detached = utf8("[1]").slice();
    const { buffer } = detached;
    buffer.transfer();
    const gone = [
      "AbortError",
      "BadResource",
      "BrokenPipe",
      "ConnectionAborted",
      "ConnectionReset",
      "Http",
      "Interrupted",
    ];
    const errors: [errors: unknown[], code: string][] = [
      [gone.map((name) => Object.assign(new Error("gone"), { name })), "aborted"],
      [[{ code: "ECONNRESET" }, { code: "ERR_STREAM_PREMATURE_CLOSE" }, new DOMException("", "AbortError")], "aborted"],
      [[new Error("AbortError"), { code: "EIO" }, "AbortError", null, undefined], "source-failed"],
    ];
    const rows: [source: JsonSource, options: ReadJsonOptions, code: string, status: number, cause?: unknown][] = [
      ...["[1,]", '{"a"', "\xff", "[1] 2", '{"a":1,"a":2}'].map((text) => {
        const { code } = parseBinary(utf8(text), UNTRUSTED) as ParseFailure;
        return [new Blob([text]), UNTRUSTED, code, 400] as [Blob, ReadJsonOptions, string, number];
      }),
      [mistaken, { maxBytes: 5 }, "too-large", 413],
      [detached, {}, "detached-buffer", 400],
      [buffer, {}, "detached-buffer", 400],
      ...errors.flatMap(([errors, code]) =>
        errors.map((error) => {
          return [failing(error), {}, code, code === "aborted" ? 499 : 400, error] as typeof rows[number];
        })
      ),
    ];
    for (const [source, options, code, status, cause] of rows) {
      const result = await readJson(source, options) as ReadJsonFailure & { cause?: unknown };
      assertEquals<unknown[]>([result.ok, result.code, result.status], [false, code, status]);
      assertStrictEquals(result.cause, cause);
    }
    assertEquals(await readJson(mistaken, { maxBytes: 6 }), { ok: true, value: [1, 2] });
  });

  it("frees chunks that were given away, and nothing else that the caller holds", async () => {
    const chunk = (): Uint8Array<ArrayBuffer> => utf8(`"${"a".repeat(5_000)}`).slice();
    const last = (): Uint8Array<ArrayBuffer> => utf8(`${"a".repeat(5_000)}"`).slice();
    for (const detachChunks of [true, false, undefined]) {
      const [streamed, listed] = [[chunk(), last()], [chunk(), last()]];
      for (const source of [ReadableStream.from(streamed.values()) as ReadableStream<Uint8Array>, listed]) {
        assertEquals((await readJson(source, { detachChunks })).ok, true);
      }
      const lengths = detachChunks ? [0, 0] : [5_001, 5_001];
      for (const chunks of [streamed, listed]) assertEquals(chunks.map(({ length }) => length), lengths);
    }
    const given = chunk();
    await readJson(given, { detachChunks: true });
    assertEquals(given.length, 5_001);
    const blob = new Blob([chunk(), last()]);
    for (let i = 0; i < 2; i++) assertEquals((await readJson(blob)).ok, true);
    const body = chunk();
    await readJson(new Response(body));
    assertEquals(body.length, 5_001);
  });

  it("copies chunks before their source fills them again", async () => {
    const buffer = new Uint8Array(10);
    async function* source(): AsyncGenerator<Uint8Array> {
      for (const text of ["[1,", "22,", "3]"]) {
        const { written } = new TextEncoder().encodeInto(await Promise.resolve(text), buffer);
        yield buffer.subarray(0, written);
      }
    }
    for (const maxBytes of [8, Infinity]) {
      assertEquals(await readJson(source(), { maxBytes }), { ok: true, value: [1, 22, 3] });
    }
  });

  it("leaves the other half of a body that was cloned", async () => {
    const text = JSON.stringify(Array(3_000).fill("text"));
    const request = post(new Blob([text]).stream());
    const other = request.clone();
    const results = await Promise.all([readJson(request), readJson(other)]);
    assertEquals(results.map((result) => result.ok && JSON.stringify(result.value) === text), [true, true]);
  });

  it("counts the bytes of a body, not those that its header announces", async () => {
    const bytes = utf8("[1,2]".padEnd(95));
    const read = (length: string, maxBytes: number) => {
      return readJson(post(inPieces(bytes, 2), { "content-length": length }), { maxBytes });
    };
    const lengths = ["0", "1", "5", "94", "00005", "-1", "1e1", "0x10", "5, 5", " ", "x", "+1", "1.0", "9".repeat(16)];
    for (const length of lengths) {
      assertEquals(await read(length, 95), { ok: true, value: [1, 2] }, length);
      assertEquals(codeOf(await read(length, 94)), "too-large", length);
    }
    assertEquals(await read("1000000", 2 ** 20), { ok: true, value: [1, 2] });
    assertEquals(codeOf(await read("9".repeat(15), 95)), "too-large");
  });

  it("lets errors of a schema through", async () => {
    const thrown = schemaOf(() => {
      throw new RangeError("mine");
    });
    await assertRejects(() => readJson(new Response("1"), { schema: thrown }), RangeError, "mine");
    const rejected = schemaOf(() => Promise.reject(new RangeError("mine")));
    await assertRejects(() => readJson(new Response("1"), { schema: rejected }), RangeError, "mine");
  });

  it("reads nothing of a body of another type, and cancels it", async () => {
    let reason: unknown = "none";
    const body = new ReadableStream<Uint8Array>({ cancel: (given) => void (reason = given) });
    const page = new Response(body, { headers: { "content-type": "text/html" } });
    const result = await readJson(page, { contentType: "json" });
    assertEquals([codeOf(result), reason, body.locked], ["unsupported-media-type", undefined, false]);
  });

  it("lets a message flow on whose headers it refuses", async () => {
    for (
      const [headers, code, options] of [
        [{ "content-encoding": "gzip" }, "unsupported-media-type"],
        [{ "content-encoding": "gzip, br" }, "unsupported-media-type", { inflate: true }],
        [{ "content-length": "2000000" }, "too-large"],
      ] as [{ "content-encoding": string }, string, ReadJsonOptions?][]
    ) {
      let flows = false;
      const message = { headers, on() {}, removeListener() {}, resume: () => flows = true };
      assertEquals([codeOf(await readJson(message, options)), flows], [code, true]);
    }
  });

  it("decompresses requests and messages by inflate, and counts what comes out", async () => {
    type Case = [name: string, body: Uint8Array<ArrayBuffer>, encoding: string, expected: unknown];
    const VALUE = JSON.parse(TEXT);
    const long = `"${"x".repeat(5_000_000)}"`;
    const CASES: Case[] = [
      ["gzip", await bytesBy(TEXT, "gzip"), " GZIP ", VALUE],
      ["x-gzip", await bytesBy(TEXT, "gzip"), "X-Gzip", VALUE],
      ["another", await bytesBy(TEXT, "gzip"), "compress", "unsupported-media-type"],
      ["not compressed", utf8("[1]"), "identity", [1]],
      ["zstd of a window above 8 MB", zstdOfOneByte(" ", 1 / 8, 24), "zstd", "bad-compression"],
      ["zstd of a window of 8 MB", zstdOfOneByte(" ", 1 / 8, 23), "zstd", "unexpected-end"],
    ];
    for (const [encoding, compress] of Object.entries(COMPRESSIONS)) {
      const bytes = await compress(TEXT);
      // The streams of Deno do not tell that br and zstd are cut short, but their JSON does.
      const isTold = encoding === "gzip" || encoding === "deflate";
      const cut = isTold ? "bad-compression" : "unexpected-end";
      CASES.push(
        [encoding, bytes, encoding, VALUE],
        [`a bomb of ${encoding}`, await compress(long), encoding, "too-large"],
        [`${encoding} that is cut short`, bytes.subarray(0, isTold ? -9 : 6), encoding, cut],
        [`no bytes of ${encoding}`, utf8(""), encoding, cut],
        [`no ${encoding}`, utf8(TEXT), encoding, "bad-compression"],
        [`${encoding} twice`, new Uint8Array([...bytes, ...bytes]), encoding, "bad-compression"],
        [`${encoding} with bytes behind it`, new Uint8Array([...bytes, 1, 2]), encoding, "bad-compression"],
      );
    }
    for (const [name, body, encoding, expected] of CASES) {
      const headers = { "content-encoding": encoding };
      const sources = [
        () => post(body, headers),
        () => post(inPieces(body, 100), headers),
        () => Object.assign(Readable.from([Buffer.from(body)], { objectMode: false }), { headers }),
        () => Object.assign(Readable.from(inPieces(body, 7).values() as AsyncIterable<Uint8Array>), { headers }),
      ];
      for (const [i, source] of sources.entries()) {
        if (i === 3 && body.length > 10_000) continue;
        const result = await readJson(source() as Request, { inflate: true, timeout: 10_000, maxBytes: 1e6 });
        assertEquals(result.ok ? result.value : result.code, expected, `${name}, source ${i}`);
      }
    }
  });

  it("returns bytes of the caller's own, by keepBytes, from every source", async () => {
    const bytes = utf8(TEXT).slice();
    const SOURCES: Record<string, () => JsonSource> = {
      "a request": () => post(TEXT),
      "a response": () => new Response(TEXT),
      "a chunk": () => ReadableStream.from([bytes]),
      "pieces": () => inPieces(bytes, 7),
      "a message": () => Object.assign(Readable.from([bytes], { objectMode: false }), { headers: {} }),
      "a blob": () => new Blob([TEXT]),
      "an array of chunks": () => [bytes.subarray(0, 9), bytes.subarray(9)],
    };
    for (const [name, source] of Object.entries(SOURCES)) {
      for (const schema of [schemaOf((value) => ({ value })), undefined]) {
        const result = schema
          ? await readJson(source(), { keepBytes: true, schema })
          : await readJson(source(), { keepBytes: true });
        if (!result.ok) throw new Error(result.message);
        assertEquals([new TextDecoder().decode(result.bytes), result.value], [TEXT, JSON.parse(TEXT)], name);
        result.bytes.fill(0);
        result.bytes.buffer.transfer();
        assertEquals(new TextDecoder().decode(bytes), TEXT, name);
      }
    }
    const given = await readJson(bytes, { keepBytes: true });
    if (given.ok) assertStrictEquals(given.bytes.buffer, bytes.buffer);
    assertEquals(Object.keys(await readJson(post("{"), { keepBytes: true })).includes("bytes"), false);
    assertEquals(await readJson(post("1"), { keepBytes: false }), { ok: true, value: 1 });
  });

  it("takes undefined for a body of no bytes, by the option empty", async () => {
    const typed = { "content-type": "application/json" };
    const message = (headers: Record<string, string>, ...chunks: string[]): JsonSource =>
      Object.assign(Readable.from(chunks.map((chunk) => utf8(chunk)), { objectMode: false }), { headers });
    const bodiless = (headers: HeadersInit) => new Request("http://localhost/", { method: "POST", headers });
    const CASES: [source: () => JsonSource, expected: unknown][] = [
      [() => bodiless({}), undefined],
      [() => bodiless(typed), undefined],
      [() => bodiless({ "content-type": "text/plain" }), "unsupported-media-type"],
      [() => message({}), undefined],
      [() => message(typed), undefined],
      [() => message({}, "1"), "unsupported-media-type"],
      [() => message(typed, " "), "unexpected-end"],
      [() => message(typed, "\ufeff"), "unexpected-end"],
      [() => post(inPieces(utf8("1"), 1)), "unsupported-media-type"],
      [() => new Response(null, { headers: typed }), undefined],
      [() => new Blob([]), undefined],
      [() => [], undefined],
      [() => new Uint8Array(0), undefined],
      [() => bodiless({ ...typed, "content-encoding": "gzip" }), undefined],
    ];
    for (const [i, [source, expected]] of CASES.entries()) {
      const options = { empty: "undefined", contentType: "json", inflate: true } as const;
      const result = await readJson(source(), options);
      assertEquals(result.ok ? result.value : result.code, expected, `case ${i}`);
      const none = schemaOf((value) => ({ value: value ?? "none" }));
      const checked = await readJson(source(), { ...options, schema: none });
      assertEquals(checked.ok ? checked.value : checked.code, expected ?? "none", `case ${i}`);
      const { code } = await readJson(source(), { ...options, empty: "reject" }) as ReadJsonFailure;
      assert(code === "unexpected-end" || code === "unsupported-media-type");
    }
    const refused = await readJson(new Blob([]), { empty: "undefined", schema: z.object({}) });
    const { line, column, path } = schemaFailureOf(refused).issues[0];
    assertEquals([line, column, path], [1, 1, ""]);
  });

  it("limits compressed bytes that decompress to nothing", async () => {
    const empty = Array<number[]>(1000).fill([0, 0, 0, 0xff, 0xff]).flat(); // stored blocks of no bytes
    const source = (async function* (): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(0x78, 0x9c);
      for (;;) yield Uint8Array.from(await Promise.resolve(empty));
    })();
    const request = post(ReadableStream.from(source), { "content-encoding": "deflate" });
    assertEquals(codeOf(await readJson(request, { inflate: true, timeout: 10_000 })), "too-large");
  });

  it("reads no more of a compressed body that is interrupted", async () => {
    const gzipped = await bytesBy(TEXT, "gzip");
    let reason: unknown;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(gzipped.subarray(0, 20)),
      cancel: (given) => void (reason = given),
    });
    const headers = { "content-encoding": "gzip" };
    assertEquals(codeOf(await readJson(post(body, headers), { inflate: true, timeout: 5 })), "timed-out");
    assert(reason !== undefined);
    const message = new Readable({ read() {} });
    message.push(gzipped.subarray(0, 20));
    const slow = await readJson(Object.assign(message, { headers }) as unknown as Request, {
      inflate: true,
      timeout: 5,
    });
    assertEquals(codeOf(slow), "timed-out");
    assertEquals(message.readableFlowing, true);
  });

  it("does not listen to a message that was closed, or whose signal is aborted", async () => {
    const CASES = [
      { members: { destroyed: true }, options: {}, code: "aborted", flows: false },
      { members: {}, options: { signal: AbortSignal.abort("enough") }, code: "aborted", flows: true },
      {
        members: {},
        options: { signal: AbortSignal.abort(new DOMException("late", "TimeoutError")) },
        code: "timed-out",
        flows: true,
      },
    ];
    for (const { members, options, code, flows } of CASES) {
      let [isFlowing, listeners] = [false, 0];
      const message = {
        headers: {},
        on: () => listeners++,
        removeListener() {},
        resume: () => isFlowing = true,
        ...members,
      };
      const result = await readJson(message, options);
      assertEquals([codeOf(result), isFlowing, listeners], [code, flows, 0]);
      if (flows) assertStrictEquals((result as { cause?: unknown }).cause, options.signal?.reason);
    }
  });

  it("reads streams of browsers over which nobody can iterate", async () => {
    const stream = new Blob(["[1]"]).stream();
    Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });
    const masked = new Proxy(stream, {
      has: (target, key) => key !== Symbol.asyncIterator && key in target,
      get: (target, key) => {
        const value = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    assertEquals(await readJson(masked), { ok: true, value: [1] });
  });

  it("lets no text of the body into its own messages", async () => {
    const result = await readJson(new Response('{"secret": "secret"}'), { schema: finding({ message: "" }) });
    assertEquals(/secret/.test(JSON.stringify(result)), false);
  });

  it("is inferred from schemas and selectors", async () => {
    const checked = await readJson(new Response("[1]"), { schema: z.array(z.number()) });
    if (checked.ok) checked.value satisfies number[];
    const plain = await readJson<{ id: number }>(new Response("{}"));
    if (plain.ok) plain.value.id satisfies number;
    const selected = await readJson(new Response('{"a":1}'), { select: selector({ a: true }) });
    if (selected.ok) selected.value?.a satisfies unknown;
    assert(checked.ok && plain.ok && selected.ok);
  });

  it("says which arguments are wrong", async () => {
    const used = new Response("1");
    await used.text();
    const rows: [source: unknown, options: unknown, message: string][] = [
      ["[1]", {}, "call JSON.parse(text)"],
      [{}, {}, "expected a Request"],
      [used, {}, "it was read already"],
      ...[{ readableDidRead: true }, { readableEnded: true }].map((members): [unknown, unknown, string] => [
        { headers: {}, on() {}, removeListener() {}, resume() {}, ...members },
        {},
        "Cannot read this message: it was read already",
      ]),
      [new Blob(), { maxbytes: 1 }, "did you mean maxBytes?"],
      [new Blob(), { shema: {} }, "did you mean schema?"],
      [new Blob(), { maxBytes: -1 }, "Cannot use maxBytes: -1"],
      [new Blob(), { timeout: "1s" }, "Cannot use timeout: 1s"],
      [new Blob(), { contentType: "text" }, "Cannot use contentType: text"],
      [new Blob(), { signal: 7 }, "Cannot use signal: 7"],
      ...[["x", '"x"'], [7, "7"], [() => {}, "a function"], [null, "null"]].map((
        [options, shown],
      ): [unknown, unknown, string] => [
        new Blob(),
        options,
        `Cannot use ${shown} as options of readJson: expected an object`,
      ]),
    ];
    for (const [source, options, message] of rows) {
      await assertRejects(() => readJson(source as never, options as never), TypeError, message);
    }
  });

  it("does not touch the signal of a request, of which Deno warns", async () => {
    const program = `
      const { readJson } = await import(${JSON.stringify(new URL("../../mod.ts", import.meta.url))});
      const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
        return Response.json(await readJson(request, { timeout: 5000 }));
      });
      const body = JSON.stringify(Array(9).fill("text"));
      const response = await fetch("http://127.0.0.1:" + server.addr.port, { method: "POST", body });
      console.log((await response.json()).ok);
      await server.shutdown();`;
    const { output } = await runDeno(["eval", "--no-config", program]);
    assertEquals(output, "true\n");
  });
});

for (const [group, count] of [[describe, "200"], [describeLong, "20000"]] as const) {
  group(`readJson() of ${count} aborted bodies`, () => {
    it("keeps nothing of them", async () => {
      const flags = ["--no-config", "--v8-flags=--expose-gc", "--allow-net=127.0.0.1"];
      assertChecks(await runDeno(["run", ...flags, "tests/processes/check_body_retention.ts", count]), 6);
    });
  });
}

it("readJson() of a connection that was reset is aborted", async () => {
  const results: ReadJsonResult[] = [];
  const read = async (request: Request): Promise<Response> => {
    results.push(await readJson(request));
    return new Response();
  };
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, read);
  for (const [header, body] of [["content-length: 100", "[1,"], ["transfer-encoding: chunked", "3\r\n[1,\r\n"]]) {
    const socket = createConnection(server.addr.port, "127.0.0.1");
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n${body}`);
    await delay(50);
    socket.resetAndDestroy();
    await delay(50);
  }
  assertEquals(results.map((result) => [codeOf(result), (result as { status?: number }).status]), [
    ["aborted", 499],
    ["aborted", 499],
  ]);
});

describe("headers of bodies", () => {
  const JSON_TYPES = [
    ...["application/json", "APPLICATION/JSON", " application/json ; charset=utf-8"],
    'application/json;charset="UTF-8"',
    ...['application/json; boundary="a;charset=latin1"', 'application/json; boundary="a\\";charset=latin1"'],
    ...["application/json; charset=utf8; x=y", "application/ld+json", "model/gltf+json"],
  ];
  const OTHER_TYPES = [
    ...['application/json; boundary="a\\\\";charset=latin1', "application/json; boundary=a\\;charset=latin1"],
    ...["application/json; charset=utf-16", "application/json; charset=", "text/json", "application/jsonp", "/a+json"],
    ...["application/+json", "a/b/c+json", "+json", "application/json, application/json", "text/plain, a+json", ""],
  ];
  const rows: { name: string; values: (string | null)[]; isRead: boolean }[] = [
    { name: "content-type", values: JSON_TYPES, isRead: true },
    { name: "content-type", values: OTHER_TYPES, isRead: false },
    { name: "content-encoding", values: [null, "", "identity", " Identity"], isRead: true },
    { name: "content-encoding", values: ["gzip", "br", "zstd", "identity, gzip", "x"], isRead: false },
  ];
  for (const { name, values, isRead } of rows) {
    it(`name ${isRead ? "what is" : "what is not"} read: ${name}`, async () => {
      for (const value of values) {
        const request = post("1");
        request.headers.delete(name);
        if (value !== null) request.headers.set(name, value);
        const result = await readJson(request, name === "content-type" ? { contentType: "json" } : {});
        assertEquals(codeOf(result), isRead ? false : "unsupported-media-type", `${value}`);
      }
    });
  }
});
