/**
 * Parses bodies, and checks their values by schemas.
 *
 * @module
 */

import type { ParseFailure } from "../base/failure.ts";
import type { ParseResult, ParseSuccess } from "../base/parse_result.ts";
import { parseDocument } from "../document/parse_document.ts";
import { parseGuarded } from "../guarded/parse_guarded.ts";
import { bytesOf, isShared, plainView } from "../engine/input.ts";
import type { InvalidBody, SchemaFailure } from "./body_failure.ts";
import type { BodySettings, ValueSettings } from "./body_options.ts";
import { schemaFailure } from "./located_issues.ts";
import type { SchemaResult, StandardSchemaV1 } from "./standard_schema.ts";

const { isArray } = Array;

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
export function parseValue(bytes: Uint8Array, { guards, mask }: ValueSettings): ParseResult {
  const plain = bytesOf(bytes)!;
  if (mask !== null) return mask.selectInput(plain, mask.node, guards);
  return guards === null ? parseDocument(plain) : parseGuarded(plain, guards);
}

/**
 * Returns the result for a value that a schema has checked.
 *
 * @throws {TypeError} If the schema has returned neither a value nor issues.
 */
export function checkedResult(
  bytes: Uint8Array,
  checked: SchemaResult<unknown>,
  { guards }: ValueSettings,
): ParseSuccess | SchemaFailure {
  if (typeof checked === "object" && checked !== null) {
    const issues = checked.issues ?? null;
    if (isArray(issues)) return schemaFailure(bytesOf(bytes) ?? NO_BYTES, issues, guards?.duplicateKeys === "first");
    if (issues === null && "value" in checked) return { ok: true, value: checked.value };
  }
  throw new TypeError("Cannot use the result of the schema: it has neither a value nor issues");
}

/** Adds the status to a failure of the parser. */
export function invalid(failure: ParseFailure): InvalidBody {
  (failure as InvalidBody).status = 400;
  return failure as InvalidBody;
}
