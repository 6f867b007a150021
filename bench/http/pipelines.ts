/**
 * Pipelines of the servers of the load test, which handle JSON bodies.
 *
 * @module
 */

import { type ByteSource, type JsonSource, parseBinary, type ParseResult, parseStream, readJson } from "../../mod.ts";

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

/** Handling of a request by one call, which reads and parses it. Rejects if the body is invalid. */
export interface RequestPipeline {
  read(request: JsonSource): Promise<unknown>;
}

/** Most bytes of a body that the servers accept. */
const MAX_BYTES = 2 ** 30;

const decoder = new TextDecoder();

function parseNative(body: Body): unknown {
  return JSON.parse(decoder.decode(body));
}

function parseOurs(body: Body): unknown {
  const result = parseBinary(body);
  if (!result.ok) throw new SyntaxError(result.message);
  return result.value;
}

const OPTIONS = Object.freeze({ maxBytes: MAX_BYTES });

async function readOurs(request: JsonSource): Promise<unknown> {
  const result = await readJson(request, OPTIONS);
  if (!result.ok) throw new SyntaxError(result.message);
  return result.value;
}

/**
 * Reads a request by the shortest native way: `json` of a `Request`, or the events of a message.
 */
function readNative(request: JsonSource): Promise<unknown> {
  if (request instanceof Request) return request.json();
  const message = request as AsyncIterable<Uint8Array> & {
    on(event: string, listener: (chunk: Uint8Array) => void): void;
  };
  return new Promise((resolve, reject) => {
    let text = "";
    const decoder = new TextDecoder();
    message.on("data", (chunk) => text += decoder.decode(chunk, { stream: true }));
    message.on("error", reject);
    message.on("end", () => {
      try {
        resolve(JSON.parse(text + decoder.decode()));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Pipelines by name. Others are compared with the first. */
export const PIPELINES: Record<string, BodyPipeline | StreamPipeline | RequestPipeline> = {
  "native": { parse: parseNative, frees: false },
  "native + detach": { parse: parseNative, frees: true },
  "parseBinary": { parse: parseOurs, frees: false },
  "parseBinary + detach": { parse: parseOurs, frees: true },
  "readBytes + parseBinary": { parse: parseOurs, frees: false, readsBytes: true },
  "readBytes + parseBinary + detach": { parse: parseOurs, frees: true, readsBytes: true },
  "parseStream": { parseStream },
  "native in one call": { read: readNative },
  "readJson": { read: readOurs },
};
