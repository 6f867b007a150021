/** Tests of `./express` and `./fastify` with requests made by hand: bytes, options and errors. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { parse as secureParse } from "secure-json-parse";
import { json, type JsonError, type JsonOptions } from "../../middleware/express.ts";
import { utf16, utf32, utf8 } from "../support/bytes.ts";
import { FakeRequest, parserOf } from "../support/fake_request.ts";
import { withGlobals } from "../support/modules.ts";

const response = { headersSent: false, setHeader() {} };

/** Calls the middleware; returns the error that it passes on. */
function call(request: FakeRequest, options: JsonOptions = {}): Promise<JsonError | undefined> {
  return new Promise((resolve) => json(options)(request, response, resolve as (error?: unknown) => void));
}

/** Sends a body to the middleware. Returns the value or the error. */
async function send(
  body: string | Uint8Array,
  options: JsonOptions = {},
  headers: Record<string, string> = {},
): Promise<{ value: unknown; error: JsonError | undefined }> {
  const request = new FakeRequest([typeof body === "string" ? utf8(body) : body.slice()], headers);
  const error = await call(request, options);
  return { value: request.body, error };
}

describe("json()", () => {
  it("leaves the chunks of a body intact unless detachChunks is set", async () => {
    const long = "[" + "1,".repeat(2_500);
    for (const texts of [['{"a": 1}'], ['{"a"', ": 1}"], [`${long}1]`], [long, "1]"]]) {
      for (const detachChunks of [true, undefined]) {
        const chunks = texts.map((text) => utf8(text));
        const request = new FakeRequest(chunks);
        assertEquals(await call(request, { detachChunks }), undefined);
        assertEquals(request.body, JSON.parse(texts.join("")));
        const isFreed = detachChunks && (texts.length > 1 || texts[0] !== '{"a": 1}');
        assertEquals(chunks, texts.map((text) => utf8(isFreed ? "" : text)));
      }
    }
    assertThrows(() => json({ detachChunks: 1 as unknown as boolean }), TypeError, "expected a boolean");
  });

  it("calls verify with a Buffer, and leaves its bytes intact", async () => {
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
    assertEquals([error?.type, error?.status, request.calls], ["entity.too.large", 413, ["resume"]]);
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
      const request = new FakeRequest();
      const error = Object.assign(new Error("broken"), members);
      const passed = call(request);
      await Promise.resolve();
      request.emit("error", error);
      assertStrictEquals(await passed, error as unknown as JsonError);
      assertEquals([error.message, (await passed)?.status, (await passed)?.expose], ["broken", status, true]);
    }
  });

  it("refuses compressions that the runtime does not know", async () => {
    const DecompressionStream = class {
      constructor(format: string) {
        throw new TypeError(`not a format: ${format}`);
      }
    };
    for (const encoding of ["GZIP", "deflate", "br", "ZSTD", "compress"]) {
      const headers = { "content-encoding": encoding };
      const { error } = await withGlobals({ DecompressionStream, process: {} }, () => send("[1]", {}, headers));
      const { message, status, type } = error!;
      const name = encoding.toLowerCase();
      assertEquals([message, status, type], [`unsupported content encoding "${name}"`, 415, "encoding.unsupported"]);
    }
  });

  it("reads the encodings of Unicode by all of their names, and no other charset", async () => {
    const text = '"\xff\ud7ff\ue000\ufeff\uffff\u{10000}\u{10ffff}"';
    const ENCODED: [bytes: Uint8Array, names: string][] = [
      [utf8(text), "utf-8 utf8 UTF8"],
      [utf16(text, false), "utf-16 utf16 utf-16be utf-16-be"],
      [utf16(text, true), "utf-16 utf16le utf-16le"],
      [utf32(text, false), "utf-32 utf32be utf-32-be"],
      [utf32(text, true), "utf-32 utf32 utf-32le"],
    ];
    const read = async (bytes: Uint8Array, charset: string): Promise<unknown> => {
      const headers = { "content-type": `application/json; charset=${charset}` };
      const { value, error } = await send(bytes, { strict: false }, headers);
      return value ?? error?.type;
    };
    for (const [bytes, names] of ENCODED) {
      for (const name of names.split(" ")) assertEquals(await read(bytes, name), JSON.parse(text), name);
    }
    const headers = { "content-type": "application/json; charset=utf-32" };
    const part = new FakeRequest([utf32("x[1]", true).subarray(4)], headers);
    assertEquals([await call(part), part.body], [undefined, [1]]);
    assertEquals((await send(utf32("[1,é", true), {}, headers)).error?.body, "[1,é");
    for (const name of ["utf-7", "utf-16xe", "xutf-16", "latin1", "utf-64"]) {
      assertEquals(await read(utf8(text), name), "charset.unsupported", name);
    }
  });

  it("refuses bodies that are not text of their charset", async () => {
    const MALFORMED: Record<string, [charset: string, bytes: Uint8Array]> = {
      "half a surrogate pair": ["utf-16le", Uint8Array.of(0x5b, 0, 0, 0xd8, 0x5d, 0)],
      "half a code unit": ["utf-16le", Uint8Array.of(0x5b, 0, 0x5d)],
      "half a code unit, big-endian": ["utf-16", Uint8Array.of(0, 0x5b, 0)],
      "part of a code point": ["utf-32le", Uint8Array.of(0x5b, 0, 0, 0, 0x5d)],
      "a code point above all": ["utf-32", utf32([0x5b, 0x110000], true)],
      "the first surrogate": ["utf-32", utf32([0x5b, 0xd800], false)],
      "the last surrogate": ["utf-32be", utf32([0x5b, 0xdfff], false)],
    };
    for (const [name, [charset, bytes]] of Object.entries(MALFORMED)) {
      const { error } = await send(bytes, {}, { "content-type": `application/json; charset=${charset}` });
      const { code, offset } = error!.cause as Record<string, unknown>;
      assertEquals([error?.type, error?.status, code, offset], ["entity.parse.failed", 400, "invalid-utf8", 0], name);
      assertEquals(error?.body, new TextDecoder().decode(bytes));
    }
  });

  it("passes on the errors of body-parser that no server of the tests has, word for word", async () => {
    const CASES: { line: string; headers: Record<string, string>; members: object; more?: object }[] = [
      {
        line: "BadRequestError 400 request.aborted request aborted",
        headers: { "content-length": "5" },
        members: { destroyed: true },
        more: { code: "ECONNABORTED", expected: 5, length: 5, received: 0 },
      },
      {
        line: "InternalServerError 500 stream.encoding.set stream encoding should not be set",
        headers: {},
        members: {
          readableEncoding: "utf8",
        },
      },
      {
        line: "InternalServerError 500 stream.not.readable stream is not readable",
        headers: {},
        members: { readable: false },
      },
    ];
    for (const { line, headers, members, more = {} } of CASES) {
      const error = (await call(Object.assign(new FakeRequest([utf8("[1]")], headers), members)))!;
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
      const request = new FakeRequest(undefined, { "content-length": "9" });
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
    const limitOf = async (options: JsonOptions, size: number): Promise<unknown> => {
      const error = await call(new FakeRequest([], { "content-length": `${size}` }), options);
      return error?.type === "entity.too.large" ? (error as unknown as { limit: number }).limit : undefined;
    };
    const LIMITS: [limit: JsonOptions["limit"], bytes: number][] = [
      [7, 7],
      ["12 bytes", 12],
      ["1.5KB", 1536],
      ["0.001 MB", 1048],
      ["0.000001gb", 1073],
      ["1tb", 2 ** 40],
      ["1pb", 2 ** 50],
      [undefined, 102_400],
    ];
    for (const [limit, bytes] of LIMITS) {
      const options = limit === undefined ? {} : { limit };
      assertEquals(await limitOf(options, bytes + 1), bytes, `${limit}`);
      assertEquals(await limitOf(options, bytes), undefined, `${limit}`);
    }
    assertEquals((await send("[1]", { limit: 3, maxBytes: 2 })).value, [1]);
  });

  it("skips a request that the function type() does not accept", async () => {
    assertEquals(await send("7", { type: () => Promise.resolve(false) }), { value: undefined, error: undefined });
  });

  it("passes on what a function throws, with its status from 400 to 599 and its type", async () => {
    const [no, failed] = [(members: object) => Object.assign(new Error("no"), members), "entity.verify.failed"];
    const CASES: { thrown: unknown; status: number; type?: string; message?: string }[] = [
      { thrown: "no arrays", status: 403, type: failed, message: "no arrays" },
      { thrown: null, status: 403, type: failed, message: "Thrown by a callback" },
      { thrown: no({ status: 399 }), status: 403 },
      { thrown: no({ status: 400, type: "mine" }), status: 400, type: "mine" },
      { thrown: no({ status: 599, type: "" }), status: 599 },
      { thrown: no({ status: 600 }), status: 403 },
      { thrown: no({ statusCode: 418 }), status: 418 },
      { thrown: no({ status: 422, statusCode: 418 }), status: 422 },
      { thrown: no({ status: "400" }), status: 403 },
    ];
    for (const { thrown, status, type = failed, message = "no" } of CASES) {
      const verify = (): never => {
        throw thrown;
      };
      const error = (await send("[1]", { verify })).error!;
      assert(error instanceof Error);
      assertEquals([error.message, error.status, error.statusCode, error.type], [message, status, status, type]);
      assertEquals([error.expose, `${error.body}`], [status < 500, "[1]"]);
    }
  });

  it("says where JSON is bad, and has the body", async () => {
    const { error } = await send('{"a": 1,\n b}');
    assert(error instanceof SyntaxError);
    const { offset, line, column } = error!.cause as Record<string, unknown>;
    assertEquals([error!.body, offset, line, column], ['{"a": 1,\n b}', 10, 2, 2]);
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
    assertEquals(await send(text, { reviver: revive(actual) }), { value, error: undefined });
    assertEquals(actual, expected);
  });

  it("calls a reviver after the guards, and for a scalar or a value of any depth", async () => {
    const reviver = (_key: string, value: unknown): unknown => typeof value === "bigint" ? `${value}` : value;
    const { value } = await send('{"a":1,"a":12345678901234567890}', { reviver, integers: "bigint" });
    assertEquals(value, { a: "12345678901234567890" });
    let calls = 0;
    assertEquals(
      (await send("12345678901234567890", { reviver, integers: "bigint", strict: false })).value,
      "12345678901234567890",
    );
    await send("[".repeat(50_000) + "]".repeat(50_000), { reviver: (_key, value, _context) => ++calls && value });
    assertEquals(calls, 50_000);
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

describe("jsonParser()", () => {
  const REQUEST = { headers: {}, routeOptions: {} };

  it("leaves the chunks of a body, which others may hold", async () => {
    const parse = parserOf({ bodyLimit: 100, onProtoPoisoning: "remove" });
    const chunk = utf8('{"a": 1, "__proto__": 2}');
    const request = new FakeRequest([chunk]);
    assertEquals(await parse(REQUEST, request), { a: 1 });
    assertEquals(chunk, utf8('{"a": 1, "__proto__": 2}'));
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

  it("treats an object constructor with a prototype by onProtoPoisoning, too", async () => {
    const ACTIONS = ["ignore", "remove", "error"] as const;
    const text = '{"a": 1, "constructor": {"prototype": 2}}';
    for (const protoAction of ACTIONS) {
      for (const constructorAction of ACTIONS) {
        const config = { onProtoPoisoning: protoAction, onConstructorPoisoning: constructorAction };
        const body = await parserOf(config)(REQUEST, new FakeRequest([utf8(text)])).catch(() => undefined);
        const ours = body && Object.keys(body as object);
        const theirs = namesOf(() => secureParse(text, { protoAction, constructorAction: protoAction }));
        assertEquals(ours, theirs, `${protoAction} ${constructorAction}`);
      }
    }
  });

  it("leaves bodies that a hook has decompressed, with inflate, too", async () => {
    const request = { headers: { "content-encoding": "gzip", "content-length": "3" }, routeOptions: {} };
    const payload = Object.assign(new FakeRequest([utf8("[1, 2]")]), { receivedEncodedLength: 3 });
    assertEquals(await parserOf({ bodyLimit: 100 }, { inflate: true })(request, payload), [1, 2]);
  });

  it("counts bytes before and after a hook decompressed them, by the limit of the route or all", async () => {
    const large = "FST_ERR_CTP_BODY_TOO_LARGE";
    const CASES: { text: string; code?: string; length?: string; encoded?: number; ofRoute?: number }[] = [
      { text: "[1, 2, 3, 4]", code: large },
      { text: "[1]", length: "11", code: large },
      { text: "[1]", length: "2", code: "FST_ERR_CTP_INVALID_CONTENT_LENGTH" },
      { text: "[1]", encoded: 10 },
      { text: "[1]", encoded: 11, code: large },
      { text: "[1]", length: "5", encoded: 5 },
      { text: "[100,2000]", length: "10" },
      { text: "[100, 2000]", ofRoute: 11 },
    ];
    for (const { text, code, length, encoded: receivedEncodedLength, ofRoute } of CASES) {
      const headers = length === undefined ? {} : { "content-length": length };
      const request = { headers, routeOptions: ofRoute === undefined ? {} : { bodyLimit: ofRoute } };
      const payload = Object.assign(new FakeRequest([utf8(text)]), receivedEncodedLength && { receivedEncodedLength });
      const result = await parserOf({ bodyLimit: 10 })(request, payload).catch((error) => error);
      if (code === undefined) assertEquals(result, JSON.parse(text));
      else {assertEquals([result.code, result.statusCode, result.name], [
          code,
          code === large ? 413 : 400,
          "FastifyError",
        ]);}
    }
  });

  it("rejects for bodies that take too long or are aborted", async () => {
    const late = await parserOf({}, { timeout: 5 })(REQUEST, new FakeRequest()).catch((error) => error);
    assertEquals([late.code, late.statusCode, late.message], [
      "ERR_HTTP_REQUEST_TIMEOUT",
      408,
      "Request body took too long",
    ]);
    const gone = Object.assign(new FakeRequest([]), { destroyed: true });
    const { code, message } = await parserOf()(REQUEST, gone).catch((error) => error);
    assertEquals([code, message], ["ECONNRESET", "aborted"]);
  });

  it("rejects with the message of the failure where a schema names no issue", async () => {
    const schema = { "~standard": { version: 1, vendor: "tests", validate: () => ({ issues: [] }) } } as const;
    const error = await parserOf({}, { schema })(REQUEST, new FakeRequest([utf8("1")])).catch((error) => error);
    assertEquals([error.message, error.statusCode], ["Value does not conform to the schema", 422]);
  });

  it("rejects with the error of the stream, or with one that says what was thrown", async () => {
    for (const [thrown, statusCode] of [["broken", 400], [new Error("broken"), 400]] as const) {
      const payload = new FakeRequest();
      const parsing = parserOf()(REQUEST, payload).catch((error) => error);
      await Promise.resolve();
      payload.emit("error", thrown);
      const error = await parsing;
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
