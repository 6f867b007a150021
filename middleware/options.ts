/** Options of the middleware, checked before the first request. */

import type { ParseOptions } from "../parse_binary.ts";
import { checkFlag, settingsOf, type ValueSettings } from "../parser/bodies/body_options.ts";
import { type KeptBody, parseBody, parseKept } from "../parser/bodies/parse_body.ts";
import { checkOptions, GUARD_NAMES } from "../parser/base/option_names.ts";
import type { ReadJsonFailure, ReadJsonOptions, ReadJsonResult, StandardSchemaV1 } from "../read_json.ts";

/** Option for requests that a schema cannot check. */
export interface UncheckedOptions {
  /**
   * `true` passes on requests whose body the schema cannot check: it is missing, has another type,
   * or was read before. By default they are refused with a status of 400 or 415, except GET, HEAD,
   * OPTIONS, and DELETE without a body. Only with a `schema`.
   */
  passUnchecked?: boolean | undefined;
}

/** Options for bodies that were read: guards, a selector and a schema. */
export interface ValueOptions
  extends Omit<ParseOptions, "maxBytes">, Pick<ReadJsonOptions, "select" | "empty">, UncheckedOptions {
  /**
   * Schema of any library that implements [Standard Schema](https://standardschema.dev). The value
   * is what the schema returns.
   */
  schema?: StandardSchemaV1 | undefined;
}

/**
 * Reads the option `passUnchecked`. Returns whether requests that the schema cannot check
 * are refused.
 *
 * @throws {TypeError} If it is not a boolean, or there is no schema.
 */
export function refusesUnchecked(
  { schema, passUnchecked = false }: Pick<ValueOptions, "schema" | "passUnchecked">,
): boolean {
  checkFlag("passUnchecked", passUnchecked);
  if (passUnchecked && schema === undefined) throw new TypeError("Cannot use passUnchecked: it needs a schema");
  return schema !== undefined && !passUnchecked;
}

/** Returns whether requests of a method pass without a check, as their bodies have no meaning. */
function isBodiless(method: string | undefined): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

/** Returns whether requests of a method pass without a check if they have no body. */
export function mayLackBody(method: string | undefined): boolean {
  return isBodiless(method) || method === "DELETE";
}

/** Returns whether an unchecked request has a body, or lacks one; `null` if it may pass. */
export function uncheckedBody(
  method: string | undefined,
  headers: { readonly [name: string]: string | string[] | undefined },
): "other" | "none" | null {
  if (isBodiless(method)) return null;
  const { "content-length": length = "0", "transfer-encoding": transferEncoding } = headers;
  if (length !== "0" || transferEncoding !== undefined) return "other";
  return mayLackBody(method) ? null : "none";
}

/** Makes the failure of a body that was read before the middleware could read it. */
export function bodyReadBefore(): ReadJsonFailure {
  return { ok: false, code: "source-failed", message: "Body was read before the schema could check it", status: 400 };
}

/**
 * Checks options of `readJson`, and sets `contentType` to `"json"` by default.
 *
 * @throws {TypeError} If one is unknown or has a wrong value.
 */
export function checkReadOptions(options: ReadJsonOptions, caller: string): ReadJsonOptions {
  const number = synchronousNumber(options);
  const { contentType = "json" } = options;
  const checked = Object.freeze({ __proto__: null, ...options, contentType, number } as ReadJsonOptions);
  settingsOf(checked, caller);
  return checked;
}

/**
 * Converts a value that a callback has thrown to an error. Frameworks treat `undefined` as no
 * error, and Express also some strings.
 */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === "object" ? "Thrown by a callback" : String(thrown), { cause: thrown });
}

/**
 * Returns the result of a callback.
 *
 * @throws {TypeError} If it is a promise: a rejection that nobody awaits would end the process.
 */
export function refusePromise(value: unknown, callback: string): unknown {
  if (!(value instanceof Promise)) return value;
  value.catch(() => {});
  throw Object.assign(new TypeError(`Cannot use the result of ${callback}: it is a promise`), { status: 500 });
}

/** Wraps the option `number` in a function that refuses promises. */
function synchronousNumber({ number }: ParseOptions): ParseOptions["number"] {
  return number && ((text, offset) => refusePromise(number(text, offset), "number"));
}

/** Parser of bodies that were read, and its settings. */
export interface ValueParser {
  /** Parses a body, or reuses the value that was kept from parsing it before. */
  parse(bytes: Uint8Array, kept?: KeptBody): ReadJsonResult | Promise<ReadJsonResult>;
  readonly settings: ValueSettings;
}

/**
 * Makes a parser of bodies. Ignores unknown options.
 *
 * @throws {TypeError} If a guard, the selector or the schema is wrong, or a guard is misspelt.
 */
export function valueParserOf(options: ValueOptions, caller: string): ValueParser {
  checkOptions(options, GUARD_NAMES, caller, true);
  const { schema, select, empty } = options;
  const known: Record<string, unknown> = { __proto__: null, schema, select, empty };
  for (const name of GUARD_NAMES) known[name] = options[name as keyof ValueOptions];
  known.number = synchronousNumber(options);
  known.maxBytes = Infinity; // checked while the body arrives
  const settings = settingsOf(known, caller);
  const parse: ValueParser["parse"] = (bytes, kept) =>
    kept === undefined ? parseBody(bytes, settings) : parseKept(bytes, settings, kept);
  return { parse, settings };
}
