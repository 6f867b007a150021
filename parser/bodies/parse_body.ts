/** Reads and parses bodies, and checks their values by schemas. */

import { detach } from "../../detach.ts";
import { detachedBuffer, type ParseFailure, type ParseResult, type ParseSuccess } from "../base/failure.ts";
import { parseDocument } from "../document/parse_document.ts";
import { ChunkTypeError, notBody } from "../engine/argument_error.ts";
import { bytesOf, lengthOf, unsharedView } from "../engine/input.ts";
import { NO_BYTES } from "../engine/no_bytes.ts";
import type { Guards } from "../options/options.ts";
import { parseGuarded } from "../options/parse_guarded.ts";
import {
  failureOfSource,
  interruptedBy,
  type InvalidBody,
  type SchemaFailure,
  tooLarge,
  type UnreadBody,
} from "./body_failure.ts";
import { type BodySettings, type ReadJsonOptions, settingsOf, type ValueSettings } from "./body_options.ts";
import { schemaFailure } from "./located_issues.ts";
import { bodyOf } from "./read_body.ts";
import type { ReceivedBody } from "./message_reader.ts";
import type { SchemaResult, StandardSchemaV1 } from "./standard_schema.ts";

/** Minimum number of bytes that are detached. Fewer cost more to detach than to collect. */
const MIN_FREED = 4096;

/** Value of a body, with its bytes. */
export interface ParsedBytes<T = unknown> extends ParseSuccess<T> {
  /** Bytes of the body, after decompression. */
  bytes: Uint8Array<ArrayBuffer>;
}

type ParsedBody = ParseSuccess | InvalidBody | SchemaFailure;
type BodyResult = ParsedBody | UnreadBody;

/** Body that is kept after it was parsed, to be parsed again with other options. */
export interface KeptBody {
  bytes?: Uint8Array;
  parsed?: ParseSuccess | undefined;
  guards?: Guards | null;
}

/** Reads a body to its end, and parses it. Its bytes are not freed if it is kept. */
export async function readAndParse(
  source: unknown,
  options: ReadJsonOptions | undefined,
  kept: KeptBody | null,
): Promise<BodyResult> {
  const settings = settingsOf(options);
  if (typeof source !== "object" || source === null) throw notBody(source);
  const body = ArrayBuffer.isView(source) ? null : bodyOf(source, settings);
  if (body === null) return await parseGiven(source, settings, kept);
  let received: ReceivedBody | UnreadBody;
  try {
    received = await body;
  } catch (error) {
    if (error instanceof ChunkTypeError) throw error;
    return failureOfSource(error);
  }
  if (!received.ok) return received;
  const { bytes } = received;
  try {
    if (lengthOf(bytes) > settings.maxBytes) return tooLarge(settings.maxBytes); // more than was announced
    const parsing = parseBody(bytes, settings);
    const result = settings.schema === undefined ? parsing as BodyResult : await parsing;
    if (settings.keepBytes) addBytes(result, received);
    if (kept !== null) kept.parsed = result.ok && settings.schema === undefined ? result : undefined;
    return result;
  } finally {
    if (kept === null && !settings.keepBytes) freeBody(received);
    else if (kept !== null) Object.assign(kept, { bytes, guards: settings.guards });
  }
}

/** Adds the bytes of a body to its value. Copies them if others may hold them. */
function addBytes(result: BodyResult, received: ReceivedBody): void {
  if (result.ok) (result as ParsedBytes).bytes = ownBytes(received);
}

/** Returns bytes that nothing else holds: of a body, or a copy. */
export function ownBytes({ bytes, isOurs }: ReceivedBody): Uint8Array<ArrayBuffer> {
  return isOurs ? bytes as Uint8Array<ArrayBuffer> : new Uint8Array(bytes);
}

/** Detaches the bytes of a body if they are ours, and enough for that to pay off. */
export function freeBody({ bytes, isOurs }: ReceivedBody): void {
  if (isOurs && lengthOf(bytes) >= MIN_FREED) detach(bytes);
}

/** Parses given bytes, or takes the value that they were parsed to before. */
function parseGiven(source: unknown, settings: BodySettings, kept: KeptBody | null): BodyResult | Promise<BodyResult> {
  const bytes = bytesOf(source);
  if (bytes === null) return invalid(detachedBuffer());
  if (settings.signal?.aborted) return interruptedBy(settings.signal.reason);
  if (lengthOf(bytes) > settings.maxBytes) return tooLarge(settings.maxBytes);
  if (kept !== null) return parseKept(bytes, settings, kept);
  const result = parseBody(bytes, settings);
  return settings.keepBytes ? withGivenBytes(result, bytes) : result;
}

async function withGivenBytes(result: ParsedBody | Promise<ParsedBody>, bytes: Uint8Array): Promise<BodyResult> {
  const parsed = await result;
  addBytes(parsed, { ok: true, bytes, isOurs: true });
  return parsed;
}

/** Parses a kept body with other options; without any, those of the first parser count. */
export function parseKept(
  bytes: Uint8Array,
  settings: BodySettings,
  { guards = null, parsed }: KeptBody,
): ParsedBody | Promise<ParsedBody> {
  const isSame = settings.guards === null && settings.mask === null;
  return isSame ? parseBody(bytes, { ...settings, guards }, parsed) : parseBody(bytes, settings);
}

/**
 * Parses a body, and checks its value by a schema if there is one.
 *
 * @param parsed Result of parsing, if it is there already.
 */
export function parseBody(
  bytes: Uint8Array,
  settings: BodySettings,
  parsed: ParseSuccess | undefined = settings.allowsEmpty && lengthOf(bytes) === 0
    ? { ok: true, value: undefined }
    : undefined,
): ParsedBody | Promise<ParsedBody> {
  if (settings.schema !== undefined) return parseAndCheck(unsharedView(bytes), settings, settings.schema, parsed);
  const result = parsed ?? parseValue(bytes, settings);
  return result.ok ? result : invalid(result);
}

async function parseAndCheck(
  bytes: Uint8Array,
  settings: ValueSettings,
  schema: StandardSchemaV1,
  parsed: ParseResult = parseValue(bytes, settings),
): Promise<ParsedBody> {
  if (!parsed.ok) return invalid(parsed);
  return checkedResult(bytes, await schema["~standard"].validate(parsed.value), settings);
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
    if (Array.isArray(issues)) {
      return schemaFailure(bytesOf(bytes) ?? NO_BYTES, issues, guards?.duplicateKeys === "first");
    }
    if (issues === null && "value" in checked) return { ok: true, value: checked.value };
  }
  throw new TypeError("Cannot use the result of the schema: it has neither a value nor issues");
}

/** Adds the status to a failure of the parser. */
export function invalid(failure: ParseFailure): InvalidBody {
  (failure as InvalidBody).status = 400;
  return failure as InvalidBody;
}
