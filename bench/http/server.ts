/**
 * Server that handles JSON bodies by one of six pipelines, for bench/http/load.ts.
 *
 *     deno run --allow-net bench/http/server.ts PIPELINE   (or node, or bun)
 *
 * @module
 */

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { detach, parseBinary, readBytes } from "../../mod.ts";

/** Handling of a body. */
interface Pipeline {
  /** Parses a body; throws if it is invalid. */
  parse(body: Body): unknown;
  /** Whether the bytes are detached; the garbage collector frees them otherwise. */
  frees: boolean;
  /** Whether `readBytes` reads the body; by default it is read as most servers do. */
  readsBytes?: true;
}

type Body = ArrayBuffer | Uint8Array<ArrayBuffer>;

const decoder = new TextDecoder();

function parseNative(body: Body): unknown {
  return JSON.parse(decoder.decode(body));
}

function parseOurs(body: Body): unknown {
  const result = parseBinary(body);
  if (!result.ok) throw new SyntaxError(result.message);
  return result.value;
}

const PIPELINES: Record<string, Pipeline> = {
  "native": { parse: parseNative, frees: false },
  "native + detach": { parse: parseNative, frees: true },
  "parseBinary": { parse: parseOurs, frees: false },
  "parseBinary + detach": { parse: parseOurs, frees: true },
  "readBytes + parseBinary": { parse: parseOurs, frees: false, readsBytes: true },
  "readBytes + parseBinary + detach": { parse: parseOurs, frees: true, readsBytes: true },
};

const name = process.argv[2];
const pipeline = PIPELINES[name];
if (pipeline === undefined) {
  console.error(`Cannot serve by ${name}: expected one of ${Object.keys(PIPELINES).join(", ")}`);
  process.exit(2);
}

/** Handles a body. Returns the status and the type of the value. */
function answer(body: Body): [status: number, text: string] {
  try {
    const value = pipeline.parse(body);
    return [200, Array.isArray(value) ? "array" : typeof value];
  } catch (error) {
    return [400, (error as Error).message];
  } finally {
    if (pipeline.frees) detach(body);
  }
}

async function answerRequest(request: Request): Promise<Response> {
  const sizeHint = Number(request.headers.get("content-length"));
  const body = pipeline.readsBytes ? await readBytes(request.body ?? [], { sizeHint }) : await request.arrayBuffer();
  const [status, text] = answer(body);
  return new Response(text, { status });
}

/** Reads the body of a request with a length, with one copy. */
async function bodyOf(request: IncomingMessage): Promise<Body> {
  const sizeHint = Number(request.headers["content-length"]);
  if (pipeline.readsBytes) return await readBytes(request as AsyncIterable<Uint8Array>, { sizeHint });
  const body = new Uint8Array(sizeHint);
  let end = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    body.set(chunk, end);
    end += chunk.length;
    if (pipeline.frees) detach(chunk);
  }
  return body.buffer;
}

/** Part of Bun's types. */
declare const Bun: {
  serve(options: { hostname: string; port: number; fetch(request: Request): Promise<Response> }): { url: URL };
};

const ADDRESS = { hostname: "127.0.0.1", port: 0 };

if (process.versions.deno) {
  Deno.serve(ADDRESS, answerRequest);
} else if (process.versions.bun) {
  console.log(`Listening on ${Bun.serve({ ...ADDRESS, fetch: answerRequest }).url}`);
} else {
  const server = createServer(async (request, response) => {
    const [status, text] = answer(await bodyOf(request));
    response.writeHead(status).end(text);
  });
  server.listen(ADDRESS.port, ADDRESS.hostname, () => {
    console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
}
