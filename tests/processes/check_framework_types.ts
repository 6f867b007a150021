/**
 * Child process: applications of Express, Fastify and `node:http` that use the middleware with the
 * frameworks' own types. The type checker does most of the test. Prints failed checks, and the
 * number of checks.
 *
 * @module
 */

// @ts-types="@types/express"
import express, { type ErrorRequestHandler, type Request, type Response } from "express";
import { fastify, type FastifyInstance } from "fastify";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json, type JsonError } from "../../middleware/express.ts";
import { jsonParser, type JsonParserError } from "../../middleware/fastify.ts";
import { jsonHandler } from "../../middleware/http.ts";
import { UNTRUSTED } from "../../mod.ts";
import { checkThat, reportChecks } from "../support/checks.ts";
import { type Order, price } from "../support/price_schema.ts";

const GOOD = '{"items": [{"price": 1.5}]}';

/** Posts JSON to a server, and closes the server. Returns the status and the text of the answer. */
async function post(server: Server, body: string): Promise<string> {
  if (!server.listening) await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const headers = { "content-type": "application/json", connection: "close" };
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body });
  return `${response.status} ${await response.text()}`;
}

function checkSame(name: string, actual: string, expected: string): void {
  checkThat(name, actual === expected, actual);
}

interface SignedRequest extends Request {
  rawBody?: string;
}

const app = express();
app.use("/unused", json(), json({ type: (request) => request.headers["content-type"] === "application/csp-report" }));
app.use(json({
  verify(request: SignedRequest, _response: Response, bytes, charset) {
    request.rawBody = bytes.toString(charset);
  },
  reviver(key, value) {
    return key === "price" ? `${value} €` : value;
  },
}));
app.post("/", json({ schema: price, passUnchecked: true }), (request: SignedRequest, response) => {
  response.json([request.rawBody, request.body]);
});
const onError: ErrorRequestHandler = (error: JsonError, _request, response, _next) => {
  response.status(error.status).json(error.issues ?? error.type);
};
app.use(onError);
const express5 = createServer(app).listen(0, "127.0.0.1");
checkSame("Express", await post(express5, GOOD), `200 ${JSON.stringify([GOOD, { items: [{ price: "1.5 €" }] }])}`);
checkSame("Express, bad JSON", await post(express5, "{"), '400 "entity.parse.failed"');
express5.close();

const plain = fastify();
await plain.register(jsonParser, { ...UNTRUSTED, timeout: 1000, schema: price });
await plain.register((scope: FastifyInstance) => scope.register(jsonParser, { type: /^text\/json$/ }));
plain.post<{ Body: Order }>("/", (request) => request.body.items.length);
plain.setErrorHandler((error: JsonParserError, _request, reply) => reply.code(error.statusCode).send(error.code));
/** Posts a body that is announced with a length, which need not be its own. */
async function inject(payload: string, length: number): Promise<string> {
  const headers = { "content-type": "application/json", "content-length": `${length}` };
  const { statusCode, body } = await plain.inject({ method: "POST", url: "/", payload, headers });
  return `${statusCode} ${body}`;
}
checkSame("Fastify", await inject(GOOD, GOOD.length), "200 1");
checkSame(
  "Fastify, a wrong length",
  await inject(GOOD, GOOD.length + 1),
  "400 FST_ERR_CTP_INVALID_CONTENT_LENGTH",
);
checkSame("Fastify, a wrong value", await inject("{}", 2), "422 FST_ERR_VALIDATION");
await plain.close();

const handler = jsonHandler((_request: IncomingMessage, response: ServerResponse, order) => {
  const { items }: Order = order;
  response.end(`${items[0].price.toFixed(2)}`);
}, { schema: price, onError: (_request, response) => response.writeHead(500).end("of the handler") });
const server = createServer(handler).listen(0, "127.0.0.1");
checkSame("node:http", await post(server, GOOD), "200 1.50");
checkSame("node:http, a handler that throws", await post(server, '{"items": []}'), "500 of the handler");
server.close();
const typed = createServer(
  jsonHandler<Order, IncomingMessage, ServerResponse>((_request, response, { items }) => {
    response.end(`${items.length}`);
  }, UNTRUSTED),
).listen(0, "127.0.0.1");
checkSame("node:http, without a schema", await post(typed, GOOD), "200 1");
typed.close();

reportChecks();
