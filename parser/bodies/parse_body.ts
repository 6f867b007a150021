/**
 * Parses bodies, and checks their values by schemas.
 *
 * @module
 */

import type { ParseFailure } from "../base/failure.ts";
import type { ParseResult, ParseSuccess } from "../base/parse_result.ts";
import { parseDocument } from "../document/parse_document.ts";
import { parseGuarded } from "../document/parse_guarded.ts";
import { bytesOf, isShared, lengthOf, plainView } from "../engine/input.ts";
import { isLargeInput, selectLargeInput } from "../selecting/select_large.ts";
import { selectDocument, selectGuarded } from "../selecting/select_document.ts";
import type { InvalidBody, SchemaFailure } from "./body_failure.ts";
import type { BodySettings, ValueSettings } from "./body_options.ts";
import { schemaFailure } from "./located_issues.ts";
import type { SchemaResult, StandardSchemaV1 } from "./standard_schema.ts";

const { apply } = Reflect;
const { parse } = JSON;
const { includes } = String.prototype;

/** Decoder of UTF-8, and its method; `null` in engines without it. */
const decoding = /* @__PURE__ */ findDecoder();

function findDecoder(): readonly [decoder: TextDecoder, decode: TextDecoder["decode"]] | null {
  try {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const { decode } = decoder;
    const sample: string = apply(decode, decoder, [new Uint8Array([0xef, 0xbb, 0xbf, 0xe3, 0x81, 0xa1, 0xff])]);
    return sample === "\ufeff\u3061\ufffd" ? [decoder, decode] : null;
  } catch {
    // not covered: Deno has TextDecoder
    return null;
  }
}

/**
 * Bytes of the smallest and of the largest small body. 1 B takes `parseBinary` 45 to 80 ns, and the
 * engine 80 to 190. 1 KB takes 7 µs against 5 in V8, and 12 against 3.3 in JavaScriptCore. From 4 KB
 * on, both are even in V8.
 */
const MIN_SMALL = 17;
const MAX_SMALL = 4096;

/** Arguments of `includes`: the character that the decoder writes for bytes that are not UTF-8. */
const REPLACEMENT = ["\ufffd"];

/**
 * Arguments of `includes`: an escape. V8 13.6 to 15.0 can give a name with an escape that of an
 * earlier document (docs/runtimes.md, "Wrong keys of JSON.parse"), so none is left to the engine.
 */
const BACKSLASH = ["\\"];

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/** Parses a body, and checks its value by a schema if there is one. */
export function parseBody(
  bytes: Uint8Array,
  settings: BodySettings,
): ParseSuccess | InvalidBody | Promise<ParseSuccess | InvalidBody | SchemaFailure> {
  if (settings.schema !== undefined) return parseAndCheck(privateBytes(bytes), settings, settings.schema);
  const result = parseValue(bytes, settings);
  return result.ok ? result : invalid(result);
}

async function parseAndCheck(
  bytes: Uint8Array,
  settings: ValueSettings,
  schema: StandardSchemaV1,
): Promise<ParseSuccess | InvalidBody | SchemaFailure> {
  const parsed = parseValue(bytes, settings);
  if (!parsed.ok) return invalid(parsed);
  return checkedResult(bytes, await schema["~standard"].validate(parsed.value), settings);
}

/** Returns bytes that no other thread can change, since they may be read twice. */
export function privateBytes(bytes: Uint8Array): Uint8Array {
  return isShared(bytes) ? new Uint8Array(plainView(bytes)) : bytes;
}

/** Parses a JSON text, or selects from it. */
export function parseValue(bytes: Uint8Array, { guards, node }: ValueSettings): ParseResult {
  const small = node === undefined && guards === null ? parseSmallBody(bytes, lengthOf(bytes)) : null;
  if (small !== null) return small;
  const plain = bytesOf(bytes)!;
  if (node === undefined) return guards === null ? parseDocument(plain) : parseGuarded(plain, guards);
  const select = isLargeInput(plain) ? selectLargeInput : selectDocument;
  return guards === null ? select(plain, node) : selectGuarded(plain, node, guards, select);
}

/**
 * Parses a small body of a JSON text by the engine. Returns `null` for any other: whatever is wrong
 * with it, or might be, is for the parser to tell.
 *
 * A program can set `JSON.parse` and `decode` later without effect.
 */
function parseSmallBody(bytes: Uint8Array, size: number): ParseSuccess | null {
  if (size < MIN_SMALL || size > MAX_SMALL || decoding === null) return null;
  try {
    const text: string = apply(decoding[1], decoding[0], [bytes]);
    if (apply(includes, text, REPLACEMENT) || apply(includes, text, BACKSLASH)) return null;
    return { ok: true, value: parse(text) };
  } catch {
    return null;
  }
}

/** Returns the result for a value that a schema has checked. */
export function checkedResult(
  bytes: Uint8Array,
  checked: SchemaResult<unknown>,
  { guards }: ValueSettings,
): ParseSuccess | SchemaFailure {
  if (checked.issues === undefined) return { ok: true, value: checked.value };
  return schemaFailure(bytesOf(bytes) ?? NO_BYTES, checked.issues, guards?.duplicateKeys === "first");
}

/** Adds the status to a failure of the parser. */
export function invalid(failure: ParseFailure): InvalidBody {
  (failure as InvalidBody).status = 400;
  return failure as InvalidBody;
}
