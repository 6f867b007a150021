/** Options of the middleware for Express, and their checks. */

import { checkFlag } from "../parser/bodies/body_options.ts";
import { checkTimeout } from "../parser/bodies/interruption.ts";
import { type ChunkOptions, detachesChunks } from "../parser/streaming/byte_source.ts";
import { mediaTypeOf, mediaTypeTest } from "./content_type.ts";
import type { BodyBytes, NodeReadable } from "./node_body.ts";
import { refusesUnchecked, type ValueOptions, type ValueParser, valueParserOf } from "./options.ts";
import type { Reviver } from "./revive.ts";

/** Members of an Express, Connect or `node:http` request that are used. */
export interface JsonRequest extends NodeReadable {
  /** Method, in upper case. */
  readonly method?: string;
  /** Headers, with names in lower case. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** Whether the whole message has arrived. */
  readonly complete?: boolean;
  /** Whether there is anything left to read. */
  readonly readable?: boolean;
  /** Receives the value. */
  body?: unknown;
}

/** Members of an Express, Connect or `node:http` response that are used. */
export interface JsonResponse {
  /** Whether the headers have been sent. */
  readonly headersSent: boolean;
  /** Sets a header. */
  setHeader(name: string, value: string): unknown;
  /** Adds a listener to be called once. */
  once?(event: string, listener: () => void): unknown;
}

/**
 * Options of {@linkcode json}: those of `express.json()`, a schema, and the guards of
 * `parseBinary`. Unknown options are ignored.
 */
export interface JsonOptions<Request extends JsonRequest = JsonRequest, Response extends JsonResponse = JsonResponse>
  extends ValueOptions, ChunkOptions {
  /**
   * Maximum bytes of a body, after decompression: a number, or a string such as `"1mb"`. `"100kb"`
   * is the default, where `kb` is 1,024 bytes.
   */
  limit?: number | string | null | undefined;
  /** Maximum bytes of a body if there is no `limit`. `UNTRUSTED` has this option. */
  maxBytes?: number | undefined;
  /** Whether to accept compressed bodies. `true` by default. */
  inflate?: boolean | undefined;
  /** Whether to accept arrays and objects only. `true` by default. */
  strict?: boolean | undefined;
  /**
   * Bodies to parse: media types, such as `"application/json"` (the default), `"+json"` or
   * `"json"`, or a function that decides for each request. Other requests are passed on or, with a
   * schema, refused.
   */
  type?: string | readonly string[] | ((request: Request) => unknown) | undefined;
  /**
   * Called with each name and value, as by `JSON.parse`, after the guards. A reviver that
   * declares a third parameter gets the source of primitive values there; the body is then read a
   * second time.
   */
  reviver?: Reviver | null | undefined;
  /**
   * Called with the bytes of each body before it is parsed. To refuse the body, throw an
   * exception or return a promise that rejects. The bytes may be kept.
   */
  verify?:
    | ((request: Request, response: Response, bytes: BodyBytes, charset: string) => void)
    | false
    | null
    | undefined;
  /**
   * `true` sets `request.rawBody` to the bytes of the body, after decompression, for example to
   * check signatures. They are yours to keep or change. `false` by default.
   */
  keepBytes?: boolean | undefined;
  /** Charset of bodies that do not specify one. `"utf-8"` by default. */
  defaultCharset?: string | undefined;
  /** Maximum number of milliseconds for a body to arrive; unlimited by default. */
  timeout?: number | undefined;
}

export interface JsonSettings {
  limit: number;
  inflate: boolean;
  strict: boolean;
  isWanted: (request: JsonRequest) => unknown;
  reviver: Reviver | undefined;
  verify: ((request: JsonRequest, response: JsonResponse, bytes: BodyBytes, charset: string) => void) | undefined;
  defaultCharset: string;
  /** Whether the limit was given as an option. */
  isLimited: boolean;
  /** Whether requests that the schema cannot check are refused. */
  isStrict: boolean;
  timeout: number | undefined;
  keepBytes: boolean;
  detachChunks: boolean;
  parser: ValueParser;
}

/** Default limit in bytes, as in body-parser. */
const DEFAULT_LIMIT = 100 * 1024;

const UNITS = new Map([["kb", 2 ** 10], ["mb", 2 ** 20], ["gb", 2 ** 30], ["tb", 2 ** 40], ["pb", 2 ** 50]]);

/** Reads options once, so that the caller may change them afterwards. */
export function settingsOf(options: JsonOptions): JsonSettings {
  const { type = "application/json", verify, defaultCharset, reviver, keepBytes = false } = options;
  checkFlag("keepBytes", keepBytes);
  if (verify && typeof verify !== "function") throw new TypeError("option verify must be function");
  checkTimeout(options.timeout);
  if (typeof reviver === "function" && (options.select !== undefined || options.schema !== undefined)) {
    throw new TypeError("Cannot use reviver with select or schema"); // it is not clear what a reviver would get
  }
  return {
    limit: limitOf(options.limit ?? options.maxBytes),
    inflate: options.inflate !== false,
    strict: options.strict !== false,
    isWanted: typeof type === "function" ? type : typeChecker(type || "application/json"),
    reviver: typeof reviver === "function" ? reviver : undefined,
    verify: verify || undefined,
    defaultCharset: defaultCharset || "utf-8",
    isLimited: (options.limit ?? options.maxBytes ?? null) !== null,
    isStrict: refusesUnchecked(options),
    timeout: options.timeout,
    keepBytes,
    detachChunks: detachesChunks(options),
    parser: valueParserOf(options, "json"),
  };
}

/** Returns the bytes of a limit such as `"1.5mb"`. */
function limitOf(limit: unknown): number {
  if (limit === undefined || limit === null) return DEFAULT_LIMIT;
  if (typeof limit === "number" && !Number.isNaN(limit)) return limit;
  if (typeof limit === "string") {
    const [, amount, unit] = /^([-+]?\d+(?:\.\d+)?) *([kmgtp]b)$/i.exec(limit) ?? [];
    if (unit !== undefined) return Math.floor(Number(amount) * UNITS.get(unit.toLowerCase())!);
    const bytes = Number.parseInt(limit, 10);
    if (!Number.isNaN(bytes)) return bytes;
  }
  throw new TypeError(`option limit "${String(limit)}" is invalid`);
}

function typeChecker(type: string | readonly string[]): (request: JsonRequest) => boolean {
  const isType = mediaTypeTest(typeof type === "string" ? [type] : type);
  return (request) => isType(mediaTypeOf(headerOf(request, "content-type")));
}

export function headerOf(request: JsonRequest, name: string): string | undefined {
  return request.headers[name] as string | undefined;
}
