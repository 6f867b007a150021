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
  return Object.freeze({ __proto__: null, ...options, contentType } as ReadJsonOptions);
}

/** Returns the guards among options but `maxBytes`; `undefined` if there are none. */
function pickGuards(options: ParseOptions): ParseOptions | undefined {
  const guards: Record<string, unknown> = Object.create(null);
  for (const name of GUARD_NAMES) {
    if (name !== "maxBytes" && options[name] !== undefined) guards[name] = options[name];
  }
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
