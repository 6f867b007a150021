/**
 * Server that handles JSON bodies by one of several pipelines, for bench/http.ts.
 *
 *     deno run --allow-net bench/http/server.ts PIPELINE   (or node, or bun)
 *
 * @module
 */

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { type ByteSource, detach, type JsonSource, readBytes } from "../../mod.ts";
import { type Body, type BodyPipeline, PIPELINES, type RequestPipeline, type StreamPipeline } from "./pipelines.ts";

const name = process.argv[2];
const pipeline = PIPELINES[name];
if (pipeline === undefined) {
  console.error(`Cannot serve by ${name}: expected one of ${Object.keys(PIPELINES).join(", ")}`);
  process.exit(2);
}

/** Status and text of an answer. */
type Answer = [status: number, text: string];

function answerValue(value: unknown): Answer {
  return [200, Array.isArray(value) ? "array" : typeof value];
}

function answerBody({ parse, frees }: BodyPipeline, body: Body): Answer {
  try {
    return answerValue(parse(body));
  } catch (error) {
    return [400, (error as Error).message];
  } finally {
    if (frees) detach(body);
  }
}

async function answerStream({ parseStream }: StreamPipeline, source: ByteSource): Promise<Answer> {
  const result = await parseStream(source);
  return result.ok ? answerValue(result.value) : [400, result.message];
}

async function answerCall({ read }: RequestPipeline, request: JsonSource): Promise<Answer> {
  try {
    return answerValue(await read(request));
  } catch (error) {
    return [400, (error as Error).message];
  }
}

function readBody(request: Request, { readsBytes }: BodyPipeline): Promise<Body> {
  if (!readsBytes) return request.arrayBuffer();
  return readBytes(request.body ?? [], { sizeHint: Number(request.headers.get("content-length")) });
}

async function answerRequest(request: Request): Promise<Response> {
  const [status, text] = "read" in pipeline
    ? await answerCall(pipeline, request)
    : "parse" in pipeline
    ? answerBody(pipeline, await readBody(request, pipeline))
    : await answerStream(pipeline, request.body ?? []);
  return new Response(text, { status });
}

/** Reads the body of a request with a length, with one copy. */
async function bodyOf(request: IncomingMessage, { frees, readsBytes }: BodyPipeline): Promise<Body> {
  const sizeHint = Number(request.headers["content-length"]);
  if (readsBytes) return await readBytes(request, { sizeHint });
  const body = new Uint8Array(sizeHint);
  let end = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    body.set(chunk, end);
    end += chunk.length;
    if (frees) detach(chunk);
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
    const [status, text] = "read" in pipeline
      ? await answerCall(pipeline, request)
      : "parse" in pipeline
      ? answerBody(pipeline, await bodyOf(request, pipeline))
      : await answerStream(pipeline, request.iterator({ destroyOnReturn: false })); // so that it can answer
    response.writeHead(status).end(text);
  });
  server.listen(ADDRESS.port, ADDRESS.hostname, () => {
    console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
}
