/**
 * Server that handles JSON bodies in one of several ways, for bench/http.ts.
 *
 *     deno run --allow-net bench/http/server.ts PIPELINE   (or node, or bun)
 */

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import v8 from "node:v8";
import { detach } from "../../mod.ts";
import { type Incoming, PIPELINES } from "./pipelines.ts";

const name = process.argv[2];
const pipeline = PIPELINES[name];
if (pipeline === undefined) {
  console.error(`Cannot serve by ${name}: expected one of ${Object.keys(PIPELINES).join(", ")}`);
  process.exit(2);
}

/** Garbage collections since the last call of {@linkcode takeCollections}. */
export interface Collections {
  count: number;
  milliseconds: number;
}

/** Members of the report of node:v8's `GCProfiler` that are used: costs in µs, in Deno in ns. */
interface Profiler {
  start(): void;
  stop(): { statistics: { cost: number }[] };
}

/** Starts a profiler, if V8 is the engine. */
function startProfiler(): Profiler | undefined {
  const { GCProfiler } = v8 as { GCProfiler?: new () => Profiler };
  const profiler = process.versions.bun === undefined && GCProfiler !== undefined ? new GCProfiler() : undefined;
  profiler?.start();
  return profiler;
}

let profiler = startProfiler();

/** Returns the text of the response to a request without a body. */
function takeCollections(): string {
  const costs = profiler?.stop().statistics.map(({ cost }) => cost) ?? [];
  profiler = startProfiler();
  const milliseconds = costs.reduce((sum, cost) => sum + cost, 0) / (process.versions.deno ? 1e6 : 1e3);
  return profiler === undefined ? "null" : JSON.stringify({ count: costs.length, milliseconds });
}

/** Resolves with the status and the text of a response. */
async function answer(incoming: Incoming): Promise<[status: number, text: string]> {
  try {
    const value = await pipeline(incoming);
    return [200, Array.isArray(value) ? "array" : typeof value];
  } catch (error) {
    return [400, (error as Error).message];
  }
}

async function answerRequest(request: Request): Promise<Response> {
  if (request.method === "GET") return new Response(takeCollections());
  const [status, text] = await answer({
    source: request,
    length: Number(request.headers.get("content-length")),
    stream: () => request.body ?? [],
    read: () => request.arrayBuffer(),
  });
  return new Response(text, { status });
}

/** Reads the body of a message with a length, with one copy. */
async function readMessage(message: IncomingMessage, length: number, frees: boolean): Promise<ArrayBuffer> {
  const body = new Uint8Array(length);
  let end = 0;
  for await (const chunk of message as AsyncIterable<Uint8Array>) {
    body.set(chunk, end);
    end += chunk.length;
    if (frees) detach(chunk);
  }
  return body.buffer;
}

declare const Bun: {
  serve(options: { hostname: string; port: number; fetch(request: Request): Promise<Response> }): { url: URL };
};

const ADDRESS = { hostname: "127.0.0.1", port: 0 };

if (process.versions.deno) {
  const onListen = ({ port }: Deno.NetAddr): void => console.log(`Listening on http://127.0.0.1:${port}/`);
  Deno.serve({ ...ADDRESS, onListen }, answerRequest); // Deno itself prints nothing with --quiet
} else if (process.versions.bun) {
  console.log(`Listening on ${Bun.serve({ ...ADDRESS, fetch: answerRequest }).url}`);
} else {
  const server = createServer(async (message, response) => {
    if (message.method === "GET") return void response.end(takeCollections());
    const length = Number(message.headers["content-length"]);
    const [status, text] = await answer({
      source: message,
      length,
      stream: () => message.iterator({ destroyOnReturn: false }), // so that the server can still respond
      read: (frees) => readMessage(message, length, frees),
    });
    response.writeHead(status).end(text);
  });
  server.listen(ADDRESS.port, ADDRESS.hostname, () => {
    console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
}
