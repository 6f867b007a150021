/**
 * JSON over HTTP with Fastify: a content type parser in place of its own.
 *
 *     deno run --allow-net --allow-env --allow-read --allow-sys examples/fastify.ts [PORT]
 */
import { fastify, type FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import process from "node:process";
import { detach, parseBinary, type ParseFailure, readBytes } from "../mod.ts";

const MAX_BYTES = 1_000_000;
const MAX_MILLISECONDS = 30_000;

/** What the error handler answers with. */
class BodyError extends Error {
  readonly statusCode: number;
  readonly failure: ParseFailure | undefined;

  constructor(statusCode: number, message: string, failure?: ParseFailure) {
    super(message);
    this.statusCode = statusCode;
    this.failure = failure;
  }
}

const app = fastify();

app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: IncomingMessage) => {
  const timeout = AbortSignal.timeout(MAX_MILLISECONDS);
  let bytes: Uint8Array;
  try {
    // Reading the payload itself would close the connection on failure, before there is an answer.
    bytes = await readBytes(payload.iterator({ destroyOnReturn: false }), {
      sizeHint: Number(request.headers["content-length"]),
      maxBytes: MAX_BYTES,
      signal: timeout,
    });
  } catch (error) {
    // Whatever had arrived is free by now. The last of these is a client that went away: nobody reads the answer.
    payload.resume();
    if (error instanceof RangeError) throw new BodyError(413, error.message);
    if (timeout.aborted) throw new BodyError(408, "The body took too long");
    throw new BodyError(400, "The body could not be read");
  }
  const result = parseBinary(bytes);
  detach(bytes);
  if (!result.ok) throw new BodyError(400, result.message, result);
  return result.value;
});

app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
  const { offset, line, column } = error instanceof BodyError && error.failure || {};
  reply.code(error.statusCode ?? 500).send({ error: error.message, offset, line, column });
});

app.post("/", (request, reply) => {
  // Fastify would send a string as it is.
  reply.type("application/json").send(JSON.stringify(request.body));
});

const address = await app.listen({ host: "127.0.0.1", port: Number(process.argv[2] ?? 8000) });
console.log(`Listening on ${address}/`);
