/** Values embedded in text: where they begin and end, whatever is around them. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary, type ParseFailure } from "../../parse_binary.ts";
import {
  type EmbeddedResult,
  parsePartial,
  type ParsePartialOptions,
  parseValues,
  type PartialResult,
} from "../../parse_stream.ts";
import { utf8 } from "../support/bytes.ts";
import { copiesAt, everyCut, randomCut } from "../support/cuts.ts";
import { withSeedsAsync } from "../support/random.ts";

type Mode = true | "object";
type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string>;

const SPACES = "[ \\t\\r\\n]*";
const SCALAR = "(?:true|false|null|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)";
const OBJECT = `\\{${SPACES}["}]`;
const BEGINNINGS: [Mode, RegExp][] = [
  [true, new RegExp(`(?:\\[${SPACES})+(?:["\\]]|${SCALAR}${SPACES}[,\\]]|${OBJECT})|${OBJECT}`)],
  ["object", new RegExp(OBJECT)],
];

/** Returns what the last result must be, by a search in the whole text. */
function expectedOf(text: string, beginning: RegExp): EmbeddedResult {
  const found = beginning.exec(text)?.index ?? text.length;
  const tail = text.slice(found);
  const start = utf8(text.slice(0, found)).length;
  for (let p = 0; (p = tail.slice(p).search(/[\]}]/) + p + 1) > 0 && p <= tail.length;) {
    const head = tail.slice(0, p);
    const result = parseBinary(utf8(head));
    if (result.ok) return { ...result, isComplete: true, start, end: start + utf8(head).length };
    if (!/[\]}]/.test(tail.slice(p))) break;
  }
  const failure = parseBinary(utf8(text.slice(0, found).replaceAll(/[^\r\n]/g, " ") + tail)) as ParseFailure;
  const offset = failure.offset - found + start;
  return { ...failure, offset, message: failure.message.replace(/position \d+/, `position ${offset}`) };
}

async function lastOf(source: Chunks, options: ParsePartialOptions): Promise<PartialResult> {
  const results = await Array.fromAsync(parsePartial(source, options));
  for (const result of results.slice(0, -1)) assert(result.ok && !result.isComplete, "one result is the last");
  return results.at(-1)!;
}

/** Pieces of texts: prose, fences, brackets that begin nothing, and values. */
const PARTS = [
  ...'{["1,:]} \n\r\txé😀-\\',
  ...["true", "tru", "null", "0.5e1", "01", '{"a":', '{"é":[1,"😀"]}', "[1,2]", "[[", "{}", "[ ]", "[ 1st]", "[x](y)"],
  ...["```json\n", "\n```\n", "{{name}}", "Sure [see below]: ", '"a":1', "\u2028", "[1]", "\ufeff"],
];

describe("an embedded value", () => {
  const rows: [text: string, value: unknown, start: number, end: number, object?: [unknown, number, number]][] = [
    ['Sure! Here are 3 items [see below]: {"a":1}. Anything else?', { a: 1 }, 36, 43],
    ['é\n```json\r\n{"a": ["😀"]}\n```', { a: ["😀"] }, 12, 27],
    ["~~~js {.numbers}\n[]\n~~~ {}", [], 17, 19, [{}, 24, 26]],
    ['- [x] done\n- [1] {"a":2}', [1], 13, 16, [{ a: 2 }, 17, 24]],
    ['{{name}} {name: "x"} [true story] [2nd] [-] [ [ {"b":[]} ] ] {', [[{ b: [] }]], 44, 60, [{ b: [] }, 48, 56]],
    ['{"a":1}{"a":2}', { a: 1 }, 0, 7],
  ];

  it("begins at the first bracket that begins JSON, and ends at its own end", async () => {
    for (const [text, value, start, end, object = [value, start, end]] of rows) {
      assertEquals<unknown>(await lastOf([text], { embedded: true }), {
        ok: true,
        value,
        isComplete: true,
        start,
        end,
      });
      const expected = { ok: true, value: object[0], isComplete: true, start: object[1], end: object[2] } as const;
      assertEquals(await lastOf([text], { embedded: "object" }), expected);
    }
  });

  it("is the same cut at every byte, and by characters", async () => {
    for (const [text] of rows) {
      for (const [embedded, beginning] of BEGINNINGS) {
        const expected = expectedOf(text, beginning);
        for (const cut of everyCut(utf8(text).length)) {
          assertEquals(await lastOf(copiesAt(utf8(text), cut), { embedded }), expected, `${text} at ${cut}`);
        }
        assertEquals(await lastOf(text.split(""), { embedded, maxDepth: 9, maxTokenBytes: 9 }), expected, text);
      }
    }
  });

  it("is what the rule says, in random text", () =>
    withSeedsAsync(10_000, async (random) => {
      const text = Array.from({ length: random.below(24) }, () => random.pick(PARTS)).join("");
      const bytes = utf8(text);
      for (const [embedded, beginning] of BEGINNINGS) {
        const expected = expectedOf(text, beginning);
        const sources = [[text], text.split(""), copiesAt(bytes, randomCut(random, bytes.length))];
        for (const source of sources) assertEquals(await lastOf(source, { embedded }), expected, text);
      }
    }));

  it("begins 64 bytes after its bracket at the latest", async () => {
    for (const [size, isValue] of [[63, false], [64, true]] as const) {
      for (const text of [`{${" ".repeat(size)}x`, `${"[".repeat(size)} x`]) {
        const result = await lastOf(text.split(""), { embedded: true });
        assertEquals(result.ok ? undefined : result.code === "unexpected-end", !isValue, text);
      }
    }
  });

  it("takes time linear in the text", async () => {
    for (const part of ["[[[[ x", "{ {", '{ "', "[1 1", "\ud83d\ude00"]) {
      const results = await Array.fromAsync(parsePartial([part.repeat(1_000_000)], { embedded: true }));
      assertEquals(results.at(-1)!.ok, false);
    }
  });

  it("ends its source, and does not read on", async () => {
    async function* deltas(rest: string, seen: string[]): AsyncGenerator<string> {
      try {
        for (const text of ["See ", "[", "1", `]${rest}`, "more"]) {
          seen.push(text);
          yield text;
        }
      } finally {
        seen.push("ended");
      }
    }
    const options = { embedded: true, maxBytes: 100_100, maxTokenBytes: 8, maxDepth: 1, protoKeys: "reject" } as const;
    for (const rest of [" x", ` ${"[".repeat(100_000)}`]) {
      const seen: string[] = [];
      const result = await lastOf(deltas(rest, seen), options);
      assertEquals<unknown>(result, { ok: true, value: [1], isComplete: true, start: 4, end: 7 });
      assertEquals([seen.length, seen.at(-1)], [5, "ended"]);
    }
  });

  it("is limited together with the text before it", async () => {
    const read = () => lastOf(["text ".repeat(30), "[1]"], { embedded: true, maxBytes: 100 });
    await assertRejects(read, RangeError, "Cannot read more than 100 bytes");
  });

  it("is refused at its beginning where a limit forbids that", async () => {
    const result = await lastOf("a [[1]]".split(""), { embedded: true, maxDepth: 1 });
    assertEquals(!result.ok && [result.code, result.offset], ["too-deep", 3]);
  });

  it("is not what parseValues looks for: words between values are a failure up to their line's end", async () => {
    const source = [utf8('Here: {"a":1}\n{"a":2} and {"a":3}\n{"a":4}{"a":5}')];
    const values = await Array.fromAsync(parseValues(source, { multiple: "concatenated" }));
    const shown = values.map((value) => value.ok ? value.value : [value.code, value.start, value.end]);
    const failed = "unexpected-token";
    assertEquals(shown, [[failed, 0, 13], { a: 2 }, [failed, 22, 33], { a: 4 }, { a: 5 }]);
  });

  it("has its offsets in its type", async () => {
    for await (const result of parsePartial<{ a: number }>(['x {"a":1}'], { embedded: true })) {
      if (!result.ok || !result.isComplete) continue;
      const { value: { a }, start, end }: { value: { a: number }; start: number; end: number } = result;
      assertEquals([a, start, end], [1, 2, 9]);
    }
    for await (const result of parsePartial<{ a: number }>(['{"a":1}'], { embedded: false })) {
      // @ts-expect-error: without the option, the value is all of the text
      assertEquals(result.ok && result.isComplete && result.end, result.ok && (result.isComplete ? undefined : false));
    }
    assertThrows(() => parsePartial([], { embedded: "array" as never }), TypeError, 'expected true, false or "object"');
  });
});
