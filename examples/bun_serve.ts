/**
 * JSON over HTTP with Bun.serve: answers a JSON document with that document.
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
    // Whatever had arrived is free by now. The last of these is a client that went away: nobody reads the answer.
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

/** What is used of Bun's types. */
declare const Bun: {
  serve(options: {
    hostname: string;
    port: number;
    fetch(request: Request): Promise<Response>;
  }): { url: URL };
};

const server = Bun.serve({ hostname: "127.0.0.1", port: Number(process.argv[2] ?? 8000), fetch: echo });
console.log(`Listening on ${server.url}`);
