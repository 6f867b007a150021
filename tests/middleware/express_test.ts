/** Tests of `./express` and `./fastify` with requests made by hand: bytes, options and errors. */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import { parse as secureParse } from "secure-json-parse";
import { json, type JsonError, type JsonOptions } from "../../middleware/express.ts";
import { type FastifyInstanceLike, jsonParser, type JsonParserError } from "../../middleware/fastify.ts";
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

  it("refuses requests whose stream is used already, as body-parser does", async () => {
    const CASES: [members: object, type: string | undefined][] = [
      [{ readableEncoding: "utf8" }, "stream.encoding.set"],
      [{ readable: false }, "stream.not.readable"],
      [{ readable: false, destroyed: true }, "request.aborted"],
      [{ readable: true, readableEncoding: null }, undefined],
    ];
    for (const [members, type] of CASES) {
      const error = await call(Object.assign(new FakeRequest([utf8("[1]")]), members));
      assertEquals(error?.type, type);
      if (type?.startsWith("stream")) assertEquals([error?.status, error?.expose], [500, false]);
    }
  });

  it("refuses bodies that are not text of their charset", async () => {
    const headers = { "content-type": "application/json; charset=utf-16le" };
    const error = await call(new FakeRequest([Uint8Array.of(0x5b, 0, 0, 0xd8, 0x5d, 0)], headers));
    const { code, offset } = error!.cause as Record<string, unknown>;
    assertEquals([error?.type, error?.status, code, offset], ["entity.parse.failed", 400, "invalid-utf8", 0]);
  });

  it("takes an empty body for an object, without a call of the reviver", async () => {
    let calls = 0;
    const request = new FakeRequest([]);
    assertEquals(await call(request, { reviver: () => calls++ }), undefined);
    assertEquals([request.body, calls], [{}, 0]);
  });

  it("passes on what a function throws that is no error", async () => {
    const verify = (): never => {
      throw "no arrays";
    };
    const error = (await call(new FakeRequest([utf8("[1]")]), { verify }))!;
    assert(error instanceof Error);
    assertEquals([error.message, error.status, error.type], ["no arrays", 403, "entity.verify.failed"]);
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

  it("refuses a value that is too deep for a reviver", async () => {
    const body = utf8("[".repeat(50_000) + "]".repeat(50_000));
    const error = await call(new FakeRequest([body]), { reviver: (_key, value) => value });
    assert(error === undefined || error.type === "entity.parse.failed" && error.status === 400);
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
function parserOf(initialConfig: FastifyInstanceLike["initialConfig"] = {}): Parser {
  let parse!: Parser;
  jsonParser(
    {
      initialConfig,
      hasContentTypeParser: () => false,
      removeContentTypeParser() {},
      addContentTypeParser: (_type, parser) => parse = parser,
    },
    {},
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
