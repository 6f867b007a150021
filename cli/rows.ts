/** What `bench` compares: adding a row is adding an entry, and its word to {@linkcode ROW_IDS}. */

import { parseBinary, type ParseFailure } from "../parse_binary.ts";
import { validateBinary } from "../validate_binary.ts";
import type { ROW_IDS } from "./commands.ts";

/** What `--only` calls a row. */
export type RowId = typeof ROW_IDS[number];

/** A way to go through the bytes of a document. Throws or rejects where it cannot go it. */
export interface Row {
  id: string;
  name: string;
  /** Whether it is of this library, and its speed told as a multiple of native's. */
  isOurs?: boolean;
  parse(document: Uint8Array<ArrayBuffer>): unknown;
}

const decoder = new TextDecoder();

/** What a call found, if it is not that the document is bad. */
function orThrow<T extends { ok: true }>(result: T | ParseFailure): T {
  if (result.ok) return result;
  throw new SyntaxError(result.message);
}

const byId: Record<RowId, Omit<Row, "id">> = {
  native: { name: "decode + JSON.parse", parse: (document) => JSON.parse(decoder.decode(document)) },
  response: { name: "Response.json", parse: (document) => new Response(document).json() },
  parseBinary: {
    name: "parseBinary",
    isOurs: true,
    parse: (document) => orThrow(parseBinary(document)).value,
  },
  validateBinary: {
    name: "validateBinary",
    isOurs: true,
    parse: (document) => orThrow(validateBinary(document)),
  },
};

/** The rows in the order they are shown. */
export const rows: readonly Row[] = Object.entries(byId).map(([id, row]) => ({ id, ...row }));

/** The row that the others are compared with. */
export const NATIVE: RowId = "native";
