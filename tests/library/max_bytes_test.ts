/** `maxBytes` of what is read: what is complete before it comes first, however the input is cut. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { JsonParseStream, parsePartial, parseStream, parseValues, readBytes } from "../../mod.ts";
import { utf8 } from "../support/bytes.ts";

/** Collects what an iteration gives, and the name of the error at last. */
async function seenOf(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  try {
    for await (const item of items) {
      const { ok, value, code } = item as { ok: boolean; value: unknown; code: string };
      seen.push(ok ? value : code);
    }
  } catch (error) {
    seen.push((error as Error).name);
  }
  return seen;
}

const settled = (promise: Promise<unknown>): Promise<unknown[]> =>
  seenOf((async function* () {
    yield await promise;
  })());

// deno-lint-ignore no-explicit-any
type Options = any;

const READERS: Record<string, (chunks: Uint8Array[], options: Options) => Promise<unknown[]>> = {
  parseStream: (chunks, { maxBytes }) => settled(parseStream(chunks, { maxBytes })),
  "parseStream with a pointer": (chunks, { maxBytes }) => settled(parseStream(chunks, { maxBytes, at: "/0" })),
  parseValues: (chunks, options) => seenOf(parseValues(chunks, options)),
  JsonParseStream: (chunks, options) =>
    seenOf(ReadableStream.from(chunks).pipeThrough(new JsonParseStream(options)) as AsyncIterable<unknown>),
  readBytes: (chunks, { maxBytes }) => settled(readBytes(chunks, { maxBytes }).then((value) => ({ ok: true, value }))),
  "parsePartial, at last": async (chunks, { maxBytes }) => (await seenOf(parsePartial(chunks, { maxBytes }))).slice(-2),
  "parsePartial of text, at last": async (chunks, { maxBytes }) => {
    const decoder = new TextDecoder();
    const texts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
    return (await seenOf(parsePartial(texts, { maxBytes }))).slice(-2);
  },
};

/** Texts with a limit, options of several values, and what each reader gives, if it differs. */
const ROWS: { text: string; maxBytes: number; options: object; expected: Record<string, unknown[]> }[] = [
  {
    text: "1\n2\n3\n4\n5\n6\n",
    maxBytes: 7,
    options: {},
    expected: { several: [1, 2, 3, "RangeError"], one: ["trailing-content"] },
  },
  {
    text: "1\n2\n3\n4\n5\n6\n",
    maxBytes: 8,
    options: {},
    expected: { several: [1, 2, 3, 4, "RangeError"], one: ["trailing-content"] },
  },
  {
    text: "[1,2,3,4,5]",
    maxBytes: 5,
    options: { multiple: "elements" },
    expected: { several: [1, 2, "RangeError"], one: ["RangeError"] },
  },
  {
    text: "[1,x,3,4,5]",
    maxBytes: 8,
    options: { multiple: "elements" },
    expected: { several: [1, "unexpected-token"], one: ["unexpected-token"] },
  },
  {
    text: "[1,2,3] and more",
    maxBytes: 7,
    options: { multiple: "concatenated" },
    expected: { several: [[1, 2, 3], "RangeError"], one: ["RangeError"] },
  },
  {
    text: '["é","é","é"]',
    maxBytes: 8,
    options: { multiple: "elements" },
    expected: { several: ["é", "RangeError"], one: ["RangeError"] },
  },
  { text: "", maxBytes: 0, options: {}, expected: { several: [], one: ["unexpected-end"] } },
  { text: "1", maxBytes: 0, options: {}, expected: { several: ["RangeError"], one: ["RangeError"] } },
];

describe("maxBytes", () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`is reported after the values that are complete before it: ${name}`, async () => {
      for (const { text, maxBytes, options, expected } of ROWS) {
        const bytes = utf8(text);
        const outcomes = [];
        for (const size of [1, 2, 3, 5, 12, 100]) {
          const chunks = [];
          for (let p = 0; p < bytes.length; p += size) chunks.push(bytes.slice(p, p + size));
          outcomes.push(await read(chunks, { ...options, maxBytes }));
        }
        for (const outcome of outcomes) {
          assertEquals(outcome, outcomes[0], `${text} by ${maxBytes}`);
          if (name === "parseValues" || name === "JsonParseStream") assertEquals(outcome, expected.several, text);
          else if (name.startsWith("parseStream")) assertEquals(outcome.at(-1), expected.one[0], text);
        }
      }
    });
  }
});
