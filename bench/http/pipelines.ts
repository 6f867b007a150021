/**
 * Pipelines by which the servers of the load test handle JSON bodies.
 *
 * @module
 */

import { type ByteSource, parseBinary, type ParseResult, parseStream } from "../../mod.ts";

/** Handling of a body that is read whole. */
export interface BodyPipeline {
  /** Parses a body; throws if it is invalid. */
  parse(body: Body): unknown;
  /** Whether the bytes are detached; the garbage collector frees them otherwise. */
  frees: boolean;
  /** Whether `readBytes` reads the body; by default it is read as most servers do. */
  readsBytes?: true;
}

/** Bytes of a body. */
export type Body = ArrayBuffer | Uint8Array<ArrayBuffer>;

/** Handling of a body while it arrives. */
export interface StreamPipeline {
  parseStream(source: ByteSource): Promise<ParseResult>;
}

const decoder = new TextDecoder();

function parseNative(body: Body): unknown {
  return JSON.parse(decoder.decode(body));
}

function parseOurs(body: Body): unknown {
  const result = parseBinary(body);
  if (!result.ok) throw new SyntaxError(result.message);
  return result.value;
}

/** Pipelines by name. Others are compared with the first. */
export const PIPELINES: Record<string, BodyPipeline | StreamPipeline> = {
  "native": { parse: parseNative, frees: false },
  "native + detach": { parse: parseNative, frees: true },
  "parseBinary": { parse: parseOurs, frees: false },
  "parseBinary + detach": { parse: parseOurs, frees: true },
  "readBytes + parseBinary": { parse: parseOurs, frees: false, readsBytes: true },
  "readBytes + parseBinary + detach": { parse: parseOurs, frees: true, readsBytes: true },
  "parseStream": { parseStream },
};

/** Parses nothing. */
function ignore(): void {}

/** Native, and ways without parsing, whose cost is that of the rest of a request. */
export const UNPARSED: Record<string, BodyPipeline> = {
  "native": PIPELINES.native as BodyPipeline,
  "no parsing": { parse: ignore, frees: false },
  "no parsing + detach": { parse: ignore, frees: true },
  "readBytes alone": { parse: ignore, frees: false, readsBytes: true },
  "readBytes + detach": { parse: ignore, frees: true, readsBytes: true },
};
