/**
 * Child process, run with `--expose-gc`: checks that no entry point refers to a chunk or a value
 * once a call has ended, that streaming parsers refer to none that they have passed on, and that
 * nothing refers to a parser that is given up. Prints failed checks, and the number of checks.
 */

import { collect } from "../../measure/process_memory.ts";
import * as library from "../../mod.ts";
import { BinaryParser, type BinaryParserOptions, parseBinary, parseValues } from "../../mod.ts";
import { checkThat, reportChecks } from "../support/checks.ts";
import { coveredBy, type EntryPoint, entryPointsOf } from "../support/entry_points.ts";

const encoder = new TextEncoder();

/** Collects garbage until objects are gone, or are there to stay. Returns whether all are gone. */
async function areCollected(...objects: WeakRef<object>[]): Promise<boolean> {
  const isHeld = (object: WeakRef<object>): boolean => object.deref() !== undefined;
  for (let times = 0; times < 5 && objects.some(isHeld); times++) await collect();
  return !objects.some(isHeld);
}

async function checkGone(name: string, ...objects: WeakRef<object>[]): Promise<void> {
  checkThat(name, await areCollected(...objects), "is held");
}

/** Reads an input. Returns its chunk buffers and values, to which nothing else refers. */
async function readOnce({ inputOf, isWhole, read }: EntryPoint, end?: number): Promise<WeakRef<object>[]> {
  const bytes = encoder.encode(inputOf(['{"a":["text",1.5]}', '[{"b":"x"}]', '{"a":["text é"]}'])).slice(0, end);
  const cuts = isWhole ? [0] : [0, 3, 20];
  const chunks = cuts.map((start, i) => bytes.slice(start, cuts[i + 1]));
  const held: object[] = chunks.map(({ buffer }) => buffer);
  const { values } = await read(chunks);
  held.push(...values.toArray().filter((value) => typeof value === "object" && value !== null));
  return held.map((object) => new WeakRef(object));
}

for (const entryPoint of coveredBy("No retention", entryPointsOf(library))) {
  const isPlain = entryPoint.name === entryPoint.export;
  for (const end of isPlain ? [undefined, -1, -6] : [undefined]) { // valid, cut off, or cut in a string
    await checkGone(`chunks and values of ${entryPoint.name} up to ${end}`, ...await readOnce(entryPoint, end));
  }
}

/** Pushes a chunk to which nothing else refers. */
function pushChunk(parser: Pick<BinaryParser, "push">, text: string): WeakRef<ArrayBuffer> {
  const chunk = encoder.encode(text);
  parser.push(chunk);
  return new WeakRef(chunk.buffer);
}

const CHUNKS: { where: string; options: BinaryParserOptions; text: string }[] = [
  { where: "within a string", options: {}, text: '["a text that is cut' },
  { where: "within a name", options: {}, text: '{"a":{"a name that is cut' },
  { where: "within an escape", options: {}, text: '["text \\u00' },
  { where: "within a number", options: {}, text: "[1,2,345" },
  { where: "between elements", options: {}, text: '[{"a":"text"},["x"],' },
  { where: "after a failure", options: {}, text: "[1,," },
  { where: "between lines", options: { multiple: "lines" }, text: '{"a":"text"}\n{"a":"x"}\n' },
  { where: "within a line", options: { multiple: "lines" }, text: '{"a":"text"}\n{"a":"x' },
  { where: "within concatenated values", options: { multiple: "concatenated" }, text: '{"a":"text"}{"a":' },
  { where: "within an element", options: { multiple: "elements" }, text: '[{"a":"text"},{"a":' },
  { where: "before the elements", options: { multiple: "elements", at: "/b" }, text: '{"a":["text",' },
];

/** Parses chunks, and lets the parser go without an end. */
function giveUp(options: BinaryParserOptions, text: string): WeakRef<BinaryParser> {
  const parser = new BinaryParser(options);
  pushChunk(parser, text);
  return new WeakRef(parser);
}

for (const { where, options, text } of CHUNKS) {
  const parser = new BinaryParser({ ...options, onValue() {} });
  for (let time = 0; time < 2; time++) {
    await checkGone(`a chunk that ends ${where}, time ${time}`, pushChunk(parser, text));
  }
  parser.reset();
  await checkGone(`a parser given up ${where}`, giveUp(options, text));
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
  checkThat("the values", values.length === 3, values.length);
  await checkGone("the values of lines", ...values);
  parser.end();
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
  for (let i = 0; i < 3; i++) await checkGone(`value ${i} of parseValues()`, await take());
  await checkGone("the chunks of parseValues()", ...chunks.slice(0, 3));
  await values.return!();
}

reportChecks();
