/**
 * JSON over HTTP with node:http: answers a JSON document with the same document.
 *
 *     node examples/node_http.ts [PORT]
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { detach, parseBinary, readBytes } from "../mod.ts";

const MAX_BYTES = 1_000_000;
const MAX_MILLISECONDS = 30_000;

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "POST") {
    response.setHeader("allow", "POST");
    return send(response, 405, { error: "POST a JSON document" });
  }
  const timeout = AbortSignal.timeout(MAX_MILLISECONDS);
  let bytes: Uint8Array;
  try {
    // Reading the request itself would close the connection on failure, before there is an answer.
    bytes = await readBytes(request.iterator({ destroyOnReturn: false }), {
      sizeHint: Number(request.headers["content-length"]),
      maxBytes: MAX_BYTES,
      signal: timeout,
    });
  } catch (error) {
    // The bytes that arrived are freed already. A client that went away gets no answer.
    request.resume();
    if (request.destroyed) return;
    if (error instanceof RangeError) return send(response, 413, { error: error.message });
    response.on("finish", () => request.destroy());
    return send(response, 408, { error: "The body took too long" });
  }
  const result = parseBinary(bytes);
  detach(bytes);
  if (!result.ok) {
    const { message, offset, line, column } = result;
    return send(response, 400, { error: message, offset, line, column });
  }
  send(response, 200, result.value);
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value); // before the head: it throws where a value is too deep for it
  response.writeHead(status, { "content-type": "application/json" });
  response.end(text);
}

/** Answers what no handler foresaw: an unhandled rejection would end the process. */
function answerError(error: unknown, response: ServerResponse): void {
  console.error(error);
  if (response.headersSent) response.destroy();
  else send(response, 500, { error: "The answer could not be written" });
}

const server = createServer((request, response) => {
  echo(request, response).catch((error) => answerError(error, response));
});
server.listen(Number(process.argv[2] ?? 8000), "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
