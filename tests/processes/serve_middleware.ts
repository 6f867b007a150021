/**
 * Servers of the middleware compared with those of the frameworks themselves, for any runtime that
 * strips types. `serve` gets the frameworks from a module that is written by
 * `tests/support/frameworks.ts`, next to their packages. Prints the ports as JSON.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import process from "node:process";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { json, type JsonOptions } from "../../middleware/express.ts";
import { jsonParser } from "../../middleware/fastify.ts";
import { jsonBody } from "../../middleware/hono.ts";
import { jsonHandler } from "../../middleware/http.ts";
import { BODY_HEADER, BODY_ROUTES, shownBody } from "../support/body_tables.ts";
import { callbackPaths, NOT_ANSWERED } from "../support/callbacks.ts";
import { listen, serveFetch } from "../support/ports.ts";
import { price } from "../support/price_schema.ts";

// deno-lint-ignore no-explicit-any
type Any = any;

/** Frameworks, without their types: this module is checked where they are not installed. */
export interface Frameworks {
  express: Any;
  fastify: Any;
  Hono: Any;
  cloneRawRequest: Any;
}

/** Events whose listeners must be gone when a handler runs. */
const EVENTS = ["data", "end", "error", "aborted", "close"];

/** Milliseconds that a body may take. */
const TIMEOUT = 150;

/** Bodies that were aborted, by server. */
const aborted: Record<string, number> = { http: 0, express: 0, fastify: 0 };

function refuseArrays(status?: number, type?: string): JsonOptions["verify"] {
  return (_request, _response, bytes) => {
    if (bytes[0] !== 0x5b) return;
    throw Object.assign(new Error("no arrays"), status && { status }, type && { type });
  };
}

/** Options of `express.json()` and of `json`, by the names of their paths. */
const SETTINGS: Record<string, JsonOptions> = {
  default: { timeout: Infinity },
  "1kb": { limit: "1kb" },
  "1024": { limit: 1024 },
  "8kb": { limit: "8kb" },
  "no-inflate": { inflate: false },
  "not-strict": { strict: false },
  vnd: { type: "application/vnd.api+json" },
  list: { type: ["application/json", "application/vnd.api+json"] },
  suffix: { type: "+json" },
  short: { type: "json" },
  any: { type: "*/*" },
  accepted: { type: (request) => request.headers["content-type"] === "application/vnd.api+json" },
  always: { type: () => true },
  never: {
    type: () => {
      throw new Error("asked for the type of nothing");
    },
  },
  verify: { verify: refuseArrays() },
  "verify-400": { verify: refuseArrays(400) },
  "verify-type": { verify: refuseArrays(undefined, "foo.bar") },
  "verify-text": {
    verify(_request, _response, bytes, charset) {
      throw new Error(`${charset} ${bytes.toString("hex")}`);
    },
  },
  reviver: {
    reviver: (key, value) => key === "" ? { ...Object(value), revived: true } : key === "user" ? `${value}!` : value,
  },
  "utf-16": { defaultCharset: "utf-16" },
};

/** Reads a body alongside the middleware. Resolves with its text, joined late. */
async function readAlongside(stream: Any, how: string): Promise<string> {
  const source = how === "pipe" ? stream.pipe(new PassThrough()) : stream;
  const chunks: Uint8Array[] = [];
  source.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  await once(source, "end");
  await delay(5);
  return Buffer.concat(chunks).toString();
}

/** Options of the routes that answer with the bytes of a body. */
const KEPT = { keepBytes: true, inflate: true } as const;

/** Returns a text of bytes, and whether they could be overwritten and freed. */
function ownText(bytes: Uint8Array<ArrayBuffer>): [text: string, isOwn: string] {
  const text = new TextDecoder().decode(bytes);
  bytes.fill(0);
  return [text, `${bytes.byteLength > 0 && bytes.byteLength <= bytes.buffer.byteLength}`];
}

/** Makes an application of Express that answers with the body, or with all of an error. */
function expressApp({ express }: Frameworks): Any {
  const app = express();
  const storage = new AsyncLocalStorage<string>();
  app.disable("x-powered-by");
  app.get("/held", (_request: Any, response: Any) => response.json(holders));
  app.use((request: Any, _response: Any, next: () => void) => {
    if (!request.headers["x-consume"]) return next();
    request.once("end", next);
    request.resume();
  });
  app.use((request: Any, _response: Any, next: () => void) => {
    const delay = request.headers["x-delay"];
    if (delay === undefined) next();
    else setTimeout(next, Number(delay));
  });
  app.use((request: Any, response: Any, next: () => void) => {
    if (request.headers["x-length"]) request.headers["content-length"] = request.headers["x-length"];
    response.before = EVENTS.map((name) => request.listenerCount(name));
    storage.run("kept", next);
  });
  for (const [name, options] of Object.entries(SETTINGS)) {
    app.use(`/theirs/${name}`, express.json(options));
    app.use(`/ours/${name}`, json(options));
    app.use(`/ours/${name}/twice`, json(options));
    app.use(`/theirs/${name}/twice`, express.json(options));
  }
  for (const [path, options] of callbackPaths("express")) app.use(path, json(options));
  const checked = json({ schema: price, timeout: TIMEOUT, limit: 1000, maxDepth: 64 });
  app.use("/checked", checked, checked);
  const change = (request: Any, _response: Any, next: () => void): void => {
    request.body = { items: [{ price: request.body.items.length }] };
    next();
  };
  const FIRST: Record<string, Any[]> = {
    ours: [json({ limit: "1mb" })],
    guarded: [json({ protoKeys: "drop", limit: "1mb" })],
    checked: [json({ schema: price })],
    verified: [json({ verify: refuseArrays() })],
    changed: [json(), change],
    theirs: [express.json()],
    text: [express.text()],
  };
  const SECOND: Record<string, JsonOptions> = {
    plain: { strict: false, limit: 1 },
    schema: { schema: price },
    limited: { schema: price, limit: 30 },
    shallow: { maxDepth: 1 },
    verified: { schema: price, verify: refuseArrays(400) },
    passing: { schema: price, passUnchecked: true },
  };
  for (const [first, middleware] of Object.entries(FIRST)) {
    for (const [second, options] of Object.entries(SECOND)) {
      const again = json(options);
      app.use(`/again/${first}/${second}`, ...middleware, again, again);
    }
  }
  app.use("/bytes", json(KEPT), json({ schema: price }), (request: Any, response: Any) => {
    const [text, isOwn] = ownText(request.rawBody);
    response.set("x-own", isOwn).end(text);
  });
  app.use(
    "/alongside/:how",
    (request: Any, _response: Any, next: () => void) => {
      request.alongside = readAlongside(request, request.params.how);
      next();
    },
    json({ limit: "1mb" }),
    async (request: Any, response: Any) => {
      response.set("x-items", request.body.items.length).end(await request.alongside);
    },
  );
  app.use("/passed/read", express.text());
  app.use("/passed", json({ schema: price, passUnchecked: true }));
  app.use("/asked", json({ schema: price, type: () => Promise.resolve(false) }));
  for (const [path, { isRead, ...options }] of Object.entries(BODY_ROUTES)) {
    const others = isRead ? [express.urlencoded(), express.json()] : [];
    app.use(path, ...others, json({ ...options, limit: options.maxBytes }), (request: Any, response: Any) => {
      response.set(BODY_HEADER, shownBody(request.body)).end();
    });
  }
  app.get("/aborted", (_request: Any, response: Any) => void response.json(aborted));
  app.use("/callbacks", (_request: Any, response: Any) => void response.end("handled"));
  app.use((request: Any, response: Any) => {
    const left = EVENTS.map((name, i) => request.listenerCount(name) - response.before[i]);
    response.json({ body: request.body ?? `${request.body}`, store: storage.getStore(), left });
  });
  app.use((error: Any, _request: Any, response: Any, _next: unknown) => {
    if (error.type === "request.aborted") aborted.express++;
    const { name, message, body, issues, cause, ...members } = error;
    response.status(error.status ?? 500).json({
      name,
      message,
      status: error.status,
      statusCode: error.statusCode,
      expose: error.expose,
      isSyntaxError: error instanceof SyntaxError,
      store: storage.getStore(),
      issues,
      line: cause?.line,
      body: body instanceof Uint8Array ? `bytes ${body}` : body,
      ...members,
    });
  });
  return app;
}

/** Decompresses a body, as plugins of Fastify do. */
function gunzipped(payload: Any): Any {
  const gunzip: Any = createGunzip();
  gunzip.receivedEncodedLength = 0;
  payload.on("data", (chunk: Uint8Array) => gunzip.receivedEncodedLength += chunk.length);
  payload.on("error", (error: Error) => gunzip.destroy(error));
  return payload.pipe(gunzip);
}

/**
 * Makes an instance of Fastify, with its own parser in one scope and that of the library
 * in another.
 */
async function fastifyApp({ fastify }: Frameworks): Promise<Any> {
  const app = fastify({ bodyLimit: 1000 });
  const routes = (scope: Any): void => {
    const echo = (request: Any) => ({ body: request.body ?? `${request.body}` });
    scope.addHook("preParsing", (request: Any, _reply: Any, payload: Any, done: Any) => {
      done(null, request.headers["content-encoding"] === "gzip" ? gunzipped(payload) : payload);
    });
    scope.post("/", echo);
    scope.post("/small", { bodyLimit: 10 }, echo);
    scope.post("/large", { bodyLimit: 5000 }, echo);
    scope.delete("/", echo);
  };
  await app.register((scope: Any, _options: Any, done: () => void) => {
    routes(scope);
    done();
  }, { prefix: "/theirs" });
  await app.register(async (scope: Any) => {
    await scope.register(jsonParser);
    routes(scope);
    await scope.register(async (inner: Any) => {
      await inner.register(jsonParser, { protoKeys: "drop", type: ["application/json", /^application\/\w+\+json$/] });
      routes(inner);
    }, { prefix: "/inner" });
  }, { prefix: "/ours" });
  await app.register(async (scope: Any) => {
    scope.addHook("onRequest", (request: Any, _reply: Any, done: () => void) => {
      request.raw.before = EVENTS.map((name) => request.raw.listenerCount(name));
      done();
    });
    scope.addHook("preParsing", (request: Any, _reply: Any, payload: Any, done: Any) => {
      setTimeout(() => done(null, payload), Number(request.headers["x-delay"] ?? 0));
    });
    await scope.register(jsonParser, { schema: price, timeout: TIMEOUT });
    scope.setErrorHandler((error: Any, _request: Any, reply: Any) => {
      if (error.code === "ECONNRESET") aborted.fastify++;
      const { line, column, issues } = error.cause ?? {};
      reply.code(error.statusCode).send({ code: error.code, message: error.message, line, column, issues });
    });
    scope.all("/", (request: Any) => {
      const left = EVENTS.map((name, i) => request.raw.listenerCount(name) - request.raw.before[i]);
      return { body: request.body, left };
    });
    await scope.register((inner: Any, _options: Any, done: () => void) => {
      inner.all("/inherited", (request: Any) => ({ body: request.body }));
      done();
    });
    await scope.register(async (inner: Any) => {
      await inner.register(jsonParser, {});
      inner.all("/without-schema", (request: Any) => ({ body: request.body }));
    });
  }, { prefix: "/checked" });
  await app.register(async (scope: Any) => {
    await scope.register(jsonParser, { schema: price, passUnchecked: true });
    scope.all("/", (request: Any) => ({ body: request.body }));
  }, { prefix: "/passed" });
  await app.register(async (scope: Any) => {
    await scope.register(jsonParser, { type: /^application\/\w+\+json$/ });
    await scope.register(async (inner: Any) => {
      await inner.register(jsonParser, { schema: price });
      inner.all("/", (request: Any) => ({ body: request.body }));
    });
  }, { prefix: "/outer-type" });
  for (const [path, { isRead, maxBytes, ...options }] of Object.entries(BODY_ROUTES)) {
    await app.register(async (scope: Any) => {
      await scope.register(jsonParser, options);
      if (isRead) {
        scope.addHook("onRequest", (request: Any, _reply: Any, done: () => void) => {
          request.raw.resume().once("end", done);
        });
      }
      scope.all(path, { bodyLimit: maxBytes }, (request: Any, reply: Any) => {
        return reply.header(BODY_HEADER, shownBody(request.body)).send();
      });
    });
  }
  await app.register(async (scope: Any) => {
    await scope.register(jsonParser, { schema: price, ...KEPT });
    scope.post("/bytes", (request: Any, reply: Any) => {
      const [text, isOwn] = ownText(request.rawBody);
      return reply.header("x-own", isOwn).send(text);
    });
  });
  await app.register(async (scope: Any) => {
    await scope.register(jsonParser);
    scope.addHook("preParsing", (request: Any, _reply: Any, payload: Any, done: Any) => {
      request.alongside = readAlongside(payload, request.params.how);
      if (request.params.how !== "kept") return done(null, payload);
      request.alongside.then((text: string) => {
        const kept = Buffer.from(text);
        request.alongside = delay(5).then(() => kept.toString());
        done(null, Readable.from([kept]));
      });
    });
    scope.post("/alongside/:how", { bodyLimit: 1e6 }, async (request: Any, reply: Any) => {
      return reply.header("x-items", request.body.items.length).send(await request.alongside);
    });
  });
  for (const [path, options] of callbackPaths("fastify")) {
    await app.register(async (scope: Any) => {
      await scope.register(jsonParser, options);
      scope.post(path, () => "handled");
    });
  }
  return app;
}

/** Makes a handler of `node:http` that answers with the body. */
function httpHandler(): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const before = new WeakMap<IncomingMessage, number[]>();
  const checked = jsonHandler((request: IncomingMessage, response: ServerResponse, body) => {
    const left = EVENTS.map((name, i) => request.listenerCount(name) - before.get(request)![i]);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ body, left }));
  }, { schema: price, timeout: TIMEOUT, maxBytes: 1000, maxDepth: 64 });
  const counted = jsonHandler((_request: IncomingMessage, _response: ServerResponse, _body) => {}, {
    onFailure(_request, response, { code, status }) {
      if (code === "aborted") aborted.http++;
      response.statusCode = status;
      response.end(code);
    },
  });
  const callbacks = new Map(
    callbackPaths("http").map(([path, options]) => {
      const onError = (_request: unknown, response: ServerResponse): unknown => response.writeHead(500).end();
      const handler = (_request: IncomingMessage, response: ServerResponse): unknown => response.end("handled");
      return [path, jsonHandler(handler, { onError, ...options })];
    }),
  );
  const bodies = new Map(
    Object.entries(BODY_ROUTES).map(([path, { isRead, ...options }]) => {
      const onError = (_request: unknown, response: ServerResponse): unknown => response.writeHead(500).end("{}");
      const handler = jsonHandler((_request: IncomingMessage, response: ServerResponse, body) => {
        response.setHeader(BODY_HEADER, shownBody(body)).end();
      }, { ...options, onError } as object);
      return [path, { isRead, handler }];
    }),
  );
  return async (request, response) => {
    const route = bodies.get(request.url!);
    if (route !== undefined) {
      if (route.isRead) { for await (const _ of request) { /* reads the body */ } }
      return await route.handler(request, response);
    }
    const callback = callbacks.get(request.url!);
    if (callback !== undefined) {
      await callback(request, response);
      if (!response.writableEnded) response.writeHead(NOT_ANSWERED).end();
      return;
    }
    if (request.url === "/bytes") {
      return await jsonHandler((_request: IncomingMessage, response: ServerResponse, _value, bytes) => {
        const [text, isOwn] = ownText(bytes);
        response.setHeader("x-own", isOwn).end(text);
      }, { schema: price, ...KEPT })(request, response);
    }
    if (request.url!.startsWith("/alongside/")) {
      const alongside = readAlongside(request, request.url!.slice(8));
      return await jsonHandler(async (_request: IncomingMessage, response: ServerResponse, { items }: Any) => {
        response.setHeader("x-items", items.length).end(await alongside);
      })(request, response);
    }
    before.set(request, EVENTS.map((name) => request.listenerCount(name)));
    if (request.url === "/counted") void counted(request, response);
    else void checked(request, response);
  };
}

/** Makes an application of Hono that answers with the body. */
function honoApp({ Hono, cloneRawRequest }: Frameworks): Any {
  const app = new Hono();
  const options = { schema: price, timeout: TIMEOUT, maxBytes: 1000, maxDepth: 64 };
  const echo = async (c: Any) => c.json({ body: c.req.header("content-type")?.includes("json") && await c.req.json() });
  app.all("/checked", jsonBody(options), echo);
  const read = async (c: Any, next: () => Promise<void>): Promise<void> => {
    await c.req.text();
    await next();
  };
  app.all("/passed", jsonBody({ ...options, passUnchecked: true }), echo);
  for (const [path, { isRead, ...options }] of Object.entries(BODY_ROUTES)) {
    const handler = async (c: Any) => {
      c.header(BODY_HEADER, shownBody(await c.req.json().catch(() => undefined)));
      return c.body(null);
    };
    app.all(path, ...isRead ? [read] : [], jsonBody(options), handler);
    app.all(
      `/global${path}`,
      ...isRead ? [read] : [jsonBody({ ...options, schema: undefined })],
      jsonBody(options),
      handler,
    );
  }
  for (const [path, options] of callbackPaths("hono")) {
    app.post(path, jsonBody(options), (c: Any) => c.text("handled"));
  }
  app.onError((error: Error, c: Any) => c.text(error.message, 500));
  app.post("/bytes", jsonBody({ schema: price, ...KEPT }), async (c: Any) => {
    const [text, isOwn] = ownText(await c.req.bytes());
    c.header("x-own", isOwn);
    return c.text(text);
  });
  app.use("/alongside/clone", async (c: Any, next: () => Promise<void>) => {
    const copy = c.req.raw.clone();
    await next();
    await delay(5);
    c.res = new Response(await copy.text(), { headers: c.res.headers });
  });
  app.post("/alongside/clone", jsonBody(), async (c: Any) => {
    c.header("x-items", `${(await c.req.json()).items.length}`);
    return c.body(null);
  });
  app.use("/kept/*", jsonBody({ integers: "bigint", inflate: true }), jsonBody({ numbers: "source" }));
  app.post("/kept/json", async (c: Any) => c.json(await c.req.json() === await c.req.json()));
  app.all("/kept/request", (c: Any) => new Response(new Request(c.req.url, c.req.raw).body));
  app.all("/kept/clone", async (c: Any) => new Response((await cloneRawRequest(c.req)).body));
  app.all("/kept/:method", async (c: Any) => c.body(await c.req[c.req.param("method")]()));
  app.use("/failed/*", jsonBody({ schema: price, onFailure: async (_failure, c: Any) => c.body(await c.req.text()) }));
  app.all("/any", jsonBody({ contentType: "any" }), async (c: Any) => {
    return c.json({ body: c.req.method === "GET" ? "none" : await c.req.json() });
  });
  return app;
}

/** Bodies that other code holds, too: the number that it has whole after the answer, and of others. */
const holders = { whole: 0, changed: 0 };

/** Holds the chunks of all requests of a server, as monitors do. */
function watched(server: Server): Server {
  return server.prependListener("request", (message: IncomingMessage, response: ServerResponse) => {
    const kept: [chunk: Uint8Array, copy: Uint8Array][] = [];
    const { emit } = message;
    message.emit = function (event: string, ...args: Any[]): boolean {
      if (event === "data") kept.push([args[0], Uint8Array.from(args[0])]);
      return Reflect.apply(emit, message, [event, ...args]);
    } as typeof emit;
    response.once("close", () => {
      const isWhole = kept.every(([chunk, copy]) => Buffer.compare(chunk, copy) === 0);
      if (kept.length > 0) holders[isWhole ? "whole" : "changed"]++;
    });
  });
}

/** Keeps a clone of each request alongside the handler, as audit logs do. */
function audited(handler: (request: Request) => Promise<Response>): typeof handler {
  return async (request) => {
    const length = Number(request.headers.get("content-length"));
    const copy = request.body === null || !(length > 0) ? null : request.clone();
    const answer = await handler(request);
    const count = (kept: ArrayBuffer) => void holders[kept.byteLength === length ? "whole" : "changed"]++;
    copy?.arrayBuffer().then(count, () => {}); // of a connection that was closed
    return answer;
  };
}

/** Serves a handler of the Fetch API. Returns the port. */
async function serveHono(handler: (request: Request) => Promise<Response>): Promise<number> {
  return serveFetch(handler) ?? await listen(createServer(async (message, response) => {
    const headers = message.headers as Record<string, string>;
    const hasBody = message.method !== "GET" && message.method !== "HEAD"; // as @hono/node-server asks
    const body = hasBody ? Readable.toWeb(message) as ReadableStream : null;
    const init = { method: message.method!, headers, body, duplex: "half" };
    const answer = await handler(new Request(`http://127.0.0.1${message.url}`, init));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  }));
}

/** Starts all servers, and prints their ports. */
export async function serve(frameworks: Frameworks): Promise<void> {
  process.once("SIGTERM", () => process.exit()); // an exit that writes the profile of coverage
  const fastify = await fastifyApp(frameworks);
  watched(fastify.server);
  await fastify.listen({ host: "127.0.0.1", port: 0 });
  const ports = {
    express: await listen(watched(createServer(expressApp(frameworks)))),
    fastify: fastify.server.address().port,
    http: await listen(watched(createServer(httpHandler()))),
    hono: await serveHono(audited(honoApp(frameworks).fetch)),
  };
  console.log(JSON.stringify(ports));
}
