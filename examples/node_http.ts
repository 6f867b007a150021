/**
 * JSON over HTTP with node:http: answers a JSON document with the same document, and an order with
 * its total.
 *
 *     node node_http.ts [PORT] [MILLISECONDS]
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { jsonHandler } from "bytejson/http";
import { UNTRUSTED } from "bytejson";
import { orderSchema, totalOf } from "./order_schema.ts";

const [port = "8000", timeout = "30000"] = process.argv.slice(2);
const options = { ...UNTRUSTED, maxBytes: 1_000_000, timeout: Number(timeout), onError: answerError };

const echo = jsonHandler((_request: IncomingMessage, response: ServerResponse, value) => {
  send(response, 200, value);
}, options);

const addOrder = jsonHandler((_request: IncomingMessage, response: ServerResponse, order) => {
  send(response, 200, { total: totalOf(order) });
}, { ...options, schema: orderSchema });

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Answers unexpected errors, since an unhandled rejection would end the process. */
function answerError(_request: IncomingMessage, response: ServerResponse, error: unknown): void {
  console.error(error);
  if (response.headersSent) response.destroy();
  else send(response, 500, { error: "Internal error" });
}

const server = createServer((request, response) => {
  if (request.method !== "POST") {
    response.writeHead(405, { allow: "POST" }).end("POST a JSON document\n");
  } else if (request.url === "/orders") {
    void addOrder(request, response);
  } else {
    void echo(request, response);
  }
});
server.listen(Number(port), "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
