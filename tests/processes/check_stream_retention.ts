/**
 * Child process, run with `--expose-gc`: checks that no entry point refers to a chunk or a value
 * once a call has ended, that streaming parsers refer to none that they have passed on, and that
 * nothing refers to a parser that is given up. Prints failed checks, and the number of checks.
 *
 * @module
 */

import { collect } from "../../measure/process_memory.ts";
import * as library from "../../mod.ts";
import { BinaryParser, type BinaryParserOptions, parseBinary, parseStream, parseValues } from "../../mod.ts";
import { checkThat, reportChecks } from "../support/checks.ts";
import { coveredBy, type EntryPoint, entryPointsOf } from "../support/entry_points.ts";

const encoder = new TextEncoder();

/** Collects garbage until an object is gone, or is there to stay. */
async function isCollected(object: WeakRef<object>): Promise<boolean> {
  for (let times = 0; times < 5 && object.deref() !== undefined; times++) await collect();
  return object.deref() === undefined;
}

/**
 * Reads an input, and returns what nobody else refers to: the buffers of its chunks, and its
 * values.
 */
async function readOnce({ inputOf, isWhole, read }: EntryPoint): Promise<WeakRef<object>[]> {
  const bytes = encoder.encode(inputOf(['{"a":["text",1.5]}', '[{"b":"x"}]', '{"a":["text"]}']));
  const cuts = isWhole ? [0] : [0, 3, 20];
  const chunks = cuts.map((start, i) => bytes.slice(start, cuts[i + 1]));
  const held: object[] = chunks.map(({ buffer }) => buffer);
  const { values } = await read(chunks);
  held.push(...values.toArray().filter((value) => typeof value === "object" && value !== null));
  return held.map((object) => new WeakRef(object));
}

for (const entryPoint of coveredBy("No retention", entryPointsOf(library))) {
  for (const [i, object] of (await readOnce(entryPoint)).entries()) {
    checkThat(`object ${i} of ${entryPoint.name}`, await isCollected(object), "is held");
  }
}

/** Pushes a chunk that nobody else refers to. */
function pushChunk(parser: Pick<BinaryParser, "push">, text: string): WeakRef<ArrayBuffer> {
  const chunk = encoder.encode(text);
  parser.push(chunk);
  return new WeakRef(chunk.buffer);
}

const CHUNKS: { name: string; options: BinaryParserOptions; text: string }[] = [
  { name: "within a string", options: {}, text: '["a text that is cut' },
  { name: "within a name", options: {}, text: '{"a":{"a name that is cut' },
  { name: "within an escape", options: {}, text: '["text \\u00' },
  { name: "within a number", options: {}, text: "[1,2,345" },
  { name: "between elements", options: {}, text: '[{"a":"text"},["x"],' },
  { name: "after a failure", options: {}, text: "[1,," },
  { name: "between lines", options: { multiple: "lines" }, text: '{"a":"text"}\n{"a":"x"}\n' },
  { name: "within a line", options: { multiple: "lines" }, text: '{"a":"text"}\n{"a":"x' },
  { name: "within concatenated values", options: { multiple: "concatenated" }, text: '{"a":"text"}{"a":' },
  { name: "within an element", options: { multiple: "elements" }, text: '[{"a":"text"},{"a":' },
  { name: "before the elements", options: { multiple: "elements", at: "/b" }, text: '{"a":["text",' },
];

for (const { name, options, text } of CHUNKS) {
  const parser = new BinaryParser({ ...options, onValue() {} });
  for (let times = 0; times < 3; times++) {
    checkThat(`a chunk that ends ${name}, time ${times}`, await isCollected(pushChunk(parser, text)), "is held");
  }
  parser.reset();
}

/** Parses chunks, and lets the parser go without an end. */
function giveUp(options: BinaryParserOptions, text: string): WeakRef<BinaryParser> {
  const parser = new BinaryParser(options);
  pushChunk(parser, text);
  return new WeakRef(parser);
}

for (const { name, options, text } of CHUNKS) {
  checkThat(`a parser given up ${name}`, await isCollected(giveUp(options, text)), "is held");
}

{
  const values: WeakRef<object>[] = [];
  const parser = new BinaryParser<object>({
    multiple: "lines",
    onValue({ value }) {
      values.push(new WeakRef(value));
      parseBinary(encoder.encode("[1]"));
    },
  });
  pushChunk(parser, '{"a":"text"}\n{"b":[1,2,3]}\n[[]]\n');
  for (const [i, value] of values.entries()) checkThat(`value ${i}`, await isCollected(value), "is held");
  checkThat("the values", values.length === 3, values.length);
  parser.end();
}

{
  const parser = new BinaryParser<object>();
  const end = (): WeakRef<object> => {
    pushChunk(parser, '{"a":["text"]}');
    const result = parser.end();
    if (!result.ok) throw new SyntaxError(result.message);
    return new WeakRef(result.value);
  };
  checkThat("the value of a parser that has ended", await isCollected(end()), "is held");
}

/** Chunks that remember whether they are held. */
function* observed(texts: string[], chunks: WeakRef<ArrayBuffer>[]): Generator<Uint8Array> {
  for (const text of texts) {
    const chunk = encoder.encode(text);
    chunks.push(new WeakRef(chunk.buffer));
    yield chunk;
  }
}

{
  const chunks: WeakRef<ArrayBuffer>[] = [];
  const values = parseValues<object>(observed(['{"a":1}\n', '{"b":', "2}\n", '{"c":3}\n', "4\n"], chunks), {
    detachChunks: false,
  });
  const take = async (): Promise<WeakRef<object>> => {
    const { value } = await values.next();
    if (!value?.ok) throw new Error("Cannot check: there is no value");
    return new WeakRef(value.value);
  };
  for (let i = 0; i < 3; i++) checkThat(`value ${i} of parseValues()`, await isCollected(await take()), "is held");
  for (const chunk of chunks.slice(0, 3)) checkThat("a chunk of parseValues()", await isCollected(chunk), "is held");
  await values.return!();
}

{
  const chunks: WeakRef<ArrayBuffer>[] = [];
  const result = await parseStream(observed(['["te', 'xt",1', "2]"], chunks), { detachChunks: false });
  for (const chunk of chunks) checkThat("a chunk of parseStream()", await isCollected(chunk), "is held");
  checkThat("the result of parseStream()", result.ok, result);
}

reportChecks();
