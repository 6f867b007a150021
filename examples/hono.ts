/**
 * JSON over HTTP with Hono: answers a JSON document with the same document, and an order that
 * conforms to a schema of Zod with its total.
 *
 *     deno run --allow-net hono.ts [PORT] [MILLISECONDS]
 */
import { Hono } from "hono";
import { z } from "zod";
import { jsonBody } from "bytejson/hono";
import { UNTRUSTED } from "bytejson";

const [port = "8000", timeout = "30000"] = Deno.args;
const limits = { ...UNTRUSTED, maxBytes: 1_000_000, timeout: Number(timeout) };
const orderSchema = z.object({ items: z.array(z.object({ name: z.string(), price: z.number("Expected a number") })) });

const app = new Hono();

app.post("/", jsonBody(limits), async (c) => c.json(await c.req.json()));

app.post("/orders", jsonBody({ ...limits, schema: orderSchema }), async (c) => {
  const order: z.infer<typeof orderSchema> = await c.req.json();
  return c.json({ total: order.items.reduce((total, { price }) => total + price, 0) });
});

const onListen = ({ port }: Deno.NetAddr): void => console.log(`Listening on http://127.0.0.1:${port}/`);
Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen }, app.fetch);
