/**
 * JSON over HTTP with Fastify: answers a JSON document with the same document, and an order with
 * its total.
 *
 *     deno run --allow-net --allow-env --allow-read --allow-sys fastify.ts [PORT] [MILLISECONDS]
 *     node fastify.ts [PORT] [MILLISECONDS]
 */
import { fastify, type FastifyInstance } from "fastify";
import process from "node:process";
import { jsonParser } from "bytejson/fastify";
import { UNTRUSTED } from "bytejson";
import { type Order, orderSchema, totalOf } from "./order_schema.ts";

const [port = "8000", timeout = "30000"] = process.argv.slice(2);
const limits = { ...UNTRUSTED, timeout: Number(timeout) };

const app = fastify({ bodyLimit: 1_000_000 });

// Parser of the application. The scope below has another one, which also checks a schema.
await app.register(jsonParser, limits);
app.post("/", (request, reply) => reply.type("application/json").send(JSON.stringify(request.body)));

await app.register(async (scope: FastifyInstance) => {
  await scope.register(jsonParser, { ...limits, schema: orderSchema });
  scope.post<{ Body: Order }>("/orders", (request) => ({ total: totalOf(request.body) }));
});

const address = await app.listen({ host: "127.0.0.1", port: Number(port) });
console.log(`Listening on ${address}/`);
