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

/** Error of the request's body, which the error handler answers with. */
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
    // The bytes that arrived are freed already. The last case is a client that went away: nobody
    // reads the answer.
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
  const { message, statusCode = 500 } = error;
  if (statusCode >= 500) {
    // Any other error, such as a value too deep for a recursive JSON.stringify.
    console.error(error);
    return reply.code(500).send({ error: "The answer could not be written" });
  }
  const { offset, line, column } = error instanceof BodyError && error.failure || {};
  return reply.code(statusCode).send({ error: message, offset, line, column });
});

app.post("/", (request, reply) => {
  // Fastify would send a string as it is.
  reply.type("application/json").send(JSON.stringify(request.body));
});

const address = await app.listen({ host: "127.0.0.1", port: Number(process.argv[2] ?? 8000) });
console.log(`Listening on ${address}/`);
