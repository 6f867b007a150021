/**
 * Options of the middleware, checked before the first request.
 *
 * @module
 */

import { BODY_OPTION_NAMES, bodyGuardsOf, checkContentType, checkInflate } from "../parser/bodies/body_options.ts";
import { checkTimeout } from "../parser/bodies/interruption.ts";
import { parseBinary, type ParseOptions } from "../parse_binary.ts";
import {
  parseWithSchema,
  type ParseWithSchemaOptions,
  readJson,
  type ReadJsonFailure,
  type ReadJsonOptions,
  type ReadJsonResult,
  type StandardSchemaV1,
} from "../read_json.ts";
import { checkNames, GUARD_NAMES } from "../parser/guarded/options.ts";
import { maskOf } from "../parser/wanted/selector.ts";
import { checkMaxBytes } from "../parser/streaming/byte_source.ts";

const NO_BYTES = new Uint8Array(0);

/** Option for requests that a schema cannot check. */
export interface UncheckedOptions {
  /**
   * `true` passes on requests without a body that the schema can check: with no body, one of
   * another type, or one that was read before. By default they are refused with a status of 400 or
   * 415, except GET, HEAD, OPTIONS, and DELETE without a body. Only with a `schema`.
   */
  passUnchecked?: boolean | undefined;
}

/** Options for bodies that were read: guards, a selector and a schema. */
export interface ValueOptions
  extends Omit<ParseOptions, "maxBytes">, Pick<ReadJsonOptions, "select">, UncheckedOptions {
  /**
   * Schema of any library of [Standard Schema](https://standardschema.dev). The value is what the
   * schema returns.
   */
  schema?: StandardSchemaV1 | undefined;
}

/**
 * Reads the option `passUnchecked`. Returns whether requests that the schema cannot check are
 * refused.
 *
 * @throws {TypeError} If it is no boolean, or there is no schema.
 */
export function refusesUnchecked(
  { schema, passUnchecked = false }: Pick<ValueOptions, "schema" | "passUnchecked">,
): boolean {
  if (typeof passUnchecked !== "boolean") {
    throw new TypeError(`Cannot use passUnchecked: ${String(passUnchecked)}: expected a boolean`);
  }
  if (passUnchecked && schema === undefined) throw new TypeError("Cannot use passUnchecked: it needs a schema");
  return schema !== undefined && !passUnchecked;
}

/** Returns whether requests of a method pass without a check, as their bodies have no meaning. */
export function isBodiless(method: string | undefined): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

/** Makes the failure of a body that was read before the middleware could read it. */
export function bodyReadBefore(): ReadJsonFailure {
  return {
    ok: false,
    code: "source-failed",
    message: "Body was read before the schema could check it",
    status: 400,
  };
}

/**
 * Checks options of `readJson`, and sets `contentType` to `"json"` by default.
 *
 * @throws {TypeError} If one is unknown or has a wrong value.
 */
export function checkReadOptions(options: ReadJsonOptions, caller: string): ReadJsonOptions {
  bodyGuardsOf(options, BODY_OPTION_NAMES, caller);
  const { maxBytes, contentType = "json", inflate = false } = options;
  if (maxBytes !== undefined) checkMaxBytes(maxBytes);
  checkContentType(contentType);
  checkInflate(inflate);
  checkTimeout(options.timeout);
  checkValueOptions(options);
  const number = synchronousNumber(options);
  return Object.freeze({ __proto__: null, ...options, contentType, number } as ReadJsonOptions);
}

/**
 * Returns what a callback has thrown, as an error. Frameworks take `undefined` for no error, and
 * Express also some strings.
 */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === "object" ? "Thrown by a callback" : String(thrown), { cause: thrown });
}

function ignore(): void {}

/**
 * Returns the result of a callback.
 *
 * @throws {TypeError} If it is a promise: a rejection that nobody awaits would end the process.
 */
export function refusePromise(value: unknown, callback: string): unknown {
  if (!(value instanceof Promise)) return value;
  value.catch(ignore);
  throw Object.assign(new TypeError(`Cannot use the result of ${callback}: it is a promise`), { status: 500 });
}

/** Returns `number` among options as a function that refuses promises. */
function synchronousNumber({ number }: ParseOptions): ParseOptions["number"] {
  return number && ((text, offset) => refusePromise(number(text, offset), "number"));
}

/** Returns the guards among options but `maxBytes`; `undefined` if there are none. */
function pickGuards(options: ParseOptions): ParseOptions | undefined {
  const guards: Record<string, unknown> = Object.create(null);
  for (const name of GUARD_NAMES) {
    if (name !== "maxBytes" && options[name] !== undefined) guards[name] = options[name];
  }
  if (options.number !== undefined) guards.number = synchronousNumber(options);
  return Object.keys(guards).length === 0 ? undefined : Object.freeze(guards);
}

/**
 * Makes a function that parses bodies. Ignores options of other names.
 *
 * @throws {TypeError} If a guard, the selector or the schema is wrong, or a guard is misspelt.
 */
export function valueParserOf(
  options: ValueOptions,
  caller: string,
): (bytes: Uint8Array) => ReadJsonResult | Promise<ReadJsonResult> {
  checkNames(options, caller, true);
  checkValueOptions(options);
  const guards = pickGuards(options);
  const { schema, select } = options;
  if (schema !== undefined || select !== undefined) {
    const all = Object.freeze({ __proto__: null, ...guards, schema, select, maxBytes: Infinity } as ReadJsonOptions);
    return (bytes) => readJson(bytes, all as ReadJsonOptions & { schema: undefined });
  }
  return (bytes) => {
    const result = parseBinary(bytes, guards);
    return result.ok ? result : Object.assign(result, { status: 400 } as const);
  };
}

/** Checks guards, selector and schema by a parse of nothing. */
function checkValueOptions(options: ValueOptions): void {
  const guards = pickGuards(options);
  const { schema, select } = options;
  const all = { __proto__: null, ...guards, select } as ParseWithSchemaOptions;
  if (schema !== undefined) parseWithSchema(NO_BYTES, schema, all);
  else if (select !== undefined) maskOf(select);
  parseBinary(NO_BYTES, guards);
}
