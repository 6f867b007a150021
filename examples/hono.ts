/**
 * JSON over HTTP with Hono: a middleware parses the body, a route uses it.
 *
 *     deno run --allow-net examples/hono.ts [PORT]
 */
import { Hono, type MiddlewareHandler } from "hono";
import { detach, parseBinary, readBytes } from "../mod.ts";

const MAX_BYTES = 1_000_000;
const MAX_MILLISECONDS = 30_000;

interface Env {
  Variables: { json: unknown };
}

const json: MiddlewareHandler<Env> = async (context, next) => {
  const request = context.req.raw;
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
    if (error instanceof RangeError) return context.json({ error: error.message }, 413);
    if (timeout.aborted) return context.json({ error: "The body took too long" }, 408);
    return context.json({ error: "The body could not be read" }, 400);
  }
  const result = parseBinary(bytes);
  detach(bytes);
  if (!result.ok) {
    const { message, offset, line, column } = result;
    return context.json({ error: message, offset, line, column }, 400);
  }
  context.set("json", result.value);
  await next();
};

const app = new Hono<Env>();
app.post("/", json, (context) => Response.json(context.get("json")));

// Any other error, such as a value too deep for a recursive JSON.stringify.
app.onError((error, context) => {
  console.error(error);
  return context.json({ error: "The answer could not be written" }, 500);
});

Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.args[0] ?? 8000) }, app.fetch);
