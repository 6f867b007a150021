/**
 * JSON over HTTP with Bun.serve: answers a JSON document with the same document, and an order with
 * its total.
 *
 *     bun bun_serve.ts [PORT] [MILLISECONDS]
 */
import process from "node:process";
import { readJson, type ReadJsonFailure, UNTRUSTED } from "bytejson";
import { orderSchema, totalOf } from "./order_schema.ts";

const [port = "8000", timeout = "30000"] = process.argv.slice(2);
const limits = { ...UNTRUSTED, maxBytes: 1_000_000, timeout: Number(timeout), contentType: "json" } as const;

async function echo(request: Request): Promise<Response> {
  const result = await readJson(request, limits);
  return result.ok ? Response.json(result.value) : refuse(result);
}

async function addOrder(request: Request): Promise<Response> {
  const order = await readJson(request, { ...limits, schema: orderSchema });
  return order.ok ? Response.json({ total: totalOf(order.value) }) : refuse(order);
}

/** Answers a body that was refused. Each code has its status. */
function refuse(failure: ReadJsonFailure): Response {
  const { code, message, status } = failure;
  const issues = code === "schema" ? failure.issues : undefined;
  return Response.json({ error: message, code, issues }, { status });
}

/** Part of Bun's types in use. */
declare const Bun: {
  serve(options: {
    hostname: string;
    port: number;
    development: boolean;
    routes: Record<string, { POST(request: Request): Promise<Response> }>;
  }): { url: URL };
};

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  development: false, // the error page of development shows sources and paths
  routes: { "/": { POST: echo }, "/orders": { POST: addOrder } },
});
console.log(`Listening on ${server.url}`);
