/** The parsers that are compared, behind one call. */
import { parseBinary } from "../../parse_binary.ts";

/** What a contestant returns for bad input. */
export const FAILED: unique symbol = Symbol("failed");

export interface Contestant {
  name: string;
  /** The value, or `FAILED`. */
  parse(bytes: Uint8Array): unknown;
}

/** Where results go, so that no engine can find them unused. */
export const consumed: { value: unknown } = { value: undefined };

const decoder = new TextDecoder();

export const native: Contestant = {
  name: "JSON.parse",
  parse(bytes) {
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch (error) {
      consumed.value = (error as Error).message;
      return FAILED;
    }
  },
};

export const ours: Contestant = {
  name: "parseBinary",
  parse(bytes) {
    const result = parseBinary(bytes);
    if (result.ok) return result.value;
    consumed.value = result.message;
    return FAILED;
  },
};

export const PEER_NAME = "uint8array-json-parser";

/** The other parser of bytes, `undefined` where it is not installed (Node and Bun read no import map). */
export async function loadPeer(): Promise<Contestant | undefined> {
  try {
    const { JSON_parse } = await import("uint8array-json-parser");
    return {
      name: PEER_NAME,
      parse(bytes) {
        try {
          return JSON_parse(bytes);
        } catch (error) {
          consumed.value = (error as Error).message;
          return FAILED;
        }
      },
    };
  } catch {
    return undefined;
  }
}
