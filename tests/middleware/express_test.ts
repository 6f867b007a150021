/** Tests of `./express` and `./fastify` with requests made by hand: bytes, options and errors. */

import { assert, assertEquals, assertMatch, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import { parse as secureParse } from "secure-json-parse";
import { json, type JsonError, type JsonOptions } from "../../middleware/express.ts";
import {
  type FastifyInstanceLike,
  jsonParser,
  type JsonParserError,
  type JsonParserOptions,
} from "../../middleware/fastify.ts";
import { utf8 } from "../support/bytes.ts";
import { withGlobals } from "../support/modules.ts";
import { price } from "../support/price_schema.ts";

/** Request that hands out chunks once somebody listens. */
class FakeRequest extends EventEmitter {
  readonly headers: Record<string, string>;
  readonly complete = false;
  readonly readable = true;
  body: unknown;
  resumed = 0;

  constructor(chunks: (Uint8Array | string)[], headers: Record<string, string> = {}) {
    super();
    this.headers = { "content-type": "application/json", "transfer-encoding": "chunked", ...headers };
    this.once("newListener", () => {
      queueMicrotask(() => {
        for (const chunk of chunks) this.emit("data", chunk);
        this.emit("end");
        this.emit("close");
      });
    });
  }

  pause(): void {}

  resume(): void {
    this.resumed++;
  }
}

const response = { headersSent: false, setHeader() {} };

/** Calls the middleware; returns the error that it passes on. */
function call(request: FakeRequest, options: JsonOptions = {}): Promise<JsonError | undefined> {
  return new Promise((resolve) => json(options)(request, response, resolve as (error?: unknown) => void));
}

describe("json()", () => {
  it("frees the bytes of a body, whole or in chunks", async () => {
    for (const texts of [['{"a": 1}'], ['{"a"', ": 1}"]]) {
      const chunks = texts.map((text) => utf8(text));
      const request = new FakeRequest(chunks);
      assertEquals(await call(request), undefined);
      assertEquals(request.body, { a: 1 });
      assertEquals(chunks.map(({ byteLength }) => byteLength), chunks.map(() => 0));
    }
  });

  it("leaves bytes that verify has seen, and hands it a Buffer", async () => {
    const chunk = utf8("[1]");
    let seen: Uint8Array | undefined;
    await call(new FakeRequest([chunk]), { verify: (_request, _response, bytes) => void (seen = bytes) });
    assert(Buffer.isBuffer(seen));
    assertEquals(`${seen}`, "[1]");
    assertStrictEquals((seen as Uint8Array).buffer, chunk.buffer);
  });

  it("reads strings that a stream hands out", async () => {
    const request = new FakeRequest(['["', "é", '"]']);
    await call(request);
    assertEquals(request.body, ["é"]);
  });

  it("drops the rest of a body that is too large, and keeps no listener but one for errors", async () => {
    const request = new FakeRequest([utf8("[1,"), utf8("2]")]);
    const error = await call(request, { limit: 4 });
    assertEquals([error?.type, error?.status, request.resumed], ["entity.too.large", 413, 1]);
    assertEquals(request.eventNames(), ["error"]);
    request.emit("error", new Error("of a connection that is closed"));
  });

  it("reads options once", async () => {
    const options = { limit: 3 };
    const middleware = json(options);
    options.limit = 100;
    const error = await new Promise((resolve) => middleware(new FakeRequest([utf8("[1,2]")]), response, resolve));
    assertEquals((error as JsonError).type, "entity.too.large");
  });

  it("passes on errors of the stream with status 400, unless they have another", async () => {
    for (const [members, status] of [[{}, 400], [{ status: 418 }, 418], [{ statusCode: 200 }, 400]] as const) {
      const request = new FakeRequest([]);
      request.removeAllListeners("newListener");
      const error = Object.assign(new Error("broken"), members);
      const passed = call(request);
      await Promise.resolve();
      request.emit("error", error);
      assertStrictEquals(await passed, error as unknown as JsonError);
      assertEquals([error.message, (await passed)?.status, (await passed)?.expose], ["broken", status, true]);
    }
  });

  it("refuses compressions that the runtime does not know, and those that nobody does", async () => {
    const DecompressionStream = class {
      constructor(format: string) {
        throw new TypeError(`not a format: ${format}`);
      }
    };
    for (const [encoding, globals] of [["ZSTD", { DecompressionStream }], ["nulls", {}]] as const) {
      const request = new FakeRequest([utf8("[1]")], { "content-encoding": encoding });
      const error = await withGlobals(globals, () => call(request));
      const { message, status, type } = error!;
      assertEquals(message, `unsupported content encoding "${encoding.toLowerCase()}"`);
      assertEquals([status, type], [415, "encoding.unsupported"]);
    }
  });

  it("refuses bodies that are not text of their charset", async () => {
    const headers = { "content-type": "application/json; charset=utf-16le" };
    const error = await call(new FakeRequest([Uint8Array.of(0x5b, 0, 0, 0xd8, 0x5d, 0)], headers));
    const { code, offset } = error!.cause as Record<string, unknown>;
    assertEquals([error?.type, error?.status, code, offset], ["entity.parse.failed", 400, "invalid-utf8", 0]);
  });

  it("accepts arrays and objects alone, behind whitespace and a byte-order mark", async () => {
    const CASES: [body: string | number[], failsAt?: number][] = [
      [" \t\n\r[1]"],
      ["\ufeff[1]"],
      ["\ufeff\t[1]"],
      ["7", 0],
      ['\ufeff"x"', 3],
      [" \t\n\rnull", 4],
      ["\ufeff true", 4],
      [" \t", 2],
      [[0xef, 0xbb, 0x5b, 0x5d], 0],
    ];
    for (const [body, at] of CASES) {
      const request = new FakeRequest([typeof body === "string" ? utf8(body) : Uint8Array.from(body)]);
      const error = await call(request);
      const { offset } = (error?.cause ?? {}) as { offset?: number };
      assertEquals([error?.type, offset], [at === undefined ? undefined : "entity.parse.failed", at], `${body}`);
      if (at === undefined) assertEquals(request.body, [1]);
    }
  });

  it("passes on the errors of body-parser, word for word", async () => {
    const lengths = { expected: 5, length: 5 };
    const tooLarge = "PayloadTooLargeError 413 entity.too.large request entity too large";
    type Case = [line: string, more: object, headers: object, options?: JsonOptions, members?: object];
    const CASES: Case[] = [
      [
        "BadRequestError 400 request.size.invalid request size did not match content length",
        { ...lengths, received: 3 },
        { "content-length": "5" },
      ],
      [
        "BadRequestError 400 request.aborted request aborted",
        { ...lengths, code: "ECONNABORTED", received: 0 },
        { "content-length": "5" },
        {},
        { destroyed: true },
      ],
      [tooLarge, { expected: 3, length: 3, limit: 2 }, { "content-length": "3" }, { limit: 2 }],
      [tooLarge, { limit: 2, received: 3 }, {}, { maxBytes: 2 }],
      [
        'UnsupportedMediaTypeError 415 charset.unsupported unsupported charset "KOI8-R"',
        { charset: "koi8-r" },
        { "content-type": "application/json; charset=KOI8-R" },
      ],
      [
        "UnsupportedMediaTypeError 415 encoding.unsupported content encoding unsupported",
        { encoding: "gzip" },
        { "content-encoding": "gzip" },
        { inflate: false },
      ],
      [
        "InternalServerError 500 stream.encoding.set stream encoding should not be set",
        {},
        {},
        {},
        { readableEncoding: "utf8" },
      ],
      ["InternalServerError 500 stream.not.readable stream is not readable", {}, {}, {}, { readable: false }],
    ];
    for (const [line, more, headers, options, members] of CASES) {
      const request = Object.assign(new FakeRequest([utf8("[1]")], { ...headers }), members);
      const error = (await call(request, options))!;
      const { name, message } = error;
      const { status, type, statusCode, expose, ...others } = { ...error };
      assertEquals(`${name} ${status} ${type} ${message}`, line);
      assertEquals([statusCode, expose, others as object], [status, status < 500, more]);
    }
  });

  it("refuses a body that takes too long, and closes the connection", async () => {
    for (const headersSent of [false, true]) {
      const set: string[][] = [];
      const slow = { headersSent, setHeader: (...header: string[]) => set.push(header) };
      const request = new FakeRequest([], { "content-length": "9" });
      request.removeAllListeners("newListener");
      const error = await new Promise<JsonError>((resolve) =>
        json({ timeout: 5 })(request, slow, (error) => resolve(error as JsonError))
      );
      assertEquals([error.name, error.message], ["RequestTimeoutError", "request body took too long"]);
      const { status, type, expected, length, received } = error as unknown as Record<string, unknown>;
      assertEquals([status, type, expected, length, received], [408, "request.timed.out", 9, 9, 0]);
      assertEquals(set, headersSent ? [] : [["connection", "close"]]);
    }
  });

  it("takes limits as numbers and as texts", async () => {
    const LIMITS: [limit: number | string, bytes: number][] = [
      [7, 7],
      ["12", 12],
      ["12 bytes", 12],
      ["1kb", 1024],
      ["1.5KB", 1536],
      ["0.001 MB", 1048],
      ["0.000001gb", 1073],
    ];
    for (const [limit, bytes] of LIMITS) {
      for (const size of [bytes, bytes + 1]) {
        const error = await call(new FakeRequest([utf8(`[${" ".repeat(size - 2)}]`)]), { limit });
        assertEquals(error?.type, size > bytes ? "entity.too.large" : undefined, `${limit}`);
      }
    }
    for (const [unit, bytes] of [["kb", 2 ** 10], ["MB", 2 ** 20], ["gb", 2 ** 30], ["tb", 2 ** 40], ["pb", 2 ** 50]]) {
      const request = new FakeRequest([], { "content-length": `${+bytes + 1}` });
      const error = await call(request, { limit: `1${unit}` });
      assertEquals((error as unknown as { limit: number }).limit, bytes, `${unit}`);
    }
    const byDefault = await call(new FakeRequest([utf8(`[${" ".repeat(102_399)}]`)]));
    assertEquals((byDefault as unknown as { limit: number }).limit, 102_400);
    assertEquals(await call(new FakeRequest([utf8("[1]")]), { limit: 3, maxBytes: 2 }), undefined);
  });

  it("takes an empty body for an object, without a call of the reviver", async () => {
    let calls = 0;
    for (const chunks of [[], [utf8("\ufeff")]]) {
      const request = new FakeRequest(chunks);
      assertEquals(await call(request, { reviver: () => calls++ }), undefined);
      assertEquals([request.body, calls], [{}, 0]);
    }
    const request = new FakeRequest([utf8("7")]);
    await call(request, { reviver: (_key, value) => [value], strict: false });
    assertEquals(request.body, [7]);
  });

  it("leaves a request that a function does not want, later", async () => {
    const request = new FakeRequest([utf8("7")]);
    assertEquals(await call(request, { type: () => Promise.resolve(false) }), undefined);
    assertEquals(request.body, undefined);
  });

  it("passes on what a function throws that is no error", async () => {
    for (const [thrown, message] of [["no arrays", "no arrays"], [null, "Thrown by a callback"]]) {
      const verify = (): never => {
        throw thrown;
      };
      const error = (await call(new FakeRequest([utf8("[1]")]), { verify }))!;
      assert(error instanceof Error);
      assertEquals([error.message, error.status, error.type], [message, 403, "entity.verify.failed"]);
    }
  });

  it("takes the status of an error from 400 to 599, and its type", async () => {
    const CASES: [members: object, status: number, type: string][] = [
      [{ status: 399 }, 403, "entity.verify.failed"],
      [{ status: 400, type: "mine" }, 400, "mine"],
      [{ status: 599, type: "" }, 599, "entity.verify.failed"],
      [{ status: 600 }, 403, "entity.verify.failed"],
      [{ statusCode: 418 }, 418, "entity.verify.failed"],
      [{ status: 422, statusCode: 418 }, 422, "entity.verify.failed"],
      [{ status: "400" }, 403, "entity.verify.failed"],
    ];
    for (const [members, status, type] of CASES) {
      const verify = (): never => {
        throw Object.assign(new Error("no"), members);
      };
      const error = (await call(new FakeRequest([utf8("[1]")]), { verify }))!;
      assertEquals([error.status, error.statusCode, error.type], [status, status, type]);
      assertEquals([error.expose, `${error.body}`], [status < 500, "[1]"]);
    }
  });

  it("says that a body cannot be decompressed", async () => {
    const wrong = await call(new FakeRequest([utf8("not compressed")], { "content-encoding": "DEFLATE" }));
    assertEquals([wrong?.type, wrong?.status], ["entity.inflate.failed", 400]);
    assertMatch(`${wrong?.message}`, /^request body cannot be decompressed: \w/);
  });

  it("says where JSON is bad, and has the body", async () => {
    const error = (await call(new FakeRequest([utf8('{"a": 1,\n b}')])))!;
    assert(error instanceof SyntaxError);
    const { offset, line, column } = error.cause as Record<string, unknown>;
    assertEquals([error.body, offset, line, column], ['{"a": 1,\n b}', 10, 2, 2]);
  });

  it("says where a value breaks the schema, an asynchronous one too", async () => {
    const later = {
      "~standard": {
        ...price["~standard"],
        validate: (value: unknown) => Promise.resolve(price["~standard"].validate(value)),
      },
    };
    for (const schema of [price, later]) {
      const error = await call(new FakeRequest([utf8('{"items": [\n{}]}')]), { schema });
      assertEquals([error?.type, error?.status, error?.issues?.[0].line], ["entity.schema.failed", 422, 2]);
      const request = new FakeRequest([]);
      assertEquals((await call(request, { schema }))?.issues?.[0].path, "/items");
    }
  });

  it("calls a reviver as JSON.parse does, with the source of primitive values", async () => {
    const text = String
      .raw`{"b":[1,2.50,-0,"\u0061",null,{"x":true,"y":[]}],"1":1e2,"__proto__":{"a":"é"},"b2":7,"b2":8}`;
    type Calls = [holder: unknown, key: string, value: unknown, context: unknown][];
    const revive = (calls: Calls) =>
      function (this: unknown, key: string, value: unknown, context: unknown): unknown {
        calls.push([structuredClone(this), key, structuredClone(value), structuredClone(context)]);
        if (key === "x") return undefined;
        if (key === "0") (this as unknown[])[1] = "replaced";
        return typeof value === "number" ? [value] : value;
      };
    const [expected, actual]: [Calls, Calls] = [[], []];
    const value = JSON.parse(text, revive(expected) as (this: unknown, key: string, value: unknown) => unknown);
    const request = new FakeRequest([utf8(text)]);
    assertEquals(await call(request, { reviver: revive(actual) }), undefined);
    assertEquals(actual, expected);
    assertEquals(request.body, value);
  });

  it("calls a reviver after the guards, and for a value of any depth", async () => {
    const source = new FakeRequest([utf8('{"a":1,"a":12345678901234567890}')]);
    const reviver = (_key: string, value: unknown): unknown => typeof value === "bigint" ? `${value}` : value;
    await call(source, { reviver, integers: "bigint" });
    assertEquals(source.body, { a: "12345678901234567890" });
    const deep = new FakeRequest([utf8("[".repeat(50_000) + "]".repeat(50_000))]);
    let calls = 0;
    await call(deep, { reviver: (_key, value, _context) => ++calls && value });
    assertEquals(calls, 50_000);
  });

  it("gives no key of another body to a reviver, as JSON.parse of V8 may", async () => {
    const keys: string[] = [];
    const reviver = (key: string, value: unknown): unknown => (keys.push(key), value);
    for (const text of [String.raw`{"id":[],"\\":0}`, String.raw`{"id":1,"\"":0}`]) {
      await call(new FakeRequest([utf8(text)]), { reviver });
    }
    assertEquals(keys, ["id", "\\", "", "id", '"', ""]);
  });

  it("takes no option from a prototype", async () => {
    const prototype = Object.prototype as { maxDepth?: number };
    prototype.maxDepth = 0;
    try {
      const request = new FakeRequest([utf8("[[1]]")]);
      const error = await new Promise((resolve) => json()(request, response, resolve));
      assertEquals([error, request.body], [undefined, [[1]]]);
    } finally {
      delete prototype.maxDepth;
    }
  });
});

/** Parser of Fastify, as the plugin registers it. */
type Parser = (request: object, payload: object) => Promise<unknown>;

/** Registers the plugin, and returns its parser. */
function parserOf(
  initialConfig: FastifyInstanceLike["initialConfig"] = {},
  options: JsonParserOptions = {},
): Parser {
  let parse!: Parser;
  jsonParser(
    {
      initialConfig,
      hasContentTypeParser: () => false,
      removeContentTypeParser() {},
      addContentTypeParser: (_type, parser) => parse = parser,
      addHook() {},
    },
    options,
    () => {},
  );
  return parse;
}

describe("jsonParser()", () => {
  const REQUEST = { headers: {}, routeOptions: {} };

  it("frees the bytes of a body", async () => {
    const parse = parserOf({ bodyLimit: 100, onProtoPoisoning: "remove" });
    const chunk = utf8('{"a": 1, "__proto__": 2}');
    const request = new FakeRequest([chunk]);
    assertEquals(await parse(REQUEST, request), { a: 1 });
    assertEquals(chunk.byteLength, 0);
    assertEquals(request.eventNames(), []);
  });

  it("treats names that may poison as Fastify's own parser does", async () => {
    const CASES: [onProtoPoisoning: unknown, names: string[] | undefined][] = [
      ["ignore", ["a", "__proto__"]],
      ["remove", ["a"]],
      ["REMOVE", ["a"]],
      ["IGNORE", ["a"]],
      ["error", undefined],
      ["", undefined],
      [undefined, undefined],
    ];
    for (const [onProtoPoisoning, names] of CASES) {
      const text = '{"a": 1, "__proto__": 2}';
      const protoAction = onProtoPoisoning as "error";
      assertEquals(namesOf(() => secureParse(text, { protoAction })), names, `theirs: ${onProtoPoisoning}`);
      const body = await parserOf({ onProtoPoisoning })(REQUEST, new FakeRequest([utf8(text)])).catch(() => undefined);
      assertEquals(body && Object.keys(body as object), names, `ours: ${onProtoPoisoning}`);
    }
  });

  it("refuses a body of too many bytes before a hook decompressed them", async () => {
    for (const [receivedEncodedLength, code] of [[10, undefined], [11, "FST_ERR_CTP_BODY_TOO_LARGE"]] as const) {
      const payload = Object.assign(new FakeRequest([utf8("[1]")]), { receivedEncodedLength });
      const result = await parserOf({ bodyLimit: 10 })(REQUEST, payload).catch((error) => error) as Partial<
        JsonParserError
      >;
      assertEquals([result.code, result.statusCode], [code, code && 413]);
    }
  });

  it("decompresses bodies by inflate, unless a hook has done so", async () => {
    const compressed = new Response("[1, 2]").body!.pipeThrough(new CompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
    const headers = { "content-encoding": "gzip", "content-length": `${bytes.length}` };
    const read = (content: Uint8Array, bodyLimit: number, more: object = {}, encoding = "gzip"): Promise<unknown> => {
      const request = { headers: { ...headers, "content-encoding": encoding }, routeOptions: { bodyLimit } };
      return parserOf({}, { inflate: true })(request, Object.assign(new FakeRequest([content]), more))
        .catch(({ code, statusCode }) => [code, statusCode]);
    };
    assertEquals(await read(bytes, 100), [1, 2]);
    assertEquals(await read(utf8("[1, 2]"), 100, { receivedEncodedLength: bytes.length }), [1, 2]);
    assertEquals(await read(bytes, 5), ["FST_ERR_CTP_BODY_TOO_LARGE", 413]);
    assertEquals(await read(bytes.slice(0, -9), 100), ["FST_CP_ERR_INVALID_CONTENT", 400]);
    assertEquals(await read(bytes, 100, {}, "compress"), ["FST_CP_ERR_INVALID_CONTENT_ENCODING", 415]);
  });

  it("rejects with the errors of Fastify, word for word", async () => {
    const large = "Request body is too large";
    const empty = "Body cannot be empty when content-type is set to 'application/json'";
    const CASES: { text: string; length?: string; code: string; statusCode: number; message: string }[] = [
      { text: "[1, 2, 3, 4]", code: "FST_ERR_CTP_BODY_TOO_LARGE", statusCode: 413, message: large },
      { text: "[1]", length: "11", code: "FST_ERR_CTP_BODY_TOO_LARGE", statusCode: 413, message: large },
      { text: "", code: "FST_ERR_CTP_EMPTY_JSON_BODY", statusCode: 400, message: empty },
      {
        text: "[1]",
        length: "2",
        code: "FST_ERR_CTP_INVALID_CONTENT_LENGTH",
        statusCode: 400,
        message: "Request body size did not match Content-Length",
      },
      {
        text: "[1",
        code: "FST_ERR_CTP_INVALID_JSON_BODY",
        statusCode: 400,
        message: "Body is not valid JSON but content-type is set to 'application/json'",
      },
    ];
    for (const { text, length, ...expected } of CASES) {
      const request = { headers: length === undefined ? {} : { "content-length": length }, routeOptions: {} };
      const payload = new FakeRequest(text === "" ? [] : [utf8(text)]);
      const error = await parserOf({ bodyLimit: 10 })(request, payload).catch((error) => error) as JsonParserError;
      const { code, statusCode, message, name } = error;
      assertEquals({ code, statusCode, message, name }, { ...expected, name: "FastifyError" }, text);
    }
    const slow: Parser = parserOf({}, { timeout: 5 });
    const waiting = new FakeRequest([]);
    waiting.removeAllListeners("newListener");
    const late = await slow(REQUEST, waiting).catch((error) => error) as JsonParserError;
    assertEquals([late.code, late.statusCode], ["ERR_HTTP_REQUEST_TIMEOUT", 408]);
    assertEquals(late.message, "Request body took too long");
    const gone = Object.assign(new FakeRequest([]), { destroyed: true });
    const { code, message } = await parserOf()(REQUEST, gone).catch((error) => error) as JsonParserError;
    assertEquals([code, message], ["ECONNRESET", "aborted"]);
    const inflated = Object.assign(new FakeRequest([utf8("[1]")]), { receivedEncodedLength: 5 });
    const announced = { headers: { "content-length": "5" }, routeOptions: {} };
    assertEquals(await parserOf()(announced, inflated), [1]);
    const exact = { headers: { "content-length": "10" }, routeOptions: {} };
    assertEquals(await parserOf({ bodyLimit: 10 })(exact, new FakeRequest([utf8("[100,2000]")])), [100, 2000]);
    const route = { headers: {}, routeOptions: { bodyLimit: 3 } };
    assertEquals(await parserOf({ bodyLimit: 1 })(route, new FakeRequest([utf8("[1]")])), [1]);
  });

  it("rejects with the error of the stream, or with one that says what was thrown", async () => {
    for (const [thrown, statusCode] of [["broken", 400], [new Error("broken"), 400]] as const) {
      const payload = new FakeRequest([]);
      payload.removeAllListeners("newListener");
      const parsing = parserOf()(REQUEST, payload).catch((error) => error);
      await Promise.resolve();
      payload.emit("error", thrown);
      const error = await parsing as JsonParserError;
      assertEquals([error instanceof Error, error.message, error.statusCode], [true, "broken", statusCode]);
      if (thrown instanceof Error) assertStrictEquals(error, thrown);
    }
  });
});

/** Returns the names of the members of an object; `undefined` if the function throws. */
function namesOf(parse: () => unknown): string[] | undefined {
  try {
    return Object.keys(parse() as object);
  } catch {
    return undefined;
  }
}
