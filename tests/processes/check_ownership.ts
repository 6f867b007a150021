/**
 * Child process for Deno, Node.js and Bun: ways in which other code holds the bytes of a source, by
 * each function that reads one. After the call, the other code has what was sent. Prints failed
 * checks, and the number of checks.
 */

import { Buffer } from "node:buffer";
import { createServer, IncomingMessage, request as openRequest, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import process from "node:process";
import { PassThrough, Readable, Writable } from "node:stream";
import { Worker } from "node:worker_threads";
import { json, type JsonRequest, type JsonResponse } from "../../middleware/express.ts";
import { type FastifyInstanceLike, type FastifyPayload, jsonParser } from "../../middleware/fastify.ts";
import { jsonBody } from "../../middleware/hono.ts";
import { jsonHandler } from "../../middleware/http.ts";
import {
  type ByteSource,
  JsonParseStream,
  type JsonSource,
  JsonValidationStream,
  parsePartial,
  parseStream,
  parseValues,
  readBytes,
  readJson,
} from "../../mod.ts";
import { check, reportChecks } from "../support/checks.ts";
import { listen, serveFetch } from "../support/ports.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Milliseconds that a check may take. */
const PATIENCE = 5_000;
/** Bytes of a chunk. */
const CHUNK_BYTES = 50_000;
const LIMIT = 2 ** 24;

const encoder = new TextEncoder();

/** Makes a JSON text whose pieces all differ. */
function textOf(length: number): string {
  let text = "[0";
  for (let i = 1; text.length < length; i++) text += `,"text number ${i}"`;
  return `${text}]`;
}

const TEXTS = [textOf(3_000), textOf(120_000), textOf(1_100_000)];

/** Returns the bytes of a text in chunks that cover their buffers. */
function chunksOf(text: string, size = CHUNK_BYTES): Bytes[] {
  const bytes = encoder.encode(text);
  const chunks: Bytes[] = [];
  for (let start = 0; start < bytes.length; start += size) chunks.push(bytes.slice(start, start + size));
  return chunks;
}

function textIn(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString();
}

function pause(milliseconds = 5): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Rejects if a promise does not settle in time. */
async function inTime<T>(work: Promise<T> | T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("does not end")), PATIENCE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) chunks.push(part.value);
  return chunks;
}

/** Functions that read any source. They resolve with the text that was read, as far as they tell. */
const READERS: Record<string, (source: ByteSource & JsonSource) => Promise<string | void>> = {
  readBytes: async (source) => textIn([await readBytes(source)]),
  "readBytes with a hint": async (source) => textIn([await readBytes(source, { sizeHint: TEXTS[1].length })]),
  readJson: async (source) => resultText(await readJson(source, { maxBytes: LIMIT })),
  "readJson with a timeout": async (source) => resultText(await readJson(source, { maxBytes: LIMIT, timeout: 60_000 })),
  parseStream: async (source) => resultText(await parseStream(source)),
  "parseStream at a pointer": async (source) => void await parseStream(source, { at: "/0" }),
  async parseValues(source) {
    for await (const result of parseValues(source, { multiple: "elements" })) if (!result.ok) return result.message;
  },
  async "parseValues in batches"(source) {
    for await (const _ of parseValues(source, { batch: true }));
  },
  async "parseValues that keeps bytes"(source) {
    const texts: string[] = [];
    for await (const { bytes } of parseValues(source, { bytes: true })) if (bytes) texts.push(textIn([bytes]));
    return texts.join("");
  },
  async parsePartial(source) {
    for await (const result of parsePartial(source)) if (!result.ok) return result.message;
  },
  async "parsePartial of an embedded value"(source) {
    let last: Parameters<typeof resultText>[0] | undefined;
    for await (const result of parsePartial(source, { embedded: true })) last = result;
    return last && resultText(last);
  },
};

function resultText(result: { ok: true; value: unknown } | { ok: false; message: string }): string {
  return result.ok ? JSON.stringify(result.value) : result.message;
}

/** Transform streams, which read what is piped into them. */
const TRANSFORMS: Record<string, () => TransformStream<Uint8Array, unknown>> = {
  JsonParseStream: () => new JsonParseStream({ multiple: "elements" }),
  JsonValidationStream: () => new JsonValidationStream(),
};

/** Source, and the text that other code has of it after the call. */
interface Held<Source> {
  source: Source;
  held(): Promise<string> | string;
}

function streamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const rest = chunks[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await pause(0);
      const { done, value } = rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** Makes a stream that fills the buffers it is given, or enqueues chunks. */
function byteStreamOf(text: string): ReadableStream<Uint8Array> {
  let rest = encoder.encode(text);
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      await pause(0);
      const request = controller.byobRequest;
      if (rest.length === 0) {
        controller.close();
        request?.respond(0);
        return;
      }
      const part = rest.slice(0, request?.view?.byteLength ?? CHUNK_BYTES);
      rest = rest.slice(part.length);
      if (request === null) return controller.enqueue(part);
      const { buffer, byteOffset } = request.view!;
      new Uint8Array(buffer, byteOffset).set(part);
      request.respond(part.length);
    },
  });
}

function heldStream(source: ReadableStream<Uint8Array>, other: ReadableStream<Uint8Array>): Held<ReadableStream> {
  return { source, held: async () => textIn(await collect(other)) };
}

type Halves = readonly [ReadableStream<Uint8Array>, ReadableStream<Uint8Array>];

function reversed([first, second]: Halves): Halves {
  return [second, first];
}

function postOf(body: BodyInit): Request {
  return new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
    duplex: "half",
  } as RequestInit);
}

/** Takes one half of a body that is cloned, and keeps the other. */
function clonedHalf(body: Request | Response, takesClone: boolean): Held<Request | Response> {
  const clone = body.clone();
  const [source, other] = takesClone ? [clone, body] : [body, clone];
  return { source, held: () => other.text() };
}

type Web = ReadableStream<Uint8Array> | Request | Response | Blob;

function bodiesOf(text: string): Record<string, BodyInit> {
  return {
    text,
    bytes: encoder.encode(text),
    "a blob": new Blob([text]),
    "a stream": streamOf(chunksOf(text)),
    "a byte stream": byteStreamOf(text),
  };
}

/** Ways in which other code holds the bytes of sources of the web. */
const WEB_HOLDERS: Record<string, (text: string) => Held<Web>> = {
  "the other half of tee()": (text) => heldStream(...streamOf(chunksOf(text)).tee()),
  "the first half of tee()": (text) => heldStream(...reversed(streamOf(chunksOf(text)).tee())),
  "the other half of tee() of a byte stream": (text) => heldStream(...byteStreamOf(text).tee()),
  "the first half of tee() of a byte stream": (text) => heldStream(...reversed(byteStreamOf(text).tee())),
  "a half of tee() that reads ahead"(text) {
    const [source, other] = streamOf(chunksOf(text)).tee();
    const reading = collect(other);
    return { source, held: async () => textIn(await reading) };
  },
  "a half of tee() of a byte stream that reads ahead"(text) {
    const [source, other] = byteStreamOf(text).tee();
    const reading = collect(other);
    return { source, held: async () => textIn(await reading) };
  },
  "a blob": (text) => {
    const source = new Blob([text]);
    return { source, held: () => source.text() };
  },
  "the blob of a stream"(text) {
    const blob = new Blob(chunksOf(text));
    return { source: blob.stream() as ReadableStream<Uint8Array>, held: () => blob.text() };
  },
  "a user-defined blob, which hands out what it keeps"(text) {
    const kept = encoder.encode(text).slice();
    const source = {
      size: kept.length,
      arrayBuffer: () => Promise.resolve(kept.buffer),
      stream: () => streamOf([kept]),
      getReader: () => streamOf([kept]).getReader(),
    };
    return { source: source as unknown as Blob, held: () => textIn([kept]) };
  },
  "the chunks of a stream"(text) {
    const kept = chunksOf(text);
    return { source: streamOf(kept), held: () => textIn(kept) };
  },
  "the chunks of a TransformStream"(text) {
    const kept: Uint8Array[] = [];
    const transform = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        kept.push(chunk);
        controller.enqueue(chunk);
      },
    });
    return { source: streamOf(chunksOf(text)).pipeThrough(transform), held: () => textIn(kept) };
  },
  "Buffers of a pool, and their neighbours"(text) {
    const kept = chunksOf(text, 700).map((chunk) => Buffer.from(chunk));
    return { source: streamOf(kept), held: () => textIn(kept) };
  },
  "the views of one buffer"(text) {
    const bytes = encoder.encode(text);
    const kept = [bytes.subarray(0, 1_000), bytes.subarray(1_000)];
    return { source: streamOf(kept), held: () => textIn([bytes]) };
  },
  "a transfer list"(text) {
    const kept = chunksOf(text);
    const transferred = () => kept.map((chunk) => structuredClone(chunk, { transfer: [chunk.buffer] }));
    return { source: streamOf(kept), held: () => textIn(transferred()) };
  },
  "a worker"(text) {
    const kept = chunksOf(text);
    return { source: streamOf(kept), held: () => echo(kept) };
  },
  "a worker that shares memory"(text) {
    const memory = new Uint8Array(new SharedArrayBuffer(text.length));
    memory.set(encoder.encode(text));
    return { source: streamOf([memory]), held: () => echo([memory]) };
  },
};
for (const kind of Object.keys(bodiesOf(""))) {
  for (const takesClone of [false, true]) {
    const half = takesClone ? "original" : "clone";
    WEB_HOLDERS[`the ${half} of a request of ${kind}`] = (text) => clonedHalf(postOf(bodiesOf(text)[kind]), takesClone);
    WEB_HOLDERS[`the ${half} of a response of ${kind}`] = (text) => {
      return clonedHalf(new Response(bodiesOf(text)[kind]), takesClone);
    };
  }
  WEB_HOLDERS[`the body of a request of ${kind}, cut in two`] = (text) => {
    return heldStream(...(postOf(bodiesOf(text)[kind]).body as ReadableStream<Uint8Array>).tee());
  };
}

/** Sources that are no streams. */
const OTHER_HOLDERS: Record<string, (text: string) => Held<ByteSource>> = {
  "an array of chunks"(text) {
    const kept = chunksOf(text);
    return { source: kept, held: () => textIn(kept) };
  },
  "an async generator"(text) {
    const kept = chunksOf(text);
    const generate = async function* () {
      for (const chunk of kept) yield await Promise.resolve(chunk);
    };
    return { source: generate(), held: () => textIn(kept) };
  },
  "Readable.from(kept)"(text) {
    const kept = chunksOf(text).map((chunk) => Buffer.from(chunk.buffer));
    return { source: Readable.from(kept), held: () => textIn(kept) };
  },
  "a PassThrough"(text) {
    const kept = chunksOf(text).map((chunk) => Buffer.from(chunk.buffer));
    const source = new PassThrough();
    for (const chunk of kept) source.write(chunk);
    source.end();
    return { source, held: () => textIn(kept) };
  },
};

const ECHO = `const { parentPort } = require("node:worker_threads");
parentPort.on("message", (chunks) => parentPort.postMessage(Buffer.concat(chunks).toString()));`;
let worker: Worker | undefined;

/** Resolves with the text that a worker makes of chunks. */
function echo(chunks: readonly Uint8Array[]): Promise<string> {
  worker ??= new Worker(ECHO, { eval: true });
  worker.postMessage(chunks);
  return new Promise((resolve) => worker!.once("message", resolve));
}

/** Reads a message of Node.js, such as by a middleware. */
type MessageReader = (message: IncomingMessage, response: ServerResponse) => Promise<string | undefined>;

function readByExpress(options = {}): MessageReader {
  const middleware = json({ limit: LIMIT, ...options });
  return (message, response) =>
    new Promise((resolve, reject) => {
      const request = message as unknown as JsonRequest;
      middleware(request, response as unknown as JsonResponse, (error) => {
        if (error) reject(error);
        else resolve(JSON.stringify(request.body));
      });
    });
}

// deno-lint-ignore no-explicit-any
type FastifyParser = (request: any, payload: FastifyPayload) => Promise<unknown>;

function readByFastify(): MessageReader {
  let parse: FastifyParser;
  const app: FastifyInstanceLike = {
    initialConfig: { bodyLimit: LIMIT },
    hasContentTypeParser: () => false,
    removeContentTypeParser() {},
    addContentTypeParser: (_type: unknown, parser: FastifyParser) => void (parse = parser),
    addHook() {},
  };
  jsonParser(app, {}, () => {});
  return async (message) => {
    const request = { method: "POST", headers: message.headers, routeOptions: {} };
    return JSON.stringify(await parse(request, message as unknown as FastifyPayload));
  };
}

/** Readers by events, alongside which any other reader gets all chunks. */
const EVENT_READERS: Record<string, MessageReader> = {
  "json of Express": readByExpress(),
  "json of Express with verify": readByExpress({ verify() {} }),
  "jsonParser of Fastify": readByFastify(),
  jsonHandler: (message, response) =>
    new Promise((resolve, reject) => {
      const handler = jsonHandler((_request, _response, value) => resolve(JSON.stringify(value)), {
        maxBytes: LIMIT,
        onFailure: (_request, _response, failure) => reject(failure),
      });
      handler(message, response).catch(reject);
    }),
  "readJson of a message": async (message) => resultText(await readJson(message, { maxBytes: LIMIT })),
};

const ITERATOR_READERS: Record<string, MessageReader> = {
  "readBytes of a message": READERS.readBytes as unknown as MessageReader,
  "parseStream of a message": READERS.parseStream as unknown as MessageReader,
  "parseValues of a message": READERS.parseValues as unknown as MessageReader,
  "parsePartial of a message": READERS.parsePartial as unknown as MessageReader,
};

/** Begins to hold the chunks of a message. Returns the text that is held at the end. */
type MessageHolder = (message: IncomingMessage, mirrorPort: number) => () => Promise<string> | string;

/** Makes a target that takes its time, like a file. */
function slowTarget(): { target: Writable; kept: Promise<string> } {
  const chunks: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const target = new Writable({
    highWaterMark: 2 ** 22,
    async write(chunk, _encoding, done) {
      await pause(1);
      chunks.push(chunk.toString("latin1"));
      done();
    },
    final(done) {
      resolve(chunks.join(""));
      done();
    },
  });
  return { target, kept: promise };
}

/** Ways that work alongside any reader, begun before it. */
const LISTENERS: Record<string, MessageHolder> = {
  "a data listener"(message) {
    const kept: Uint8Array[] = [];
    message.on("data", (chunk) => kept.push(chunk));
    return () => textIn(kept);
  },
  "a pipe"(message) {
    const { target, kept } = slowTarget();
    message.pipe(target);
    return () => kept;
  },
  "a pipe to another server"(message, mirrorPort) {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const mirror = openRequest({ host: "127.0.0.1", port: mirrorPort, method: "POST" }, (response) => {
      response.setEncoding("utf8");
      let text = "";
      response.on("data", (part) => text += part);
      response.on("end", () => resolve(text));
    });
    mirror.on("error", reject);
    message.pipe(mirror);
    return () => promise;
  },
};

/** Ways that work alongside readers by events. */
const EVENT_HOLDERS: Record<string, MessageHolder> = {
  ...LISTENERS,
  "nothing else": () => () => "",
  "a readable listener"(message) {
    const kept: Uint8Array[] = [];
    message.on("readable", () => {
      for (let chunk = message.read(); chunk !== null; chunk = message.read()) kept.push(chunk);
    });
    return () => textIn(kept);
  },
  "an async iterator"(message) {
    const kept: Uint8Array[] = [];
    const reading = (async () => {
      for await (const chunk of message) kept.push(chunk);
    })();
    return async () => {
      await reading;
      return textIn(kept);
    };
  },
  "a monitor that wraps listeners"(message) {
    const kept: Uint8Array[] = [];
    const { on } = message;
    message.on = function (event: string, listener: (...args: unknown[]) => void) {
      if (event !== "data") return Reflect.apply(on, message, [event, listener]);
      return Reflect.apply(on, message, [event, (...args: [Uint8Array]) => {
        kept.push(args[0]);
        listener(...args);
      }]);
    } as typeof on;
    return () => textIn(kept);
  },
  "a monitor that wraps emit"(message) {
    const kept: Uint8Array[] = [];
    const { emit } = message;
    message.emit = function (event: string, ...args: unknown[]) {
      if (event === "data") kept.push(args[0] as Uint8Array);
      return Reflect.apply(emit, message, [event, ...args]);
    } as typeof emit;
    return () => textIn(kept);
  },
};

/** Sends a text to a server in pieces, and resolves with its answer. */
async function send(port: number, text: string, isChunked: boolean): Promise<void> {
  const socket: Socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  const framing = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${text.length}`;
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`,
  );
  for (const chunk of chunksOf(text)) {
    if (isChunked) socket.write(`${chunk.length.toString(16)}\r\n`);
    socket.write(chunk);
    if (isChunked) socket.write("\r\n");
    await pause(1);
  }
  if (isChunked) socket.write("0\r\n\r\n");
  socket.on("data", () => {});
  await ended;
}

/** Checks what was read, and what is held. */
async function checkHeld(name: string, text: string, reading: Promise<unknown>, held: () => unknown): Promise<void> {
  let problem: string | undefined;
  try {
    const read = await inTime(reading);
    if (read !== undefined && read !== text) problem = `read ${String(read).slice(0, 100)}`;
    const kept = await inTime(held()) as string;
    if (kept !== text) problem = `${kept.length} of ${text.length} characters are held, or others`;
  } catch (error) {
    problem = `${error}`;
  }
  check(`${name}, ${text.length} bytes`, problem);
}

async function checkWeb(): Promise<void> {
  for (const [holder, hold] of Object.entries(WEB_HOLDERS)) {
    for (const [name, read] of Object.entries(READERS)) {
      for (const text of TEXTS.slice(0, 2)) {
        const { source, held } = hold(text);
        const readable = name.startsWith("readJson") || !(source instanceof Blob) ? source : source.stream();
        await checkHeld(`${name} alongside ${holder}`, text, read(readable as ByteSource & JsonSource), held);
      }
    }
    for (const [name, make] of Object.entries(TRANSFORMS)) {
      for (const text of TEXTS.slice(0, 2)) {
        const { source, held } = hold(text);
        const stream = "body" in source
          ? source.body
          : "stream" in source && typeof source.stream === "function"
          ? source.stream()
          : source;
        const reading = collect((stream as ReadableStream<Uint8Array>).pipeThrough(make() as TransformStream));
        await checkHeld(`${name} alongside ${holder}`, text, reading.then(() => undefined), held);
      }
    }
  }
  for (const [holder, hold] of Object.entries(OTHER_HOLDERS)) {
    for (const [name, read] of Object.entries(READERS)) {
      for (const text of TEXTS) {
        const { source, held } = hold(text);
        await checkHeld(`${name} alongside ${holder}`, text, read(source as ByteSource & JsonSource), held);
      }
    }
  }
}

/** Reads the body of a request by the middleware of Hono. */
async function readByHono(request: Request): Promise<string | undefined> {
  let read: Promise<unknown> | undefined;
  const req = { raw: request, bodyCache: {}, json: () => Promise.resolve(), addValidatedData() {} };
  const context = { req, json: (value: unknown) => Response.json(value) };
  // deno-lint-ignore no-explicit-any
  await jsonBody({ maxBytes: LIMIT })(context as any, async () => {
    read = req.json();
    await read;
  });
  return JSON.stringify(await read);
}

/** Checks requests that the runtime's own server has received, and responses of `fetch`. */
async function checkNetwork(): Promise<void> {
  const readers = { ...READERS, "jsonBody of Hono": readByHono as unknown as (source: unknown) => Promise<undefined> };
  let handle: (request: Request) => Promise<void> = async () => {};
  const port = serveFetch(async (request) => {
    await handle(request);
    return new Response();
  });
  for (const [name, read] of port === undefined ? [] : Object.entries(readers)) {
    for (const isChunked of [false, true]) {
      for (const takesClone of [false, true]) {
        for (const text of TEXTS) {
          handle = async (request) => {
            const { source, held } = clonedHalf(request, takesClone);
            const holder = `a clone of a request${isChunked ? " in chunks" : ""}${takesClone ? ", from a clone" : ""}`;
            await checkHeld(`${name} alongside ${holder}`, text, read(source as never), held);
          };
          await send(port!, text, isChunked);
        }
      }
    }
  }
  const server = createServer((_request, response) => {
    for (const chunk of chunksOf(TEXTS[1])) response.write(chunk);
    response.end();
  });
  const address = `http://127.0.0.1:${await listen(server)}/`;
  for (const [name, read] of Object.entries(READERS)) {
    for (const takesClone of [false, true]) {
      const { source, held } = clonedHalf(await fetch(address), takesClone);
      await checkHeld(`${name} alongside a clone of a response of fetch`, TEXTS[1], read(source as never), held);
    }
  }
}

/** Bodies, and whether they are sent without their length. */
const SENT = [[TEXTS[0], false], [TEXTS[1], false], [TEXTS[2], true]] as const;

async function checkMessages(): Promise<void> {
  const mirror = createServer((request, response) => void request.pipe(response));
  const mirrorPort = await listen(mirror);
  let handle: (message: IncomingMessage, response: ServerResponse) => Promise<void> = async () => {};
  const server = createServer(async (message, response) => {
    await handle(message, response);
    response.end();
  });
  const port = await listen(server);
  for (const [readers, holders] of [[EVENT_READERS, EVENT_HOLDERS], [ITERATOR_READERS, LISTENERS]] as const) {
    for (const [name, read] of Object.entries(readers)) {
      for (const [holder, hold] of Object.entries(holders)) {
        for (const [text, isChunked] of SENT) {
          for (const isBefore of readers === EVENT_READERS && !holder.includes("monitor") ? [true, false] : [true]) {
            handle = async (message, response) => {
              let held: ReturnType<MessageHolder> | undefined;
              if (isBefore) held = hold(message, mirrorPort);
              const reading = read(message, response);
              held ??= hold(message, mirrorPort);
              const label = `${name} ${isBefore ? "after" : "before"} ${holder}`;
              await checkHeld(label, text, reading, holder === "nothing else" ? () => text : held);
            };
            await send(port, text, isChunked);
          }
        }
      }
    }
    // Streams that hand on what others keep, such as those of hooks.
    for (const [name, read] of Object.entries(readers)) {
      for (const text of TEXTS) {
        const headers = { "content-type": "application/json", "content-length": `${text.length}` };
        const sources: Record<string, (kept: Buffer[]) => Readable> = {
          "Readable.from(kept)": (kept) => Readable.from(kept),
          "Readable.from([kept])": (kept) =>
            Readable.from([Buffer.concat(kept.splice(0))].map((all) => (kept[0] = all))),
          "a message made by hand"(kept) {
            const message = new IncomingMessage(new PassThrough() as unknown as Socket);
            for (const chunk of kept) message.push(chunk);
            message.push(null);
            return message;
          },
        };
        for (const [holder, make] of Object.entries(sources)) {
          const kept = chunksOf(text).map((chunk) => Buffer.from(chunk.buffer));
          const source = Object.assign(make(kept), { headers, method: "POST" }) as unknown as IncomingMessage;
          await checkHeld(`${name} alongside ${holder}`, text, read(source, {} as ServerResponse), () => textIn(kept));
        }
      }
    }
  }
}

await checkWeb();
await checkNetwork();
await checkMessages();
reportChecks();
process.exit();
