/** Options of bodies, and their checks. */

import { notSchema, wrongOption } from "../engine/argument_error.ts";
import { type Guards, type ParseOptions, pieceGuards } from "../options/options.ts";
import { CHUNK_NAMES, GUARD_NAMES } from "../base/option_names.ts";
import { NO_OPTIONS } from "../engine/input.ts";
import { type CompiledMask, maskOf, type Selector } from "../selection/selector.ts";
import { checkMaxBytes, type ChunkOptions, detachesChunks } from "../streaming/byte_source.ts";
import { type BodyLimits, checkTimeout } from "./interruption.ts";
import type { StandardSchemaV1 } from "./standard_schema.ts";

const BODY_NAMES = /* @__PURE__ */ GUARD_NAMES.concat(
  CHUNK_NAMES,
  ["signal", "timeout", "contentType", "inflate", "select", "schema", "empty", "keepBytes"],
);

const DEFAULT_MAX_BYTES = 2 ** 20;

/** Options of {@linkcode parseWithSchema}. */
export interface ParseWithSchemaOptions extends ParseOptions {
  /** Selector of the wanted part of the value, which the schema then checks. */
  select?: Selector | undefined;
}

/** Options of {@linkcode readJson}, among them those of `parseBinary`. */
export interface ReadJsonOptions<T = unknown> extends ParseOptions, ChunkOptions {
  /** Maximum bytes of the body, 1,048,576 by default. Others are the failure `"too-large"`. */
  maxBytes?: number | undefined;
  /**
   * Milliseconds within which the whole body must arrive; unlimited by default. Otherwise there is
   * the failure `"timed-out"`.
   */
  timeout?: number | undefined;
  /**
   * Signal that aborts reading, which is the failure `"aborted"`. That of `AbortSignal.timeout` is
   * the failure `"timed-out"`.
   */
  signal?: AbortSignal | undefined;
  /**
   * `"json"` makes a `Content-Type` that is neither `application/json` nor ends in `+json`, and a
   * charset other than UTF-8, the failure `"unsupported-media-type"`. Sources without headers have
   * none to check. `"any"` is the default.
   */
  contentType?: "json" | "any" | undefined;
  /**
   * `true` decompresses bodies by their `Content-Encoding`: `gzip` and `deflate`, and in some
   * runtimes `br` and `zstd`. `maxBytes` limits them before and after. By default, they are the
   * failure `"unsupported-media-type"`. `fetch` has decompressed the body of a `Response`.
   */
  inflate?: boolean | undefined;
  /** Selector of the wanted part of the value, as for `parseStream`; everything by default. */
  select?: Selector<T> | undefined;
  /**
   * Schema of any library that implements [Standard Schema](https://standardschema.dev). The value
   * is what the schema returns. A value that does not conform is the failure `"schema"`.
   */
  schema?: StandardSchemaV1 | undefined;
  /**
   * `"undefined"` makes `undefined` the value of an empty body, even without a `Content-Type`. A
   * schema checks that value. By default, `"reject"`, such a body is not a JSON text.
   */
  empty?: "reject" | "undefined" | undefined;
  /**
   * `true` returns the bytes of the body as well as the value, for example to check signatures:
   * after decompression, and yours to keep, change or detach. `false` by default.
   */
  keepBytes?: boolean | undefined;
}

/** Options of values, checked. */
export interface ValueSettings {
  readonly guards: Guards | null;
  /** Mask of the value; `null` for all of it. */
  readonly mask: CompiledMask | null;
  readonly schema: StandardSchemaV1 | undefined;
  /** Whether a body of no bytes is the value `undefined`. */
  readonly allowsEmpty: boolean;
}

/** Options of {@linkcode ReadJsonOptions}, checked. */
export interface BodySettings extends ValueSettings, BodyLimits {
  readonly checksType: boolean;
  readonly inflate: boolean;
  readonly detachChunks: boolean;
  readonly keepBytes: boolean;
}

const DEFAULTS: BodySettings = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ readSettings(NO_OPTIONS, "readJson"));

/** Checked options by objects of options that are frozen. */
const checked = /* @__PURE__ */ new WeakMap<object, BodySettings>();

/**
 * Checks options, and a frozen object of options only once.
 *
 * @throws {TypeError} If one is unknown or has a wrong value.
 */
export function settingsOf(options: ReadJsonOptions | undefined, caller = "readJson"): BodySettings {
  if (options === undefined) return DEFAULTS;
  const known = checked.get(options); // before `isFrozen`, which is slower
  if (known !== undefined) return known;
  const settings = readSettings(options, caller);
  if (Object.isFrozen(options)) checked.set(options, settings);
  return settings;
}

function readSettings(options: ReadJsonOptions, caller: string): BodySettings {
  const { guards, mask } = valueSettingsOf(options, BODY_NAMES, caller);
  const { maxBytes = DEFAULT_MAX_BYTES, timeout = Infinity, signal, contentType = "any", inflate = false } = options;
  const { empty = "reject", keepBytes = false } = options;
  checkMaxBytes(maxBytes);
  checkTimeout(timeout);
  checkFlag("inflate", inflate);
  checkFlag("keepBytes", keepBytes);
  if (empty !== "reject" && empty !== "undefined") throw wrongOption("empty", empty, '"reject" or "undefined"');
  if (contentType !== "json" && contentType !== "any") throw wrongOption("contentType", contentType, '"any" or "json"');
  if (signal !== undefined && typeof signal.addEventListener !== "function") {
    throw wrongOption("signal", signal, "an AbortSignal");
  }
  if (options.schema !== undefined) checkSchema(options.schema);
  const checksType = contentType === "json";
  const detachChunks = detachesChunks(options);
  return {
    guards,
    mask,
    schema: options.schema,
    allowsEmpty: empty === "undefined",
    maxBytes,
    timeout,
    signal,
    checksType,
    inflate,
    detachChunks,
    keepBytes,
  };
}

/**
 * Reads the options of values, among options of these names.
 *
 * @throws {TypeError} If an option is unknown or has a wrong value.
 */
export function valueSettingsOf(
  options: ParseWithSchemaOptions,
  names: readonly string[],
  caller: string,
): ValueSettings {
  const guards = pieceGuards(options, names, caller, true);
  const { select } = options;
  return { guards, mask: select === undefined ? null : maskOf(select), schema: undefined, allowsEmpty: false };
}

export function checkSchema(schema: unknown): void {
  if ((typeof schema === "object" || typeof schema === "function") && schema !== null) {
    const properties = (schema as StandardSchemaV1)["~standard"];
    if (typeof properties === "object" && properties !== null && typeof properties.validate === "function") return;
  }
  throw notSchema();
}

/**
 * Checks an option that is `true` or `false`.
 *
 * @throws {TypeError} If it is not a boolean.
 */
export function checkFlag(name: string, value: unknown): void {
  if (typeof value !== "boolean") throw wrongOption(name, value, "a boolean");
}
