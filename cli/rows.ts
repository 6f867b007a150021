/** What `bench` compares: adding a row is adding an entry. */

import { parseBinary } from "../parse_binary.ts";

/** A way from bytes to a value. Throws or rejects where it cannot go it. */
export interface Row {
  /** What `--only` calls it. */
  id: string;
  name: string;
  parse(document: Uint8Array<ArrayBuffer>): unknown;
}

const decoder = new TextDecoder();

/** The rows in the order they are shown. */
export const rows: readonly Row[] = [
  { id: "native", name: "decode + JSON.parse", parse: (document) => JSON.parse(decoder.decode(document)) },
  { id: "response", name: "Response.json", parse: (document) => new Response(document).json() },
  {
    id: "parseBinary",
    name: "parseBinary",
    parse: (document) => {
      const result = parseBinary(document);
      if (!result.ok) throw new SyntaxError(result.message);
      return result.value;
    },
  },
];
