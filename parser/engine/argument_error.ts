/** Errors for arguments of a wrong type. They name the call that was probably meant. */

/** Returns the type of a primitive, or the tag of an object, such as `Response` of any realm. */
function typeName(value: unknown): string {
  if (typeof value !== "object" || value === null) return typeof value;
  try {
    return Object.prototype.toString.call(value).slice(8, -1);
  } catch {
    return ""; // a proxy, or a tag with a getter, that throws
  }
}

const OF_BODY = "; of a response or request, pass await response.bytes(), or call parseStream(response)";
const OF_BLOB = "; of a blob, pass await blob.bytes(), or call parseStream(blob.stream())";
const AWAIT = "; await the promise first";

/** Advice for an argument that is not bytes, by its type. */
const BYTES_ADVICE: { readonly [type: string]: string | undefined } = {
  __proto__: null as never,
  string: "; of a string, pass new TextEncoder().encode(text)",
  Response: OF_BODY,
  Request: OF_BODY,
  Blob: OF_BLOB,
  File: OF_BLOB,
  ReadableStream: "; of a stream, call parseStream(stream)",
  Promise: AWAIT,
};

/** Makes the error for an argument that is not bytes. */
export function notBytes(argument: unknown): TypeError {
  const advice = ArrayBuffer.isView(argument)
    ? "; of another view, pass new Uint8Array(view.buffer, view.byteOffset, view.byteLength)"
    : BYTES_ADVICE[typeName(argument)] ?? "";
  return new TypeError(
    `Cannot parse this argument: expected a Uint8Array, an ArrayBuffer, a SharedArrayBuffer or a Slice${advice}`,
  );
}

/** Advice for a wrong source, by its type. */
const SOURCE_ADVICE: { readonly [type: string]: string | undefined } = {
  __proto__: null as never,
  string: "; of a string, pass [new TextEncoder().encode(text)]",
  ArrayBuffer: "; of a buffer, pass [new Uint8Array(buffer)]",
  SharedArrayBuffer: "; of a buffer, pass [new Uint8Array(buffer)]",
  Blob: "; of a blob, pass blob.stream()",
  File: "; of a blob, pass blob.stream()",
  Promise: AWAIT,
};

/** Makes the error for an argument that is not a source of bytes. */
export function notSource(source: unknown): TypeError {
  const advice = ArrayBuffer.isView(source)
    ? "; of bytes, pass an array around them, [bytes]"
    : SOURCE_ADVICE[typeName(source)];
  return new TypeError(
    `Cannot read this source: expected a ReadableStream, a Response or an iterable of Uint8Array${advice ?? ""}`,
  );
}

/** Error of a chunk that is not bytes, which the source itself has not thrown. */
export class ChunkTypeError extends TypeError {}

/** Makes the error for a chunk of a source that is not bytes. */
export function notChunk(chunk: unknown): ChunkTypeError {
  const advice = typeof chunk === "string" ? "; of text, pipe the source through new TextEncoderStream()" : "";
  return new ChunkTypeError(`Cannot read a chunk of this source: expected a Uint8Array${advice}`);
}

/** Makes the error for an argument that is not a source of JSON. */
export function notBody(source: unknown): TypeError {
  const advice = typeName(source) === "string" ? "; of a string, call JSON.parse(text)" : "";
  return new TypeError(
    "Cannot read this source: expected a Request, a Response, an IncomingMessage, a Blob, a ReadableStream, an " +
      `iterable of Uint8Array, or bytes${advice}`,
  );
}

/** Makes the error for an option that cannot be used. */
export function refusedOption(name: string, value: unknown, reason: string): TypeError {
  return new TypeError(`Cannot use ${name}: ${shown(value)}: ${reason}`);
}

/** Shows a value in a message, even one that cannot be converted to a string. */
export function shown(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "function") return "a function";
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

/** Makes the error for an option with a wrong value. */
export function wrongOption(name: string, value: unknown, expected: string): TypeError {
  return new TypeError(`Cannot use ${name}: ${String(value)}: expected ${expected}`);
}

/** Makes the error for an argument that is not a schema. */
export function notSchema(): TypeError {
  return new TypeError(
    "Cannot use schema: expected a schema of Standard Schema, such as that of Zod, Valibot or ArkType",
  );
}
