/**
 * JSON over HTTP with Bun.serve: answers a JSON document with the same document.
 *
 *     bun examples/bun_serve.ts [PORT]
 */
import process from "node:process";
import { detach, parseBinary, readBytes } from "../mod.ts";

const MAX_BYTES = 1_000_000;
const MAX_MILLISECONDS = 30_000;

async function echo(request: Request): Promise<Response> {
  if (request.method !== "POST") {
    return Response.json({ error: "POST a JSON document" }, { status: 405, headers: { allow: "POST" } });
  }
  const timeout = AbortSignal.timeout(MAX_MILLISECONDS);
  let bytes: Uint8Array;
  try {
    bytes = await readBytes(request.body ?? [], {
      sizeHint: Number(request.headers.get("content-length")),
      maxBytes: MAX_BYTES,
      signal: AbortSignal.any([request.signal, timeout]),
    });
  } catch (error) {
    // The bytes that arrived are freed already. The last case is a client that went away: nobody
    // reads the answer.
    if (error instanceof RangeError) return Response.json({ error: error.message }, { status: 413 });
    if (timeout.aborted) return Response.json({ error: "The body took too long" }, { status: 408 });
    return Response.json({ error: "The body could not be read" }, { status: 400 });
  }
  const result = parseBinary(bytes);
  detach(bytes);
  if (!result.ok) {
    const { message, offset, line, column } = result;
    return Response.json({ error: message, offset, line, column }, { status: 400 });
  }
  return Response.json(result.value);
}

/** Answers what no handler foresaw, such as a value too deep for a recursive `JSON.stringify`. */
function answerError(error: unknown): Response {
  console.error(error);
  return Response.json({ error: "The answer could not be written" }, { status: 500 });
}

/** Part of Bun's types in use. */
declare const Bun: {
  serve(options: {
    hostname: string;
    port: number;
    development: boolean;
    fetch(request: Request): Promise<Response>;
    error(error: unknown): Response;
  }): { url: URL };
};

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.argv[2] ?? 8000),
  development: false, // the error page of development shows sources and paths
  fetch: echo,
  error: answerError,
});
console.log(`Listening on ${server.url}`);
