/**
 * The middleware in servers of each runtime at hand, compared with the parsers of the frameworks.
 * One process of each runtime has all servers.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { concat, utf16, utf32, utf8 } from "../support/bytes.ts";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { answersOf, bodyIn, shownTable, tableOf } from "../support/body_tables.ts";
import { callbackPath, CALLBACKS, DEEDS } from "../support/callbacks.ts";
import { projectRoot, run } from "../support/environment.ts";
import { findRuntimes, type Ports, startServers } from "../support/frameworks.ts";
import { describeLong } from "../support/long.ts";
import { npmProject } from "../support/npm_project.ts";
import { zstdOfOneByte } from "../hostile/compressed.ts";
import { exchange, type RawRequest, type RawResponse } from "../support/raw_http.ts";
import type { Server } from "../support/server.ts";
import { describeUnless, itUnless, onlyLinux } from "../support/skip.ts";

/** Request to two parsers: path, body, headers, and the status of their equal answers. */
type Comparison = readonly [
  path: string,
  status: number,
  body?: RawRequest["body"] | null,
  headers?: RawRequest["headers"],
  /** Members of the answers that differ. */
  except?: readonly string[],
  method?: string,
];

function requestOf([path, , body = null, headers = {}, , method = "POST"]: Comparison): RawRequest & { path: string } {
  return { path, method, headers, ...body !== null && { body } };
}

const TOBI = '{"user":"tobi"}';
const NAME = '{"name":"论"}';

function compressed(text: string, format: CompressionFormat): Promise<Uint8Array> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream(format))).bytes();
}

function charset(name: string): Record<string, string> {
  return { "content-type": `application/json; charset=${name}` };
}

const GZIPPED = await compressed(NAME, "gzip");
const DEFLATED = await compressed(NAME, "deflate");
const BOMB = await compressed(`"${"x".repeat(10_000)}"`, "gzip");
const LONG = JSON.stringify({ text: ".".repeat(1024) });

/** Messages name the position instead of repeating the text, so that no log gets what was sent. */
const MESSAGE = ["message"];
/** Errors of the decompressors differ. */
const ERROR = ["message", "name", "type", "code", "errno"];
/** Pieces of decompressed bytes differ in size. */
const RECEIVED = ["received"];

const GZIP = { "content-encoding": "gzip" };
const NO_TYPE = { "content-type": null };
const NO_BYTES = { "content-length": "0" };

const EXPRESS: Record<string, Comparison> = {
  "an object": ["default", 200, TOBI],
  "no bytes, by length": ["default", 200, null, NO_BYTES, [], "GET"],
  "no bytes, in chunks": ["default", 200, []],
  "no body": ["default", 200, null, {}, [], "GET"],
  "a wrong length": ["default", 400, '{"str":', { "x-length": "20" }],
  "a body that was read before": ["default", 200, TOBI, { "x-consume": "1" }],
  "the middleware twice": ["default/twice", 200, TOBI],
  "a bad token": ["default", 400, "{:", {}, MESSAGE],
  "a byte-order mark": ["default", 200, `\ufeff${TOBI}`],
  "nothing but a byte-order mark": ["default", 200, "\ufeff"],
  "nothing but a byte-order mark of UTF-16": ["default", 200, utf16("\ufeff", true), charset("utf-16")],
  "a body over the limit, by length": ["1kb", 413, LONG],
  "a body over the limit, in chunks": ["1kb", 413, [LONG]],
  "a body at the limit": ["1024", 200, JSON.stringify(["x".repeat(1020)])],
  "a long body over the limit": ["8kb", 413, Array(3).fill(".".repeat(10_240))],
  "an inflated body over the limit": ["1kb", 413, BOMB, GZIP, RECEIVED],
  "an inflated body over the limit, cut short": ["1kb", 413, BOMB.subarray(0, -4), GZIP, RECEIVED],
  "a compressed body that is forbidden": ["no-inflate", 415, GZIPPED, GZIP],
  "GZIP": ["default", 200, GZIPPED, { "content-encoding": "GZIP" }],
  "br": ["default", 200, new Uint8Array(brotliCompressSync(NAME)), { "content-encoding": "br" }],
  "zstd": ["default", 200, new Uint8Array(zstdCompressSync(NAME)), { "content-encoding": "zstd" }],
  "deflate": ["default", 200, DEFLATED, { "content-encoding": "deflate" }],
  "identity": ["default", 200, NAME, { "content-encoding": "identity" }],
  "an empty encoding": ["default", 200, NAME, { "content-encoding": "" }],
  "an unknown compression": ["default", 415, "000000", { "content-encoding": "nulls" }],
  "malformed gzip": ["default", 400, concat([GZIPPED.subarray(0, 12), GZIPPED.subarray(13)]), GZIP, ERROR],
  "gzip with bytes behind it": ["default", 400, concat([GZIPPED, utf8("junk")]), GZIP, ERROR],
  "gzip that is cut short": ["default", 400, GZIPPED.subarray(0, -9), GZIP, ERROR],
  "a primitive": ["default", 400, "true", {}, MESSAGE],
  "a primitive that is allowed": ["not-strict", 200, "true"],
  "spaces before an object": ["default", 200, ' \t\n\r{ "user": "tobi" }'],
  "spaces before nothing": ["default", 400, " \t\n\r", {}, MESSAGE],
  ...Object.fromEntries(
    ["application/json", "application/vnd.api+json", "application/x-json", "text/plain", "APPLICATION/JSON; a=b", "x"]
      .flatMap((type) =>
        ["vnd", "list", "suffix", "short", "any", "accepted", "default"].map((path): [string, Comparison] => [
          `${type} for the option ${path}`,
          [path, 200, TOBI, { "content-type": type }],
        ])
      ),
  ),
  "no content type": ["always", 200, TOBI, NO_TYPE],
  "no body to ask the type of": ["never", 200, null, {}, [], "GET"],
  "a type that throws": ["never", 500, TOBI],
  "a body that verify refuses": ["verify", 403, '["tobi"]'],
  "a body that verify refuses by a status": ["verify-400", 400, '["tobi"]'],
  "a body that verify refuses by a type": ["verify-type", 403, '["tobi"]'],
  "the bytes of verify": ["verify-text", 403, ["[", "1", "]"]],
  "a charset with verify": ["verify", 200, utf16(`\ufeff${NAME}`, false), charset("utf-16")],
  "an unknown charset with verify": ["verify-text", 415, "0000", charset("x-bogus")],
  "a reviver": ["reviver", 200, TOBI],
  "a reviver of a byte-order mark": ["reviver", 200, "\ufeff"],
  "a reviver of a bad body": ["reviver", 400, "{:", {}, MESSAGE],
  "UTF-8 in quotes": ["default", 200, NAME, charset('"UTF-8"')],
  ...Object.fromEntries(
    [true, false].flatMap((isLittle) =>
      ["", "\ufeff"].flatMap((mark) =>
        Object.entries({ "utf-16": utf16, "utf-32": utf32 }).map(([name, encode]): [string, Comparison] => [
          `${name}, ${isLittle ? "little" : "big"}-endian${mark && ", marked"}`,
          ["default", 200, encode(mark + NAME, isLittle), charset(name)],
        ])
      )
    ),
  ),
  "utf-16be": ["default", 200, utf16(NAME, false), charset("utf-16be")],
  "a charset by default": ["utf-16", 200, utf16(NAME, true)],
  "koi8-r": ["default", 415, NAME, charset("koi8-r")],
};

/** Bodies and headers for which another status is meant, with the statuses and types of both. */
const EXPRESS_DIFFERENCES: Record<string, [string | Uint8Array, Record<string, string>, theirs: string, ours: string]> =
  {
    "malformed UTF-8 is refused, not replaced": [utf8('["', 0xff, '"]'), {}, "200", "400 entity.parse.failed"],
    "utf8 is a name of UTF-8": [NAME, charset("utf8"), "415 charset.unsupported", "200"],
    "UTF-7 is unknown": ["[]", charset("utf-7"), "200", "415 charset.unsupported"],
  };

const FASTIFY: Record<string, Comparison> = {
  "an object": ["/", 200, TOBI],
  "DELETE with a body": ["/", 200, "[1]", {}, [], "DELETE"],
  "a primitive": ["/", 200, " true"],
  "no bytes, by length": ["/", 400, null, NO_BYTES],
  "no bytes, in chunks": ["/", 400, []],
  "only white space": ["/", 400, "  \n"],
  "a bad token": ["/", 400, "{:"],
  "__proto__": ["/", 400, '{"a":{"__proto__":{"x":7}}}'],
  "constructor.prototype": ["/", 400, '{"constructor":{"prototype":{"x":7}}}'],
  "a body over the limit, by length": ["/", 413, LONG],
  "a body over the limit, in chunks": ["/", 413, [LONG]],
  "a body over the limit of the route": ["/small", 413, TOBI],
  "a body over the limit of the route, in chunks": ["/small", 413, [TOBI, TOBI]],
  "a body within the limit of the route": ["/large", 200, LONG],
  "another type": ["/", 415, TOBI, { "content-type": "application/x-json" }],
  "gzip that a hook decompresses": ["/", 200, GZIPPED, GZIP],
  "a bomb that a hook decompresses": ["/", 413, BOMB, GZIP],
  "malformed gzip that a hook decompresses": ["/", 400, utf8("junk"), GZIP],
  "a wrong content type": ["/", 415, NAME, { "content-type": "a b" }],
};

const GOOD = '{"items": [{"price": 1.5}]}';
const WRONG = '{"items": [\n {"price": "1"}]}';
const LARGE = `{"items": [${'{"price": 1},'.repeat(20_000)}{"price": 2}]}`;

const TYPE_OF_TEXT = { "content-type": "text/plain" };

/**
 * Requests to two parsers of Express, one after the other, and the body or the type of the error.
 */
const READ_TWICE: readonly (readonly [parsers: string, request: RawRequest, expected: unknown, line?: number])[] = [
  ["ours/schema", { body: GOOD }, JSON.parse(GOOD)],
  ["ours/schema", { body: [GOOD.slice(0, 9), GOOD.slice(9)] }, JSON.parse(GOOD)],
  ["ours/schema", { body: GZIPPED, headers: { "content-encoding": "gzip" } }, "422 entity.schema.failed", 1],
  ["ours/schema", { body: WRONG }, "422 entity.schema.failed", 2],
  ["ours/schema", { body: utf16(WRONG, true), headers: charset("utf-16") }, "422 entity.schema.failed", 2],
  ["ours/schema", { body: LARGE }, JSON.parse(LARGE)],
  ["ours/schema", { headers: { "content-length": "0" } }, "422 entity.schema.failed", 1],
  ["ours/schema", { headers: { "content-type": null } }, "400 entity.missing"],
  ["ours/schema", { body: "x", headers: TYPE_OF_TEXT }, "415 media.type.unsupported"],
  ["ours/schema", { method: "DELETE" }, "undefined"],
  ["ours/limited", { body: GOOD }, JSON.parse(GOOD)],
  ["ours/limited", { body: GOOD.padEnd(31) }, "413 entity.too.large"],
  ["ours/plain", { body: WRONG }, JSON.parse(WRONG)],
  ["ours/shallow", { body: "[1]" }, [1]],
  ["ours/shallow", { body: "[[1]]" }, "400 entity.parse.failed", 1],
  ["ours/verified", { body: "[1]" }, "400 entity.verify.failed"],
  ["ours/passing", { body: "x", headers: TYPE_OF_TEXT }, "undefined"],
  ["guarded/schema", { body: '{"__proto__": 1, "items": []}' }, { items: [] }],
  ["checked/schema", { body: GOOD }, JSON.parse(GOOD)],
  ["checked/shallow", { body: GOOD }, "400 entity.parse.failed", 1],
  ["verified/schema", { body: GOOD }, JSON.parse(GOOD)],
  ["changed/schema", { body: WRONG }, { items: [{ price: 1 }] }],
  ["theirs/plain", { body: WRONG }, JSON.parse(WRONG)],
  ["theirs/schema", { body: GOOD }, "500 request.read.before"],
  ["theirs/schema", { body: "x", headers: TYPE_OF_TEXT }, "415 media.type.unsupported"],
  ["theirs/passing", { body: WRONG }, JSON.parse(WRONG)],
  ["text/schema", { body: "x", headers: TYPE_OF_TEXT }, "415 media.type.unsupported"],
  ["text/schema", { body: GOOD }, JSON.parse(GOOD)],
  ["ours/schema", { body: GOOD, headers: { "x-consume": "1" } }, "500 request.read.before"],
];

const TEXT = { "content-type": "text/plain" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Request to the routes of a schema. 200 comes from the handler. */
type SchemaRequest = readonly [
  request: RawRequest,
  status: number,
  /** Statuses of the frameworks that differ. `jsonHandler` reads each body, so it refuses more. */
  others?: { [framework: string]: number | undefined },
];

const [HTTP_415, EXPRESS_FASTIFY_400] = [{ http: 415 }, { express: 400, fastify: 400 }];
const [NOTHING, NOTHING_OF_TEXT] = [{ ...NO_TYPE, ...NO_BYTES }, { ...TEXT, ...NO_BYTES }];

/** Requests that the table of docs/servers-measured.md does not have. */
const SCHEMA_REQUESTS: Record<string, SchemaRequest> = {
  "a text in chunks": [{ headers: TEXT, body: ["x", "y"] }, 415],
  "PUT without body": [{ method: "PUT", headers: NO_TYPE }, 400, { hono: 415, http: 415 }],
  "PATCH without body": [{ method: "PATCH", headers: NO_TYPE }, 400, { hono: 415, http: 415 }],
  "POST of no bytes": [{ method: "POST", headers: NOTHING }, 415, EXPRESS_FASTIFY_400],
  "PUT of no bytes": [{ method: "PUT", headers: NOTHING }, 415, EXPRESS_FASTIFY_400],
  "PATCH of no bytes": [{ method: "PATCH", headers: NOTHING }, 415, EXPRESS_FASTIFY_400],
  "POST of no bytes of text": [{ method: "POST", headers: NOTHING_OF_TEXT }, 415, EXPRESS_FASTIFY_400],
  "DELETE of a text": [{ method: "DELETE", headers: TEXT, body: "x" }, 415],
  "DELETE of wrong JSON": [{ method: "DELETE", body: "{}" }, 422],
  "DELETE of no bytes": [{ method: "DELETE", headers: NOTHING }, 200, HTTP_415],
  "HEAD without body": [{ method: "HEAD", headers: NO_TYPE }, 200, HTTP_415],
  "OPTIONS without body": [{ method: "OPTIONS", headers: NO_TYPE }, 200, HTTP_415],
  // The schema lets others pass; jsonHandler has no such option.
  "a text that may pass": [{ path: "/passed", headers: TEXT, body: "x" }, 200, HTTP_415],
  "a form that may pass": [{ path: "/passed", headers: FORM, body: "a=1" }, 200, { fastify: 415, http: 415 }],
  "no body that may pass": [{ path: "/passed", headers: NO_TYPE }, 200, HTTP_415],
  "JSON that breaks a schema that lets others pass": [{ path: "/passed", body: "{}" }, 422],
  "JSON that keeps to such a schema": [{ path: "/passed", body: '{"items":[]}' }, 200],
};

const COMMON = "application/json";

/** Headers that clients send with JSON. */
const CLIENTS: Record<string, Record<string, string>> = {
  "fetch of Node.js": { "content-type": COMMON, accept: "*/*", "accept-language": "*", "sec-fetch-mode": "cors" },
  axios: { "content-type": COMMON, accept: "application/json, text/plain, */*", "accept-encoding": "gzip, br" },
  "axios in browsers": { "content-type": "application/json;charset=utf-8" },
  got: { "content-type": COMMON, accept: COMMON, "accept-encoding": "gzip, deflate, br, zstd" },
  jQuery: { "content-type": "application/json; charset=UTF-8", "x-requested-with": "XMLHttpRequest" },
  curl: { "content-type": COMMON, "user-agent": "curl/8.5.0", accept: "*/*" },
  "net/http of Go": { "content-type": COMMON, "user-agent": "Go-http-client/1.1", "accept-encoding": "gzip" },
  "requests of Python": { "content-type": COMMON, "user-agent": "python-requests/2.32.3" },
  OkHttp: { "content-type": "application/json; charset=utf-8", "user-agent": "okhttp/4.12.0" },
  "HttpClient of Java": {
    "content-type": COMMON,
    upgrade: "h2c",
    "http2-settings": "AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
  },
  "HttpClient of .NET": {
    "content-type": "application/json; charset=utf-8",
    traceparent: "00-0af7651916cd43dd-b7ad6b-00",
  },
  OData: { "content-type": "application/json;odata.metadata=minimal;IEEE754Compatible=true;charset=utf-8" },
  "a charset in quotes": { "content-type": 'application/json; charset="utf-8"' },
  "an empty encoding": { "content-encoding": "" },
  "the encoding identity": { "content-encoding": "identity" },
};

const LEFT = [0, 0, 0, 0, 0];

/** Bodies that become 128 MB, by their encoding. */
const BOMBS = {
  gzip: gzipSync(new Uint8Array(2 ** 27)),
  br: brotliCompressSync(new Uint8Array(2 ** 27), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 24 },
  }),
  zstd: zstdOfOneByte(" ", 128, 23),
};

const project = await npmProject();
globalThis.addEventListener("unload", () => project?.[Symbol.dispose]());

const runtimes = project ? await findRuntimes() : [];
/** Runtime of the tests that are not long: the one that most servers of these frameworks run in. */
const first = runtimes.find(({ name, missing }) => name === "Node.js" && !missing) ?? runtimes[0];

for (const runtime of runtimes) {
  const register = runtime.missing ? describeUnless(runtime.missing) : runtime === first ? describe : describeLong;
  register(`middleware in ${runtime.name}`, () => {
    let server: Server;
    let ports: Ports;

    before(async () => {
      ({ server, ports } = await startServers(runtime, project!.path));
    });

    after(async () => {
      await server?.[Symbol.asyncDispose]();
    });

    // deno-lint-ignore no-explicit-any
    async function answerOf(port: number, request: RawRequest): Promise<{ status: number; answer: any }> {
      const { status, text } = await exchange(port, request);
      try {
        return { status, answer: JSON.parse(text) };
      } catch {
        return { status, answer: text };
      }
    }

    describe("json() answers as express.json() does", () => {
      const both = (request: RawRequest) =>
        Promise.all(
          ["theirs", "ours"].map((side) => answerOf(ports.express, { ...request, path: `/${side}/${request.path}` })),
        );

      for (const [name, row] of Object.entries(EXPRESS)) {
        const [, status, , , except = []] = row;
        it(`to ${name}`, async () => {
          const [theirs, ours] = await both(requestOf(row));
          for (const member of except) {
            delete theirs.answer[member];
            delete ours.answer[member];
          }
          delete ours.answer.line;
          assertEquals(ours, theirs);
          assertEquals(ours.status, status, JSON.stringify(ours));
          assertEquals(ours.answer.store, "kept");
          if (status === 200) assertEquals(ours.answer.left, LEFT);
        });
      }

      for (const [parsers, request, expected, expectedLine] of READ_TWICE) {
        it(`after another: ${parsers} ${JSON.stringify(request).slice(0, 80)}`, async () => {
          const { answer } = await answerOf(ports.express, { path: `/again/${parsers}`, ...request });
          const { body, status, type, line, issues: [issue] = [], expose, message } = answer;
          assertEquals(status === undefined ? body : `${status} ${type}`, expected, message);
          assertEquals(line ?? issue?.line, expectedLine);
          if (status === 500) assertEquals([expose, message.includes("replace it by json()")], [false, true]);
        });
      }

      for (const [name, [body, headers, theirs, ours]] of Object.entries(EXPRESS_DIFFERENCES)) {
        it(`except that ${name}`, async () => {
          const answers = await both({ path: "default", body, headers });
          assertEquals(answers.map(({ status, answer: { type = "" } }) => `${status} ${type}`.trim()), [theirs, ours]);
        });
      }
    });

    describe("jsonParser() answers as Fastify's parser does", () => {
      for (const [name, row] of Object.entries(FASTIFY)) {
        it(`to ${name}`, async () => {
          const request = requestOf(row);
          const [theirs, ours] = await Promise.all(["theirs", "ours"].map(async (side) => {
            const path = `/${side}${request.path}`;
            const { status, headers, text } = await exchange(ports.fastify, { ...request, path });
            return { status, text, connection: headers.get("connection"), type: headers.get("content-type") };
          }));
          assertEquals(ours, theirs);
          assertEquals(ours.status, row[1], ours.text);
        });
      }

      it("except that malformed UTF-8 is refused, not replaced", async () => {
        const [theirs, ours] = ["/theirs", "/ours"].map((path) =>
          exchange(ports.fastify, { path, body: utf8('["', 0xff, '"]') })
        );
        assertEquals([(await theirs).status, (await ours).status], [200, 400]);
      });

      it("in an inner scope, with other options", async () => {
        const body = '{"a":{"__proto__":{"x":7}}}';
        for (const type of ["application/json", "application/problem+json"]) {
          const request = { path: "/ours/inner", headers: { "content-type": type }, body };
          const { answer } = await answerOf(ports.fastify, request);
          assertEquals(answer, { body: { a: {} } });
        }
      });
    });

    for (const name of ["express", "fastify", "http", "hono"] as const) {
      describe(`in a server of ${name}`, () => {
        const path = "/checked";
        const send = (request: RawRequest): Promise<RawResponse> => exchange(ports[name], { path, ...request });

        async function assertRefused(request: RawRequest, status: number, message: RegExp): Promise<void> {
          const response = await send(request);
          assertEquals(response.status, status, response.text);
          assertMatch(response.text, message);
          await assertWorks();
        }

        async function assertWorks(): Promise<void> {
          const { status, text } = await send({ body: GOOD });
          assertEquals([status, JSON.parse(text).body], [200, JSON.parse(GOOD)]);
        }

        it("answers good bodies, whole and in pieces, and leaves no listener", async () => {
          for (const body of [GOOD, [...GOOD], [GOOD], `${GOOD.slice(0, -1)}, "x": "${"é".repeat(450)}"}`]) {
            const { status, text } = await send({ body });
            assertEquals(status, 200, text);
            const answer = JSON.parse(text);
            assertEquals(answer.body, JSON.parse(typeof body === "string" ? body : body.join("")));
            if (name !== "hono") assertEquals(answer.left, LEFT);
          }
        });

        it("refuses bodies that are bad, too deep, too large or too slow, at once", async () => {
          await assertRefused({ body: '{"items": [}' }, 400, /line/);
          await assertRefused({ body: "[".repeat(100) }, 400, name === "fastify" ? /not valid JSON/ : /too deep/i);
          await assertRefused({ body: [LONG], isOpen: true }, 413, /large/);
          const start = performance.now();
          await assertRefused({ body: ["[", "1"], pause: 20, isOpen: true }, 408, /in time|within|too long/);
          assert(performance.now() - start < 5000);
        });

        it("refuses values that break the schema, with line and column", async () => {
          const body = '{"items": [\n  {"price": 1},\n  {"price": "2"}, {}]}';
          const { status, text } = await send({ body });
          assertEquals(status, 422, text);
          const answer = JSON.parse(text);
          const issues = answer.issues.map((
            { line, column, path, error, message = error }: Record<string, unknown>,
          ) => [line, column, path, message]);
          assertEquals(issues, [
            [3, 13, "/items/1/price", "Expected number"],
            [3, 19, "/items/2/price", "Expected number"],
          ]);
        });

        for (const [callback, { frameworks, body, statuses, status }] of Object.entries(CALLBACKS)) {
          if (!frameworks.includes(name)) continue;
          it(`answers whatever ${callback} does, and goes on`, async () => {
            for (const deed of Object.keys(DEEDS) as (keyof typeof DEEDS)[]) {
              const response = await send({ path: callbackPath(callback, deed), body });
              assertEquals(response.status, statuses[deed] ?? status, `${deed}: ${response.text}`);
            }
            await assertWorks();
          });
        }

        it("reads what clients send, and passes on what they send without a body", async () => {
          for (const [client, headers] of Object.entries(CLIENTS)) {
            for (const path of ["/bodies/plain", "/bodies/schema"]) {
              for (const body of [GOOD, [GOOD]]) {
                const answer = await exchange(ports[name], { path, headers, body });
                assertEquals(bodyIn(answer), JSON.parse(GOOD), `${client} ${path} ${answer.text}`);
              }
              if (name === "http") continue; // its handlers take values
              for (const method of ["DELETE", "OPTIONS", "GET"]) {
                for (const length of [{}, { "content-length": "0" }]) {
                  const answer = await exchange(ports[name], { path, method, headers: { ...headers, ...length } });
                  const isParsed = name === "express" && path === "/bodies/plain" && "content-length" in length;
                  assertEquals(bodyIn(answer), isParsed ? {} : undefined, `${client} ${method} ${path} ${answer.text}`);
                }
              }
            }
          }
        });

        for (const [what, [request, status, others]] of Object.entries(SCHEMA_REQUESTS)) {
          it(`with a schema, answers ${others?.[name] ?? status} to ${what}`, async () => {
            const response = await send(request);
            assertEquals(response.status, others?.[name] ?? status, response.text);
            await assertWorks();
          });
        }

        it("leaves the bytes of others who read the same body", async () => {
          for (
            const how of name === "hono" ? ["clone"] : name === "fastify" ? ["data", "pipe", "kept"] : ["data", "pipe"]
          ) {
            for (const body of [GOOD, LARGE, [GOOD.slice(0, 9), GOOD.slice(9)]]) {
              const text = [body].flat().join("");
              const { headers, text: alongside } = await exchange(ports[name], { path: `/alongside/${how}`, body });
              const { items } = JSON.parse(text);
              assertEquals(
                [headers.get("x-items"), alongside === text],
                [`${items.length}`, true],
                `${how} ${alongside.length}`,
              );
            }
          }
        });

        it("takes undefined for a missing body, by the option empty, and lets the schema check it", async () => {
          const chunked = { headers: { "transfer-encoding": "chunked" }, body: [] };
          const missing: RawRequest[] = [{ headers: NO_TYPE }, { headers: NOTHING }, { ...chunked }, {}, {
            headers: NO_BYTES,
          }];
          for (const request of missing) {
            for (const method of ["POST", "PUT", "PATCH"]) {
              for (const [kind, body] of [["", undefined], ["-none", "none"], ["-schema", 422]] as const) {
                const answer = await send({ ...request, method, path: `/bodies/empty${kind}` });
                assertEquals(bodyIn(answer), body, `${method} ${kind} ${JSON.stringify(request)} ${answer.text}`);
              }
            }
            if (name === "http") continue; // its handlers take values
            const answer = await send({ ...request, method: "DELETE", path: "/bodies/empty-schema" });
            assertEquals(bodyIn(answer), undefined, `DELETE ${JSON.stringify(request)} ${answer.text}`);
          }
          for (const [body, headers, status] of [[" ", {}, 400], ["x", NO_TYPE, 415], ["x", TEXT, 415]] as const) {
            assertEquals((await send({ body, headers, path: "/bodies/empty-schema" })).status, status, body);
          }
          assertEquals(bodyIn(await send({ body: GOOD, path: "/bodies/empty-none" })), JSON.parse(GOOD));
        });

        it("hands out the bytes, by the option keepBytes", async () => {
          const long = `{"items":[],"text":"${"é".repeat(300)}"}`;
          for (const text of ['{ "items": [ ] }', long]) {
            const bodies: RawRequest[] = [
              { body: text },
              { body: [text.slice(0, 5), text.slice(5)] },
              { body: await compressed(text, "gzip"), headers: GZIP },
            ];
            for (const body of bodies) {
              const answer = await send({ path: "/bytes", ...body });
              assertEquals([answer.status, answer.text, answer.headers.get("x-own")], [200, text, "true"]);
            }
          }
        });

        it("survives bodies that are aborted or of a wrong length", async () => {
          await Promise.all(Array.from({ length: 20 }, async (_, i) => {
            if (i % 2 === 0) await send({ headers: { "content-length": "900" }, body: GOOD, abortAfter: 20 });
            else await send({ body: [GOOD.slice(0, 9)], isOpen: true, abortAfter: 20 });
          }));
          await assertWorks();
          // The bytes behind the announced length are another request, and a bad one.
          const { status, text } = await send({ headers: { "content-length": "9" }, body: GOOD });
          assertEquals(status, 400, text);
          await assertWorks();
        });
      });
    }

    it("gives handlers what docs/servers-measured.md shows", async () => {
      const page = Deno.readTextFileSync(new URL("docs/servers-measured.md", projectRoot));
      for (const prefix of ["", "/global"]) { // in Hono also after a jsonBody for all routes
        const table = tableOf(await answersOf(ports, prefix));
        assertEquals(table.split("\n"), shownTable(page).split("\n"), "run tests/processes/write_body_tables.ts");
      }
    });

    itUnless(onlyLinux("the memory of a process"))(
      "needs little memory for large content, however compressed",
      async () => {
        const before = server.peak()!;
        for (const [encoding, bomb] of Object.entries(BOMBS)) {
          const body = Array.from(
            { length: Math.ceil(bomb.length / 1e4) },
            (_, i) => bomb.slice(1e4 * i, 1e4 * (i + 1)),
          );
          for (const name of ["express", "fastify", "http", "hono"] as const) {
            const headers = { "content-encoding": encoding };
            const { status, text } = await exchange(ports[name], { path: "/bodies/large", headers, body });
            assert(status === 413, `${name} ${encoding} ${status} ${text}`);
          }
        }
        assert(server.peak()! - before < 100, `${before} → ${server.peak()} MB`);
      },
    );

    it("json() passes on requests that it has checked before, and refuses those of no wanted type", async () => {
      const { status, answer } = await answerOf(ports.express, { path: "/asked", body: GOOD });
      assertEquals([status, answer.type], [415, "media.type.unsupported"]);
      const read = await answerOf(ports.express, { path: "/passed/read", headers: TEXT, body: "x" });
      assertEquals([read.status, read.answer.body], [200, "x"]);
    });

    it("jsonParser() checks the routes of inner instances, unless they have a parser of their own", async () => {
      const CASES: { path: string; type: string; status: number }[] = [
        { path: "/checked/inherited", type: "text/plain", status: 415 },
        { path: "/checked/inherited", type: "application/json", status: 422 },
        { path: "/checked/without-schema", type: "text/plain", status: 200 },
        { path: "/checked/without-schema", type: "application/json", status: 200 },
        { path: "/outer-type", type: "application/problem+json", status: 415 },
        { path: "/outer-type", type: "application/json", status: 422 },
        { path: "/none", type: "application/json", status: 404 },
      ];
      for (const { path, type, status } of CASES) {
        const response = await exchange(ports.fastify, { path, headers: { "content-type": type }, body: "{}" });
        assertEquals(response.status, status, `${path} ${type}: ${response.text}`);
      }
      assertEquals((await exchange(ports.fastify, { path: "/checked/none", headers: NO_TYPE })).status, 404);
    });

    it("leaves the bytes of all requests to other code that holds them", async () => {
      const { answer } = await answerOf(ports.express, { path: "/held", method: "GET" });
      assertEquals(answer.changed, 0);
      assert(answer.whole > 200, `${answer.whole} bodies`);
    });

    it("json(), jsonParser() and jsonHandler() tell bodies that were aborted, even before they could read", async () => {
      const countsOf = async () => (await answerOf(ports.express, { path: "/aborted", method: "GET" })).answer;
      const before = await countsOf();
      assert(before.express >= 20 && before.fastify >= 20, JSON.stringify(before));
      const headers = { "x-delay": "60", "content-length": "900" };
      for (let i = 0; i < 3; i++) {
        await exchange(ports.http, { path: "/counted", body: ["["], isOpen: true, abortAfter: 20 });
        for (const name of ["express", "fastify"] as const) {
          await exchange(ports[name], { path: "/checked", headers, body: GOOD, abortAfter: 20 });
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 150));
      const after = await countsOf();
      assertEquals([after.express - before.express, after.fastify - before.fastify, after.http], [3, 3, 3]);
    });

    it("jsonBody() lets the methods of Hono's requests return the bytes that were read", async () => {
      assertEquals((await answerOf(ports.hono, { path: "/kept/json", body: "[1]" })).answer, true);
      const long = `[${Array(9).fill(LONG)}]`;
      for (const text of ['{ "a": "é" }', '{"price":1.0,"id":9007199254740993}', '[1E2, "\\u0061", 7]', long]) {
        const bodies: RawRequest[] = [
          { body: text },
          { body: [text.slice(0, 5), text.slice(5)] },
          { body: await compressed(text, "gzip"), headers: GZIP },
        ];
        for (const body of bodies) {
          for (const method of ["text", "arrayBuffer", "bytes", "blob", "clone"]) {
            const answer = await exchange(ports.hono, { path: `/kept/${method}`, ...body });
            assertEquals([answer.status, answer.text], [200, text], method);
          }
        }
      }
      for (const body of ["{", '{"items":[{}]}']) { // of onFailure
        assertEquals((await exchange(ports.hono, { path: "/failed/", body })).text, body);
      }
    });

    it("jsonBody() for all routes leaves requests without body as they are", async () => {
      for (const headers of [NO_TYPE, NOTHING, { ...NO_TYPE, "transfer-encoding": "chunked" }]) {
        for (const verb of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
          for (const method of ["text", "arrayBuffer", "blob", "request", "clone"]) {
            const chunks = "transfer-encoding" in headers && { body: [] };
            const request = { path: `/kept/${method}`, method: verb, headers, ...chunks };
            const answer = await exchange(ports.hono, request);
            assertEquals([answer.status, answer.text], [200, ""], `${verb} ${method} ${JSON.stringify(headers)}`);
          }
        }
      }
      const late = { path: "/checked", method: "DELETE", body: ["{", GOOD.slice(1)], pause: 5 };
      assertEquals((await answerOf(ports.hono, late)).answer, { body: JSON.parse(GOOD) });
    });

    it("jsonBody() reads any type, if it is told to, and passes on GET", async () => {
      assertEquals((await answerOf(ports.hono, { path: "/any", method: "GET" })).answer, { body: "none" });
      const plain = { path: "/any", headers: { "content-type": "text/plain" }, body: "[1]" };
      assertEquals((await answerOf(ports.hono, plain)).answer, { body: [1] });
      assertEquals((await exchange(ports.hono, { ...plain, path: "/kept/text" })).status, 415);
    });

    it("goes on after a refinement of Zod that rejects, if Zod awaits it from the beginning", async () => {
      const { command, args } = runtime;
      const readJson = JSON.stringify(new URL("read_json.ts", projectRoot).href);
      for (const isAwaited of [true, false]) {
        const program = `import { z } from "zod";
import { readJson } from ${readJson};
const zod = z.object({ name: z.string().refine(() => Promise.reject(new Error("mine"))) });
const validate = async (value) => {
  const { success, data, error } = await zod.safeParseAsync(value);
  return success ? { value: data } : { issues: error.issues };
};
const schema = ${isAwaited} ? { "~standard": { version: 1, vendor: "zod", validate } } : zod;
await readJson(new Response('{"name": ""}'), { schema }).catch(({ message }) => console.log(message));
await new Promise((resolve) => setTimeout(resolve, 20));
console.log("goes on");
`;
        Deno.writeTextFileSync(`${project!.path}/zod.mjs`, program);
        const { success, output } = await run(command, [...args, `${project!.path}/zod.mjs`]);
        // If Zod drops no promise any more, docs/servers.md needs no wrapper.
        assertEquals(success, isAwaited, output);
        if (isAwaited) assertEquals(output, "mine\ngoes on\n");
      }
    });

    it("writes nothing to standard error", () => {
      const isOfRoutes = /^Deno.serve: request.signal .*\n/gm; // Deno warns of `new Request(url, request)`
      assertEquals(server.errors.replaceAll(isOfRoutes, ""), "");
    });
  });
}
