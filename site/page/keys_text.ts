/**
 * Words for the wrong keys of `JSON.parse`.
 *
 * @module
 */

import type { KeysResult } from "../messages.ts";

/** Sentences and code that show a result. */
export interface KeysText {
  status: string;
  example: string;
  note: string;
}

/** Returns the text that shows a result. */
export function textOf({ pairs, native, parseBinary, example }: KeysResult): KeysText {
  const { first, second, lastKey, actual } = example;
  const literal = (text: string): string => `String.raw\`${text}\``;
  const hasBug = native > 0;
  return {
    status: hasBug
      ? `This browser has the bug: JSON.parse gave a wrong key for ${native} of ${pairs} pairs of documents, ` +
        `parseBinary for ${parseBinary}.`
      : `This browser does not have the bug: JSON.parse and parseBinary gave the right keys for all ${pairs} pairs ` +
        "of documents.",
    example: [
      `JSON.parse(${literal(first)});`,
      `Object.keys(JSON.parse(${literal(second)}));`,
      `// the last key is ${JSON.stringify(actual)}${
        hasBug ? `, but should be ${JSON.stringify(lastKey)}` : ", as it should be"
      }`,
    ].join("\n"),
    note: hasBug
      ? "No error is reported. In a server, the two documents may come from two clients."
      : "Node.js 24 and 26 and Deno 2.9 have it: paste the two lines there. No error is reported, and in a server the " +
        "two documents may come from two clients.",
  };
}
