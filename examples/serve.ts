/**
 * JSON over HTTP with Deno.serve or Bun.serve: answers a JSON document with the same document, and
 * an order with its total.
 *
 *     deno run --allow-net serve.ts [PORT] [MILLISECONDS]
 *     bun serve.ts [PORT] [MILLISECONDS]
 */
import process from "node:process";
import { readJson, type ReadJsonFailure, UNTRUSTED } from "bytejson";
import { orderSchema, totalOf } from "./order_schema.ts";

const [port = "8000", timeout = "30000"] = process.argv.slice(2);
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

/** Part of Bun's types that is used. */
declare const Bun: {
  serve(options: { hostname: string; port: number; development: boolean; fetch: typeof handle }): { url: URL };
};

const address = { hostname: "127.0.0.1", port: Number(port) };
if ("Deno" in globalThis) {
  const onListen = ({ port }: Deno.NetAddr): void => console.log(`Listening on http://127.0.0.1:${port}/`);
  Deno.serve({ ...address, onListen }, handle);
} else {
  // The error page of development shows sources and paths.
  const { url } = Bun.serve({ ...address, development: false, fetch: handle });
  console.log(`Listening on ${url}`);
}
