/**
 * The middleware in servers of each runtime at hand, beside the parsers that the frameworks have.
 * One process of each runtime has all servers.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { concat, utf8 } from "../support/bytes.ts";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { answersOf, shownTable, tableOf } from "../support/body_tables.ts";
import { callbackPath, CALLBACKS, DEEDS } from "../support/callbacks.ts";
import { folderOf } from "../support/cli.ts";
import { projectRoot } from "../support/environment.ts";
import {
  findRuntimes,
  type FrameworkServers,
  installFrameworks,
  type Ports,
  startServers,
} from "../support/frameworks.ts";
import { exchange, type RawRequest, type RawResponse } from "../support/raw_http.ts";

/** Request to two parsers, whose answers must be equal. */
interface Comparison extends RawRequest {
  name: string;
  status: number;
  /** Members of the answer to leave out, and the reason. */
  except?: { members: string[]; because: string };
}

/** Status of both parsers, where a difference is meant. */
interface Difference extends Omit<Comparison, "status" | "except"> {
  theirs: { status: number; type?: string };
  ours: { status: number; type?: string };
}

const TOBI = '{"user":"tobi"}';
const NAME = '{"name":"论"}';

function compressed(text: string, format: CompressionFormat): Promise<Uint8Array> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream(format))).bytes();
}

function utf16(text: string, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), isLittle);
  return bytes;
}

function utf32(text: string, isLittle: boolean): Uint8Array {
  const points = [...text].map((character) => character.codePointAt(0)!);
  const bytes = new Uint8Array(4 * points.length);
  const view = new DataView(bytes.buffer);
  points.forEach((point, i) => view.setUint32(4 * i, point, isLittle));
  return bytes;
}

function charset(name: string): Record<string, string> {
  return { "content-type": `application/json; charset=${name}` };
}

const GZIPPED = await compressed(NAME, "gzip");
const DEFLATED = await compressed(NAME, "deflate");
const BOMB = await compressed(`"${"x".repeat(10_000)}"`, "gzip");
const LONG = JSON.stringify({ text: ".".repeat(1024) });

/** Messages name the position instead of repeating the text, so that no log gets what was sent. */
const MESSAGE = { members: ["message"], because: "messages of the parsers differ" };

const EXPRESS: Comparison[] = [
  { name: "an object", path: "default", body: TOBI, status: 200 },
  { name: "an object in pieces", path: "default", body: ['{"user"', ":", '"tobi"}'], status: 200 },
  { name: "no bytes, by length", path: "default", method: "GET", headers: { "content-length": "0" }, status: 200 },
  { name: "no bytes, in chunks", path: "default", body: [], status: 200 },
  { name: "no body", path: "default", method: "GET", status: 200 },
  { name: "only white space", path: "default", body: "  \n", status: 400, except: MESSAGE },
  { name: "a wrong length", path: "default", headers: { "x-length": "20" }, body: '{"str":', status: 400 },
  { name: "a body that was read before", path: "default", headers: { "x-consume": "1" }, body: TOBI, status: 200 },
  { name: "the middleware twice", path: "default/twice", body: TOBI, status: 200 },
  { name: "a bad token", path: "default", body: "{:", status: 400, except: MESSAGE },
  { name: "a body cut short", path: "default", body: '{"user"', status: 400, except: MESSAGE },
  { name: "a byte-order mark", path: "default", body: `\ufeff${TOBI}`, status: 200 },
  { name: "a body over the limit, by length", path: "1kb", body: LONG, status: 413 },
  { name: "a body over the limit, in chunks", path: "1kb", body: [LONG], status: 413 },
  { name: "a body over a limit in bytes", path: "1024", body: LONG, status: 413 },
  { name: "a body at the limit", path: "1024", body: JSON.stringify(["x".repeat(1020)]), status: 200 },
  { name: "a long body over the limit", path: "8kb", body: Array(3).fill(".".repeat(10_240)), status: 413 },
  {
    name: "an inflated body over the limit",
    path: "1kb",
    headers: { "content-encoding": "gzip" },
    body: BOMB,
    status: 413,
    except: { members: ["received"], because: "pieces of decompressed bytes differ in size" },
  },
  {
    name: "an inflated body over the limit, cut short",
    path: "1kb",
    headers: { "content-encoding": "gzip" },
    body: BOMB.subarray(0, -4),
    status: 413,
    except: { members: ["received"], because: "pieces of decompressed bytes differ in size" },
  },
  {
    name: "a compressed body that is forbidden",
    path: "no-inflate",
    headers: { "content-encoding": "gzip" },
    body: GZIPPED,
    status: 415,
  },
  { name: "gzip", path: "default", headers: { "content-encoding": "gzip" }, body: GZIPPED, status: 200 },
  { name: "GZIP", path: "default", headers: { "content-encoding": "GZIP" }, body: GZIPPED, status: 200 },
  {
    name: "gzip in pieces",
    path: "default",
    headers: { "content-encoding": "gzip" },
    body: Array.from(GZIPPED, (byte) => Uint8Array.of(byte)),
    status: 200,
  },
  { name: "deflate", path: "default", headers: { "content-encoding": "deflate" }, body: DEFLATED, status: 200 },
  { name: "identity", path: "default", headers: { "content-encoding": "identity" }, body: NAME, status: 200 },
  {
    name: "an unknown compression",
    path: "default",
    headers: { "content-encoding": "nulls" },
    body: "000000",
    status: 415,
  },
  {
    name: "malformed gzip",
    path: "default",
    headers: { "content-encoding": "gzip" },
    body: concat([GZIPPED.subarray(0, 12), GZIPPED.subarray(13)]),
    status: 400,
    except: { members: ["message", "name", "type", "code", "errno"], because: "errors of the decompressors differ" },
  },
  {
    name: "gzip with bytes behind it",
    path: "default",
    headers: { "content-encoding": "gzip" },
    body: concat([GZIPPED, utf8("junk")]),
    status: 400,
    except: { members: ["message", "name", "type", "code", "errno"], because: "errors of the decompressors differ" },
  },
  {
    name: "gzip that is cut short",
    path: "default",
    headers: { "content-encoding": "gzip" },
    body: GZIPPED.subarray(0, -9),
    status: 400,
    except: { members: ["message", "name", "type", "code", "errno"], because: "errors of the decompressors differ" },
  },
  { name: "a primitive", path: "default", body: "true", status: 400, except: MESSAGE },
  { name: "a primitive after spaces", path: "default", body: "    true", status: 400, except: MESSAGE },
  { name: "a primitive that is allowed", path: "not-strict", body: "true", status: 200 },
  { name: "null that is allowed", path: "not-strict", body: "null", status: 200 },
  { name: "spaces before an object", path: "default", body: ' \t\n\r{ "user": "tobi" }', status: 200 },
  { name: "spaces before nothing", path: "default", body: " \t\n\r", status: 400, except: MESSAGE },
  ...["application/json", "application/vnd.api+json", "application/x-json", "text/plain", "APPLICATION/JSON; a=b", "x"]
    .flatMap((type) =>
      ["vnd", "list", "suffix", "short", "any", "accepted", "default"].map((path) => ({
        name: `${type} for the option ${path}`,
        path,
        headers: { "content-type": type },
        body: TOBI,
        status: 200,
      }))
    ),
  { name: "no content type", path: "always", headers: { "content-type": null }, body: TOBI, status: 200 },
  { name: "no content type by default", path: "default", headers: { "content-type": null }, body: TOBI, status: 200 },
  { name: "no body to ask the type of", path: "never", method: "GET", status: 200 },
  { name: "a type that throws", path: "never", body: TOBI, status: 500 },
  { name: "a body that verify refuses", path: "verify", body: '["tobi"]', status: 403 },
  { name: "a body that verify refuses by a status", path: "verify-400", body: '["tobi"]', status: 400 },
  { name: "a body that verify refuses by a type", path: "verify-type", body: '["tobi"]', status: 403 },
  { name: "a body that verify allows", path: "verify", body: TOBI, status: 200 },
  { name: "the bytes of verify", path: "verify-text", body: ["[", "1", "]"], status: 403 },
  {
    name: "a charset beside verify",
    path: "verify",
    headers: charset("utf-16"),
    body: utf16(`\ufeff${NAME}`, false),
    status: 200,
  },
  {
    name: "an unknown charset beside verify",
    path: "verify-text",
    headers: charset("x-bogus"),
    body: "0000",
    status: 415,
  },
  { name: "a reviver", path: "reviver", body: TOBI, status: 200 },
  { name: "a reviver of a bad body", path: "reviver", body: "{:", status: 400, except: MESSAGE },
  { name: "utf-8", path: "default", headers: charset("utf-8"), body: NAME, status: 200 },
  { name: "UTF-8 in quotes", path: "default", headers: charset('"UTF-8"'), body: NAME, status: 200 },
  ...[true, false].flatMap((isLittle) =>
    ["\ufeff", ""].flatMap((mark) => [
      {
        name: `utf-16, ${isLittle ? "little" : "big"}-endian${mark && ", marked"}`,
        path: "default",
        headers: charset("utf-16"),
        body: utf16(mark + NAME, isLittle),
        status: 200,
      },
      {
        name: `utf-32, ${isLittle ? "little" : "big"}-endian${mark && ", marked"}`,
        path: "default",
        headers: charset("utf-32"),
        body: utf32(mark + NAME, isLittle),
        status: 200,
      },
    ])
  ),
  { name: "utf-16be", path: "default", headers: charset("utf-16be"), body: utf16(NAME, false), status: 200 },
  { name: "utf-32le", path: "default", headers: charset("utf-32le"), body: utf32("[1]", true), status: 200 },
  { name: "a charset by default", path: "utf-16", body: utf16(NAME, true), status: 200 },
  { name: "koi8-r", path: "default", headers: charset("koi8-r"), body: NAME, status: 415 },
];

const EXPRESS_DIFFERENCES: Difference[] = [
  {
    name: "malformed UTF-8 is refused, not replaced",
    path: "default",
    body: utf8('["', 0xff, '"]'),
    theirs: { status: 200 },
    ours: { status: 400, type: "entity.parse.failed" },
  },
  {
    name: "utf8 is a name of UTF-8",
    path: "default",
    headers: charset("utf8"),
    body: NAME,
    theirs: { status: 415, type: "charset.unsupported" },
    ours: { status: 200 },
  },
  {
    name: "UTF-7 is unknown",
    path: "default",
    headers: charset("utf-7"),
    body: "[]",
    theirs: { status: 200 },
    ours: { status: 415, type: "charset.unsupported" },
  },
];

const FASTIFY: Comparison[] = [
  { name: "an object", path: "/", body: TOBI, status: 200 },
  { name: "an object in pieces", path: "/", body: ['{"user"', ":", '"tobi"}'], status: 200 },
  { name: "PUT", path: "/", method: "PUT", body: "[1]", status: 200 },
  { name: "DELETE with a body", path: "/", method: "DELETE", body: "[1]", status: 200 },
  { name: "DELETE without body", path: "/", method: "DELETE", headers: { "content-type": null }, status: 200 },
  { name: "a byte-order mark", path: "/", body: `\ufeff${TOBI}`, status: 200 },
  { name: "a primitive", path: "/", body: " true", status: 200 },
  { name: "no bytes, by length", path: "/", headers: { "content-length": "0" }, status: 400 },
  { name: "no bytes, in chunks", path: "/", body: [], status: 400 },
  { name: "only white space", path: "/", body: "  \n", status: 400 },
  { name: "a bad token", path: "/", body: "{:", status: 400 },
  { name: "a body cut short", path: "/", body: '{"a":', status: 400 },
  { name: "__proto__", path: "/", body: '{"a":{"__proto__":{"x":7}}}', status: 400 },
  { name: "constructor.prototype", path: "/", body: '{"constructor":{"prototype":{"x":7}}}', status: 400 },
  { name: "a harmless constructor", path: "/", body: '{"constructor":1}', status: 200 },
  { name: "a body over the limit, by length", path: "/", body: LONG, status: 413 },
  { name: "a body over the limit, in chunks", path: "/", body: [LONG], status: 413 },
  { name: "a body over the limit of the route", path: "/small", body: TOBI, status: 413 },
  { name: "a body over the limit of the route, in chunks", path: "/small", body: [TOBI, TOBI], status: 413 },
  { name: "a body within the limit of the route", path: "/large", body: LONG, status: 200 },
  { name: "another type", path: "/", headers: { "content-type": "application/x-json" }, body: TOBI, status: 415 },
  { name: "a charset", path: "/", headers: charset("utf-8"), body: NAME, status: 200 },
  ...[["gzip", GZIPPED, 200], ["a bomb", BOMB, 413], ["malformed gzip", utf8("junk"), 400]].map((
    [name, body, status],
  ) => ({
    name: `${name} that a hook decompresses`,
    path: "/",
    headers: { "content-encoding": "gzip" },
    body: body as Uint8Array,
    status: status as number,
  })),
  { name: "a wrong content type", path: "/", headers: { "content-type": "a b" }, body: NAME, status: 415 },
];

const GOOD = '{"items": [{"price": 1.5}]}';

/** Request to the routes of a schema, and the status of the answers. 200 comes from the handler. */
interface SchemaRequest extends RawRequest {
  name: string;
  /** Status in all frameworks, or in those whose status differs. */
  status: number;
  others?: { [framework: string]: number | undefined };
}

const NO_TYPE = { "content-type": null };
const TEXT = { "content-type": "text/plain" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** Statuses of `jsonHandler`, which reads the body of each request that it is called for. */
const HTTP_415 = { http: 415 };

const SCHEMA_REQUESTS: SchemaRequest[] = [
  { name: "a text", headers: TEXT, body: "x", status: 415 },
  { name: "a text in chunks", headers: TEXT, body: ["x", "y"], status: 415 },
  { name: "a form", headers: FORM, body: "a=1", status: 415 },
  { name: "JSON of no type", headers: NO_TYPE, body: '{"items":[]}', status: 415 },
  { name: "a type of JSON and no body", status: 400 },
  ...["POST", "PUT", "PATCH"].flatMap((method) => [
    { name: `${method} without body`, method, headers: NO_TYPE, status: 400, others: { hono: 415, http: 415 } },
    {
      name: `${method} of no bytes`,
      method,
      headers: { ...NO_TYPE, "content-length": "0" },
      status: 415,
      others: { fastify: 400 },
    },
  ]),
  {
    name: "POST of no bytes of text",
    headers: { ...TEXT, "content-length": "0" },
    status: 415,
    others: { fastify: 400 },
  },
  { name: "DELETE of a text", method: "DELETE", headers: TEXT, body: "x", status: 415 },
  { name: "DELETE of JSON", method: "DELETE", body: '{"items":[]}', status: 200 },
  { name: "DELETE of wrong JSON", method: "DELETE", body: "{}", status: 422 },
  { name: "DELETE without body", method: "DELETE", headers: NO_TYPE, status: 200, others: HTTP_415 },
  {
    name: "DELETE of no bytes",
    method: "DELETE",
    headers: { ...NO_TYPE, "content-length": "0" },
    status: 200,
    others: HTTP_415,
  },
  ...["GET", "HEAD", "OPTIONS"].map((method) => (
    { name: `${method} without body`, method, headers: NO_TYPE, status: 200, others: HTTP_415 }
  )),
  { name: "JSON that was read before", path: "/read", body: GOOD, status: 400 },
  {
    name: "a form that was read before",
    path: "/read",
    headers: FORM,
    body: "a=1",
    status: 400,
    others: { fastify: 415 },
  },
];

/** Requests to the routes whose schema lets others pass. `jsonHandler` has no such option. */
const PASSED_REQUESTS: SchemaRequest[] = [
  { name: "a text", headers: TEXT, body: "x", status: 200 },
  { name: "a form", headers: FORM, body: "a=1", status: 200, others: { fastify: 415 } },
  { name: "POST without body and type", headers: NO_TYPE, status: 200 },
  { name: "JSON that breaks the schema", body: "{}", status: 422, others: { fastify: 422 } },
  { name: "JSON that keeps to the schema", body: '{"items":[]}', status: 200 },
];

const LEFT = [0, 0, 0, 0, 0];

/** Bodies that become 128 MB, by their encoding. */
const BOMBS = {
  gzip: gzipSync(new Uint8Array(2 ** 27)),
  br: brotliCompressSync(new Uint8Array(2 ** 27), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 24 },
  }),
};

const folder = folderOf({});
const module = await installFrameworks(folder.path);
const runtimes = module === undefined ? [] : await findRuntimes();

for (const runtime of runtimes) {
  describe(`middleware in ${runtime.name}`, () => {
    let servers: FrameworkServers;
    let ports: Ports;

    before(async () => {
      servers = await startServers(runtime, module!);
      ports = servers.ports;
    });

    after(async () => {
      await servers?.[Symbol.asyncDispose]();
      if (runtime === runtimes.at(-1)) folder[Symbol.dispose]();
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

      for (const { name, status, except, ...request } of EXPRESS) {
        it(`to ${name}`, async () => {
          const [theirs, ours] = await both(request);
          for (const member of except?.members ?? []) {
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

      for (const { name, theirs, ours, ...request } of EXPRESS_DIFFERENCES) {
        it(`except that ${name}`, async () => {
          const answers = await both(request);
          const [their, our] = answers.map(({ status, answer: { type } }) => ({ status, ...(type && { type }) }));
          assertEquals([their, our], [theirs, ours]);
        });
      }

      it("except for compressions that DecompressionStream does not know", async () => {
        const headers = { "content-encoding": "br" };
        const body = Uint8Array.of(0x8b, 6, 0x80, ...utf8(NAME), 3);
        const { status, answer } = await answerOf(ports.express, { path: "/ours/default", headers, body });
        if (status === 200) assertEquals(answer.body, JSON.parse(NAME));
        else assertEquals([status, answer.type, answer.encoding], [415, "encoding.unsupported", "br"]);
        console.log(`${runtime.name} ${status === 200 ? "decompresses" : "does not know"} br`);
      });
    });

    describe("jsonParser() answers as Fastify's parser does", () => {
      for (const { name, status, ...request } of FASTIFY) {
        it(`to ${name}`, async () => {
          const [theirs, ours] = await Promise.all(["theirs", "ours"].map(async (side) => {
            const path = `/${side}${request.path}`;
            const { status, headers, text } = await exchange(ports.fastify, { ...request, path });
            return { status, text, connection: headers.get("connection"), type: headers.get("content-type") };
          }));
          assertEquals(ours, theirs);
          assertEquals(ours.status, status, ours.text);
        });
      }

      it("except that malformed UTF-8 is refused, not replaced", async () => {
        const body = utf8('["', 0xff, '"]');
        const statuses = await Promise.all(["/theirs", "/ours"].map(async (path) => {
          return (await exchange(ports.fastify, { path, body })).status;
        }));
        assertEquals(statuses, [200, 400]);
      });

      it("in an inner scope, with other options", async () => {
        const body = '{"a":{"__proto__":{"x":7}}}';
        for (const type of ["application/json", "application/problem+json"]) {
          const { answer } = await answerOf(ports.fastify, {
            path: "/ours/inner",
            headers: { "content-type": type },
            body,
          });
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

        it("refuses bad bodies", async () => {
          await assertRefused({ body: '{"items": [}' }, 400, /line/);
          await assertRefused({ body: "[".repeat(100) }, 400, name === "fastify" ? /not valid JSON/ : /too deep/i);
        });

        it("refuses bodies that are too large, at once", async () => {
          await assertRefused({ body: LONG }, 413, /large/);
          await assertRefused({ body: [LONG], isOpen: true }, 413, /large/);
        });

        it("refuses bodies that take too long", async () => {
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

        for (const { name: what, status, others, ...request } of SCHEMA_REQUESTS) {
          it(`with a schema, answers ${others?.[name] ?? status} to ${what}`, async () => {
            const response = await send(request);
            assertEquals(response.status, others?.[name] ?? status, response.text);
            await assertWorks();
          });
        }

        it("passes on what a schema cannot check if it is told to", async () => {
          if (name === "http") {
            return void (await assertRefused({ path: "/passed", headers: TEXT, body: "x" }, 415, /type/));
          }
          for (const { name: what, status, others, ...request } of PASSED_REQUESTS) {
            const response = await send({ ...request, path: "/passed" });
            assertEquals(response.status, others?.[name] ?? status, `${what}: ${response.text}`);
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

    it("gives handlers what docs/servers.md shows", async () => {
      const page = Deno.readTextFileSync(new URL("docs/servers.md", projectRoot));
      for (const prefix of ["", "/global"]) { // in Hono also after a jsonBody for all routes
        const table = tableOf(await answersOf(ports, prefix));
        assertEquals(table.split("\n"), shownTable(page).split("\n"), "run tests/processes/write_body_tables.ts");
      }
    });

    it("needs little memory for bodies that become large, whatever their compression", async () => {
      const before = servers.peak();
      for (const [encoding, bomb] of Object.entries(BOMBS)) {
        const body = Array.from({ length: Math.ceil(bomb.length / 1e4) }, (_, i) => bomb.slice(1e4 * i, 1e4 * (i + 1)));
        for (const name of ["express", "fastify", "http", "hono"] as const) {
          const headers = { "content-encoding": encoding };
          const { status, text } = await exchange(ports[name], { path: "/bodies/large", headers, body });
          assert(status === 413 || status === 415 && encoding === "br", `${name} ${encoding} ${status} ${text}`);
        }
      }
      if (before === undefined) console.log("skipped: the memory of a process is only known on Linux");
      else assert(servers.peak()! - before < 100, `${before} → ${servers.peak()} MB`);
    });

    it("json() passes on requests that it has checked before, and refuses those of no wanted type", async () => {
      const { status, answer } = await answerOf(ports.express, { path: "/asked", body: GOOD });
      assertEquals([status, answer.type], [415, "media.type.unsupported"]);
      const read = await answerOf(ports.express, { path: "/passed/read", headers: TEXT, body: "x" });
      assertEquals([read.status, read.answer.body], [200, "x"]);
      const types = ["entity.missing", "request.read.before"];
      for (const [i, path] of ["/checked", "/read"].entries()) {
        const request = i === 0 ? { headers: NO_TYPE } : { body: GOOD };
        assertEquals((await answerOf(ports.express, { path, ...request })).answer.type, types[i]);
      }
    });

    it("jsonParser() checks the routes of inner instances, unless they have a parser of their own", async () => {
      const CASES: [path: string, type: string, status: number][] = [
        ["/checked/inherited", "text/plain", 415],
        ["/checked/inherited", "application/json", 422],
        ["/checked/without-schema", "text/plain", 200],
        ["/checked/without-schema", "application/json", 200],
        ["/outer-type", "application/problem+json", 415],
        ["/outer-type", "application/json", 422],
        ["/none", "application/json", 404],
      ];
      for (const [path, type, status] of CASES) {
        const response = await exchange(ports.fastify, { path, headers: { "content-type": type }, body: "{}" });
        assertEquals(response.status, status, `${path} ${type}: ${response.text}`);
      }
      assertEquals((await exchange(ports.fastify, { path: "/checked/none", headers: NO_TYPE })).status, 404);
    });

    it("jsonHandler() tells aborted bodies, and rejects with what a handler throws", async () => {
      for (let i = 0; i < 3; i++) {
        await exchange(ports.http, { path: "/counted", body: ["["], isOpen: true, abortAfter: 20 });
      }
      for (const type of ["text/plain", "application/json; charset=latin1", null]) {
        const { status, text } = await exchange(ports.http, { headers: { "content-type": type }, body: GOOD });
        assertEquals(status, 415, text);
      }
      assertEquals((await exchange(ports.http, { path: "/failing", body: GOOD })).text, "Error: of the handler");
      const { answer } = await answerOf(ports.express, { path: "/aborted", method: "GET" });
      assertEquals(answer.http, 3, JSON.stringify(answer));
      assert(answer.express >= 20 && answer.fastify >= 20, JSON.stringify(answer));
    });

    it("json() and jsonParser() tell bodies that were aborted before they could read", async () => {
      const countsOf = async () => (await answerOf(ports.express, { path: "/aborted", method: "GET" })).answer;
      const before = await countsOf();
      const headers = { "x-delay": "60", "content-length": "900" };
      for (const name of ["express", "fastify"] as const) {
        for (let i = 0; i < 3; i++) {
          await exchange(ports[name], { path: "/checked", headers, body: GOOD, abortAfter: 20 });
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 150));
      const after = await countsOf();
      assertEquals([after.express - before.express, after.fastify - before.fastify], [3, 3]);
    });

    it("jsonBody() serves other methods of Hono's requests, and passes on requests without body", async () => {
      const { answer } = await answerOf(ports.hono, { path: "/texts", body: '{ "a": "é" }' });
      assertEquals(answer, { text: '{"a":"é"}', bytes: 10, same: true });
      assertEquals((await answerOf(ports.hono, { path: "/any", method: "GET" })).answer, { body: "none" });
      const plain = { path: "/any", headers: { "content-type": "text/plain" }, body: "[1]" };
      assertEquals((await answerOf(ports.hono, plain)).answer, { body: [1] });
      assertEquals((await exchange(ports.hono, { ...plain, path: "/texts" })).status, 415);
    });

    it("writes nothing to standard error", () => {
      assertEquals(servers.errors(), "");
    });
  });
}
