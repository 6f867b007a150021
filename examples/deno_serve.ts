/**
 * JSON over HTTP with Deno.serve: answers a JSON document with the same document, and an order with
 * its total.
 *
 *     deno run --allow-net deno_serve.ts [PORT] [MILLISECONDS]
 */
import { readJson, type ReadJsonFailure, UNTRUSTED } from "bytejson";
import { orderSchema, totalOf } from "./order_schema.ts";

const [port = "8000", timeout = "30000"] = Deno.args;
const limits = { ...UNTRUSTED, maxBytes: 1_000_000, timeout: Number(timeout), contentType: "json" } as const;

async function handle(request: Request): Promise<Response> {
  if (request.method !== "POST") {
    return new Response("POST a JSON document\n", { status: 405, headers: { allow: "POST" } });
  }
  if (new URL(request.url).pathname === "/orders") {
    const order = await readJson(request, { ...limits, schema: orderSchema });
    return order.ok ? Response.json({ total: totalOf(order.value) }) : refuse(order);
  }
  const result = await readJson(request, limits);
  return result.ok ? Response.json(result.value) : refuse(result);
}

/** Answers a body that was refused. Each code has its status. */
function refuse(failure: ReadJsonFailure): Response {
  const { code, message, status } = failure;
  const issues = code === "schema" ? failure.issues : undefined;
  return Response.json({ error: message, code, issues }, { status });
}

const onListen = ({ port }: Deno.NetAddr): void => console.log(`Listening on http://127.0.0.1:${port}/`);
Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen }, handle);
