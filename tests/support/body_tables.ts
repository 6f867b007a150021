/**
 * Requests to the middleware of all frameworks, and the tables of `docs/servers-measured.md` with
 * what handlers get, or the responses.
 */

import { concat, utf8 } from "./bytes.ts";
import type { Framework } from "./callbacks.ts";
import { price, schemaOf } from "./price_schema.ts";
import type { StandardSchemaV1 } from "../../read_json.ts";
import { exchange, type RawRequest, type RawResponse } from "./raw_http.ts";
import type { Ports } from "./frameworks.ts";

/** Header in which handlers return the body that they got. */
export const BODY_HEADER = "x-body";

/** Options of the middleware by path, and whether something else reads the body first. */
interface BodyRoute {
  isRead: boolean;
  maxBytes: number;
  inflate: boolean;
  schema?: StandardSchemaV1;
  empty?: "undefined";
}

const LIMITS = { maxBytes: 1000, inflate: true };
/** Schema that also accepts a missing body. */
const orNone = schemaOf((value) => value === undefined ? { value: "none" } : price["~standard"].validate(value));

export const BODY_ROUTES: Record<string, BodyRoute> = {
  "/bodies/empty": { ...LIMITS, empty: "undefined", isRead: false },
  "/bodies/empty-none": { ...LIMITS, empty: "undefined", schema: orNone, isRead: false },
  "/bodies/empty-schema": { ...LIMITS, empty: "undefined", schema: price, isRead: false },
  "/bodies/plain": { ...LIMITS, isRead: false },
  "/bodies/plain-read": { ...LIMITS, isRead: true },
  "/bodies/large": { ...LIMITS, maxBytes: 200_000, isRead: false },
  "/bodies/schema": { ...LIMITS, schema: price, isRead: false },
  "/bodies/schema-read": { ...LIMITS, schema: price, isRead: true },
};

/** Writes a body in the header. */
export function shownBody(body: unknown): string {
  return encodeURIComponent(JSON.stringify(body) ?? "undefined");
}

/** Returns the body that a handler got, or the status of another response. */
export function bodyIn({ status, headers }: RawResponse): unknown {
  const shown = decodeURIComponent(headers.get(BODY_HEADER) ?? `${status}`);
  return shown === "undefined" ? undefined : JSON.parse(shown);
}

const JSON_BODY = '{"items":[]}';
const typed = (type: string | null): Record<string, string | null> => ({ "content-type": type });
const NO_TYPE = typed(null);
const FORM = typed("application/x-www-form-urlencoded");
const GZIP = { "content-encoding": "gzip" };

async function gzipped(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Request in a row of the tables. */
interface BodyRequest extends RawRequest {
  name: string;
  isRead?: boolean;
}

const ZIPPED = await gzipped(JSON_BODY);

/** Requests of a table. Each is sent to a route without schema, and to one with a schema. */
export const REQUESTS: readonly BodyRequest[] = [
  { name: "JSON", body: JSON_BODY },
  { name: "in chunks", body: [JSON_BODY] },
  { name: "after a byte-order mark", body: `\ufeff${JSON_BODY}` },
  { name: "by `DELETE`", method: "DELETE", body: JSON_BODY },
  { name: "by `gzip`", headers: GZIP, body: ZIPPED },
  { name: "by `x-gzip`", headers: { "content-encoding": "X-GZIP" }, body: ZIPPED },
  { name: "by an empty encoding", headers: { "content-encoding": "" }, body: JSON_BODY },
  { name: "`application/problem+json`", headers: typed("application/problem+json"), body: JSON_BODY },
  { name: "a number", body: "7" },
  { name: "JSON of another shape", body: '{"items":7}' },
  { name: "a name `__proto__`", body: '{"items":[],"__proto__":7}' },
  { name: "bad JSON", body: '{"items":[}' },
  { name: "white space", body: " \n" },
  { name: "malformed UTF-8", body: concat([utf8('{"items":["'), Uint8Array.of(0xff), utf8('"]}')]) },
  { name: "a byte-order mark alone", body: "\ufeff" },
  { name: "a length of 0", headers: { "content-length": "0" } },
  { name: "no body" },
  { name: "more than the limit", body: JSON_BODY.padEnd(1001) },
  { name: "`gzip` of more than the limit", headers: GZIP, body: await gzipped(JSON_BODY.padEnd(1e6)) },
  { name: "corrupt `gzip`", headers: GZIP, body: concat([ZIPPED.subarray(0, 12), ZIPPED.subarray(13)]) },
  { name: "an unknown encoding", headers: { "content-encoding": "compress" }, body: ZIPPED },
  { name: "an unknown charset", headers: typed("application/json; charset=latin1"), body: JSON_BODY },
  { name: "a text", headers: typed("text/plain"), body: "x" },
  { name: "a form", headers: FORM, body: "a=1" },
  { name: "JSON of no type", headers: NO_TYPE, body: JSON_BODY },
  { name: "no body and no type", headers: NO_TYPE },
  { name: "no body by `GET`", method: "GET", headers: NO_TYPE },
  { name: "no body by `DELETE`", method: "DELETE", headers: NO_TYPE },
  { name: "no body of JSON by `DELETE`", method: "DELETE" },
  { name: "by `OPTIONS`", method: "OPTIONS" },
  { name: "a length of 0 by `DELETE`", method: "DELETE", headers: { "content-length": "0" } },
  { name: "no bytes in chunks by `DELETE`", method: "DELETE", body: [] },
  { name: "JSON that was read before", isRead: true, body: JSON_BODY },
  { name: "a form that was read before", isRead: true, headers: FORM, body: "a=1" },
];

/** Frameworks in the order of the columns, and their names. */
const COLUMNS = { hono: "Hono", express: "Express", fastify: "Fastify", http: "node:http" } as const;

/** Answers to a request: a cell for each framework. */
interface Answers {
  name: string;
  plain: string[];
  schema: string[];
}

/** Returns what a table shows of a response: the body of the handler, or status and code. */
function cellOf({ status, headers, text }: RawResponse): string {
  const body = headers.get(BODY_HEADER);
  if (body !== null) return `\`${decodeURIComponent(body)}\``;
  const { type, code = type } = text.startsWith("{") ? JSON.parse(text) : {};
  return code === undefined ? `${status}` : `${status} \`${code}\``;
}

/** Sends all requests to the servers, those for Hono to paths with a prefix. */
export async function answersOf(ports: Ports, prefix = ""): Promise<Answers[]> {
  const cells = ({ name: _, isRead, ...request }: BodyRequest, kind: string): Promise<string[]> => {
    const path = `/bodies/${kind}${isRead ? "-read" : ""}`;
    return Promise.all((Object.keys(COLUMNS) as Framework[]).map(async (name) => {
      return cellOf(await exchange(ports[name], { ...request, path: name === "hono" ? prefix + path : path }));
    }));
  };
  const answers: Answers[] = [];
  for (const request of REQUESTS) {
    answers.push({ name: request.name, plain: await cells(request, "plain"), schema: await cells(request, "schema") });
  }
  return answers;
}

/** Renders answers in Markdown, equal ones in one row. */
export function tableOf(answers: readonly Answers[]): string {
  const rows = new Map<string, string[]>();
  const add = (name: string, schema: string, cells: string[]): void => {
    const key = [schema, ...cells].join(" | ");
    rows.set(key, [...rows.get(key) ?? [], name]);
  };
  for (const { name, plain, schema } of answers) {
    const isSame = `${plain}` === `${schema}`;
    add(name, isSame ? "with or without" : "without", plain);
    if (!isSame) add(name, "with", schema);
  }
  const lines = [...rows].map(([key, names]) => `| ${names.join(", ")} | ${key} |`);
  return [`| request | schema | ${Object.values(COLUMNS).join(" | ")} |`, `|${" --- |".repeat(6)}`, ...lines].join(
    "\n",
  );
}

const MARKS = /(?<=<!-- answers: [^]*? -->\n\n)[^]*?(?=\n\n<!-- \/answers -->)/;

/** Returns the table in a page, without the spaces that align it. */
export function shownTable(page: string): string {
  const [table] = MARKS.exec(page) ?? [""];
  return table.replaceAll(/ *\| */g, " | ").replaceAll(/^ | $/gm, "").replaceAll(/-{3,}/g, "---");
}

/** Returns the page with another table. */
export function withTable(page: string, table: string): string {
  return page.replace(MARKS, () => table);
}
