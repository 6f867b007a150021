/**
 * Applications of Express, Fastify and `node:http` that use the middleware with the frameworks' own
 * types. The type checker is the test: `deno task check` checks this module, and nobody runs it.
 */

// @ts-types="@types/express"
import express, { type ErrorRequestHandler, type Request, type Response } from "express";
import { fastify, type FastifyInstance } from "fastify";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json, type JsonError } from "../../middleware/express.ts";
import { jsonParser, type JsonParserError } from "../../middleware/fastify.ts";
import { jsonHandler } from "../../middleware/http.ts";
import { UNTRUSTED } from "../../mod.ts";
import { type Order, price } from "../support/price_schema.ts";

interface SignedRequest extends Request {
  rawBody?: string;
}

const app = express();
app.use("/unused", json(), json({ type: (request) => request.headers["content-type"] === "application/csp-report" }));
app.use(json({
  verify(request: SignedRequest, _response: Response, bytes, charset) {
    request.rawBody = bytes.toString(charset);
  },
  reviver: (key, value) => key === "price" ? `${value} €` : value,
}));
app.post("/", json({ schema: price, passUnchecked: true }), (request: SignedRequest, response) => {
  response.json([request.rawBody, request.body]);
});
const onError: ErrorRequestHandler = (error: JsonError, _request, response, _next) => {
  response.status(error.status).json(error.issues ?? error.type);
};
app.use(onError);

const plain = fastify();
await plain.register(jsonParser, { ...UNTRUSTED, timeout: 1000, schema: price });
await plain.register((scope: FastifyInstance) => scope.register(jsonParser, { type: /^text\/json$/ }));
plain.post<{ Body: Order }>("/", (request) => request.body.items.length);
plain.setErrorHandler((error: JsonParserError, _request, reply) => reply.code(error.statusCode).send(error.code));

createServer(jsonHandler((_request: IncomingMessage, response: ServerResponse, order) => {
  const { items }: Order = order;
  response.end(`${items[0].price.toFixed(2)}`);
}, { schema: price, onError: (_request, response) => response.writeHead(500).end("of the handler") }));
createServer(
  jsonHandler<Order, IncomingMessage, ServerResponse>((_request, response, { items }) => {
    response.end(`${items.length}`);
  }, UNTRUSTED),
);
