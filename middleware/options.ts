/**
 * Options of the middleware, checked before the first request.
 *
 * @module
 */

import { parseBinary, type ParseOptions } from "../parse_binary.ts";
import {
  parseWithSchema,
  type ParseWithSchemaOptions,
  readJson,
  type ReadJsonOptions,
  type ReadJsonResult,
  type StandardSchemaV1,
} from "../read_json.ts";
import {
  BODY_OPTION_NAMES,
  bodyGuardsOf,
  checkContentType,
  checkNames,
  checkTimeout,
  GUARD_NAMES,
} from "../parser/guards/options.ts";
import { maskOf } from "../parser/selecting/selector.ts";
import { checkMaxBytes } from "../parser/streaming/byte_source.ts";

const NO_BYTES = new Uint8Array(0);

/** Options for bodies that were read: guards, a selector and a schema. */
export interface ValueOptions extends Omit<ParseOptions, "maxBytes">, Pick<ReadJsonOptions, "select"> {
  /**
   * Schema of any library of [Standard Schema](https://standardschema.dev). The value is what the
   * schema returns.
   */
  schema?: StandardSchemaV1 | undefined;
}

/**
 * Checks options of `readJson`, and sets `contentType` to `"json"` by default.
 *
 * @throws {TypeError} If one is unknown or has a wrong value.
 */
export function checkReadOptions(options: ReadJsonOptions, caller: string): ReadJsonOptions {
  bodyGuardsOf(options, BODY_OPTION_NAMES, caller);
  const { maxBytes, contentType = "json" } = options;
  if (maxBytes !== undefined) checkMaxBytes(maxBytes);
  checkContentType(contentType);
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
 * Returns what a callback has returned in place of a value. Throws if it is a promise: its rejection,
 * which nobody awaits, would end the process.
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
