/**
 * JSON over HTTP with Express: answers a JSON document with the same document, and an order with
 * its total.
 *
 *     deno run --allow-net --allow-env --allow-read --allow-sys express.ts [PORT] [MILLISECONDS]
 *     node express.ts [PORT] [MILLISECONDS]
 */
// @ts-types="@types/express"
import express, { type NextFunction, type Request, type Response } from "express";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { json, type JsonError } from "bytejson/express";
import { UNTRUSTED } from "bytejson";
import { type Order, orderSchema, totalOf } from "./order_schema.ts";

const [port = "8000", timeout = "30000"] = process.argv.slice(2);
const limits = { ...UNTRUSTED, limit: 1_000_000, timeout: Number(timeout) };

const app = express();

app.post("/", json({ ...limits, strict: false }), (request, response) => {
  response.json(request.body);
});

app.post("/orders", json({ ...limits, schema: orderSchema }), (request, response) => {
  response.json({ total: totalOf(request.body as Order) });
});

// Express recognises an error handler by its four parameters.
app.use((error: JsonError, _request: Request, response: Response, _next: NextFunction) => {
  const { status = 500, type, message, issues } = error;
  response.status(status).json({ error: status < 500 ? message : "Internal error", type, issues });
});

const server = app.listen(Number(port), "127.0.0.1", (error) => {
  if (error) throw error; // the port is in use
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
