/**
 * Another parser that reads JSON from bytes, to be compared with this one.
 *
 * @module
 */

import { type Contestant, Rejection } from "../../measure/contestants.ts";

/** Name of the package and of its contestant. */
export const PEER_NAME = "uint8array-json-parser";

/** Loads the peer. Resolves with `undefined` where an import map is ignored: in Node.js and Bun. */
export async function loadPeer(): Promise<Contestant | undefined> {
  try {
    const { JSON_parse } = await import("uint8array-json-parser");
    return {
      name: PEER_NAME,
      parse(bytes) {
        try {
          return JSON_parse(bytes);
        } catch (error) {
          return new Rejection((error as Error).message);
        }
      },
    };
  } catch {
    return undefined;
  }
}
