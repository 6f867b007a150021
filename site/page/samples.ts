/** Documents that the page offers, and queries for them. */

import type { Format } from "../messages.ts";

export interface Queries {
  mask: string;
  pointer: string;
  /** Conditions, one on each line. */
  where: string;
}

export interface Sample extends Queries {
  name: string;
  format: Format;
  text: string;
  /** Number of times that the document repeats the text; it is opened as a file. */
  copies?: number;
}

export const NO_QUERIES: Queries = { mask: "", pointer: "", where: "" };

const ORDER = `{
  "order": 1042,
  "customer": { "name": "Ann", "city": "Oslo" },
  "items": [
    { "sku": "tea-7", "name": "Tea", "price": 3.50, "count": 2 },
    { "sku": "mug-1", "name": "Mug", "price": 9.00, "count": 1 }
  ],
  "paid": true,
  "reference": 9007199254740993
}
`;

const ORDER_QUERIES = { mask: "{order,items:[{sku,count}]}", pointer: "/items/1/name", where: "" };

/** Lines of a log, each of about 125 bytes. One in a thousand is an error. */
function logLines(lines: number): string {
  return Array.from({ length: lines }, (_, i) => {
    const time = `2026-11-27T12:${`${i / 60 % 60 | 0}`.padStart(2, "0")}:${`${i % 60}`.padStart(2, "0")}Z`;
    const isError = i % 1000 === 617;
    const level = isError ? "error" : i % 9 === 0 ? "warn" : "info";
    const http = { method: i % 3 === 0 ? "POST" : "GET", status: isError ? 503 : 200, ms: i * 37 % 250 };
    return `${JSON.stringify({ time, level, path: `/items/${i * 7919 % 10_000}`, http, user: `u${i * 31 % 997}` })}\n`;
  }).join("");
}

/** Samples by the values of their options. */
export const SAMPLES: Record<string, Sample> = {
  log: {
    name: "log.jsonl",
    format: "lines",
    text: `{"time":"12:01","http":{"status":200},"text":"start"}
{"time":"12:02","http":{"status":302},"text":"sign-in"}
{"time":"12:04","http":{"status":504},"text":'slow'}
{"time":"12:07","http":{"status":200},"text":"stop"}
`,
    mask: "{time,http:{status}}",
    pointer: "/http/status",
    where: "/http/status < 400",
  },
  large: {
    name: "server.jsonl",
    format: "lines",
    text: logLines(4000),
    copies: 100,
    mask: "{time,path,http:{status,ms}}",
    pointer: "/http/status",
    where: '/level = "error"\n/http/status >= 500',
  },
  comma: {
    name: "order.json",
    format: "json",
    text: ORDER.replace('"count": 1 }\n', '"count": 1 },\n'),
    ...ORDER_QUERIES,
  },
  order: { name: "order.json", format: "json", text: ORDER, ...ORDER_QUERIES },
};
