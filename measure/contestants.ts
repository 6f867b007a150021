/** Ways to read JSON from bytes that are measured against each other, behind one call. */

import { parseBinary } from "../parse_binary.ts";

/** Way to read JSON from bytes. */
export interface Contestant {
  /** Name in reports. */
  name: string;
  /** Whether it belongs to this library, so that reports compare it with native. */
  isOurs?: boolean;
  /** Whether `parse` returns a promise. */
  isAsync?: boolean;
  /**
   * Reads a document.
   *
   * @returns The value, a promise of it, which may reject, or a {@linkcode Rejection}.
   */
  parse(bytes: Uint8Array): unknown;
}

/**
 * Result of a contestant that finds a document invalid. It is returned, not thrown, so that the
 * time of a failure does not include an exception that the contestant does not throw.
 */
export class Rejection {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const decoder = new TextDecoder();

/** The engine's own way: decodes the bytes, then parses the text. */
export const native: Contestant = {
  name: "decode + JSON.parse",
  parse(bytes) {
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch (error) {
      return new Rejection((error as Error).message);
    }
  },
};

/** The way of the Fetch API. Always asynchronous. */
export const response: Contestant = {
  name: "Response.json",
  isAsync: true,
  parse: (bytes) => new Response(bytes as Uint8Array<ArrayBuffer>).json(),
};

export const parser: Contestant = {
  name: "parseBinary",
  isOurs: true,
  parse(bytes) {
    const result = parseBinary(bytes);
    return result.ok ? result.value : new Rejection(result.message);
  },
};
