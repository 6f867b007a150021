/** Generated documents, one per kind of JSON, the same bytes on every machine. */

import { Random } from "./random.ts";

export interface BenchDocument {
  group: "corpus" | "generated" | "payload" | "failure" | "sizes" | "files";
  name: string;
  /** Documents, parsed one after the other. */
  parts: Uint8Array[];
}

/** Bytes of a generated document by default. */
const GENERATED_BYTES = 500_000;
/** Number of different payloads of one size: a server seldom receives the same body twice. */
const PAYLOADS = 64;
/** Upper bound of the bytes of a payload's item. */
const MAX_ITEM_BYTES = 100;

export const ALPHANUMERIC = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
export const CJK = Array.from({ length: 3000 }, (_, i) => String.fromCharCode(0x4e00 + i * 6)).join("");
/** Vowels, consonants and signs of Devanagari. */
const DEVANAGARI = Array.from({ length: 72 }, (_, i) => String.fromCharCode(0x0905 + i)).join("");
/** Characters that are rarely next to each other: signs, accents, a backslash and a quote. */
const ODD = "%$#@~|<>=+-*/\\\"'é§ß€→ aZ0";
const EMOJI = ["😀", "🚀", "❤️", "👍🏽", "🎉", "👨‍👩‍👧"];
const COLUMNS = Array.from({ length: 120 }, (_, i) => `${["user", "order", "item", "price"][i % 4]}_field_${i}`);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Generator of an element of the outermost array, as JSON text. */
type Element = (random: Random) => string;

const json = JSON.stringify;

function record(random: Random): unknown {
  return {
    id: random.digits(8),
    uuid: uuid(random),
    name: `${random.words(1)} ${random.characters(6, ALPHANUMERIC)}`,
    status: random.pick(["active", "pending", "closed"]),
    createdAt: timestamp(random),
    score: Math.round(random.next() * 10000) / 100,
    verified: random.next() < 0.5,
    parent: null,
    tags: Array.from({ length: random.integer(0, 4) }, () => random.words(1)),
    address: {
      city: random.words(1),
      zip: String(random.digits(5)),
      location: [random.next() * 90, random.next() * 180],
    },
    comment: random.words(random.integer(3, 20)),
  };
}

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => random.characters(length, "0123456789abcdef")).join("-");
}

function timestamp(random: Random): string {
  return new Date(random.integer(1.4e12, 1.8e12)).toISOString();
}

function nested(random: Random, depth: number): string {
  if (depth === 0) return String(random.digits(3));
  const inner = nested(random, depth - 1);
  return random.next() < 0.5 ? `[${inner}]` : `{"${random.pick("abcd")}":${inner}}`;
}

/** Generates a map of one-character values. */
function entries(random: Random, key: () => number | string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: random.integer(5, 40) }, () => [key(), random.characters(1, ALPHANUMERIC)]),
  );
}

function numbers(count: number, number: () => number | string): string {
  return `[${Array.from({ length: count }, number).join(",")}]`;
}

const ELEMENTS = {
  "records": (random) => json(record(random)),
  "many small objects": (random) => json({ id: random.digits(5), name: random.words(1), ok: random.next() < 0.5 }),
  "wide objects": (random) => json(Object.fromEntries(COLUMNS.map((column) => [column, random.digits(4)]))),
  "many shapes": (random) =>
    json(
      Object.fromEntries(random.shuffle(COLUMNS.slice(0, 30)).slice(0, random.integer(1, 12)).map((key) => [key, 1])),
    ),
  "optional members": (random) =>
    json(
      Object.fromEntries(COLUMNS.slice(0, 12).filter(() => random.next() < 0.7).map((key) => [key, random.digits(3)])),
    ),
  "integer-like keys": (random) => json(entries(random, () => random.digits(4))),
  "version-like keys": (random) =>
    json(entries(random, () => `${random.digits(1)}.${random.digits(2)}.${random.digits(1)}`)),
  "one-off keys": (random) => json({ [random.characters(9, ALPHANUMERIC)]: random.digits(3) }),
  "deep": (random) => nested(random, random.integer(50, 400)),
  "empty containers": (random) => random.pick(["[]", "{}", '{"items":[],"meta":{}}']),
  "literals": (random) => random.pick(["true", "false", "null"]),
  "integers": (random) => String(random.digits(random.integer(1, 9)) * random.pick([1, 1, 1, -1])),
  "large integers": (random) => `${random.integer(1, 9)}${random.characters(17, "0123456789")}`,
  "integer matrix": (random) => numbers(64, () => random.integer(0, 255)),
  "floats of 6 decimals": (random) => (random.next() * 360 - 180).toFixed(6),
  "floats of 17 digits": (random) => (random.next() * 2 - 1).toPrecision(17),
  "floats with exponent": (random) =>
    (random.next() * 10 ** random.integer(-30, 30)).toExponential(random.integer(0, 12)),
  "coordinate pairs": (random) => numbers(2, () => (random.next() * 180 - 90).toFixed(random.integer(4, 14))),
  "short distinct strings": (random) => json(random.characters(random.integer(3, 12), ALPHANUMERIC)),
  "repeated strings": (random) => json(random.words(random.integer(1, 2))),
  "short odd strings": (random) => json(random.characters(random.integer(1, 4), ODD)),
  "identifiers and dates": (random) => json([uuid(random), timestamp(random)]),
  "sentences": (random) => json(random.words(random.integer(5, 30))),
  "long ASCII strings": (random) => json(random.words(random.integer(200, 2000))),
  "accented text": (random) => json(random.words(random.integer(3, 30)).replaceAll("e", "é").replaceAll("a ", "ä ")),
  "CJK text": (random) => json(random.characters(random.integer(5, 120), CJK)),
  "Indic text": (random) => json(random.characters(random.integer(5, 120), DEVANAGARI)),
  "emoji text": (random) => json(`${random.words(random.integer(2, 10))} ${random.pick(EMOJI)}`),
  "escapes": (random) => json(random.words(random.integer(5, 20)).replaceAll(" t", '\n"').replaceAll(" a", "\t\\")),
  "\\u escapes": (random) => `"${random.characters(random.integer(3, 20), CJK).replace(/./g, escapeUnicode)}"`,
  "pretty-printed": (random) => json(record(random), null, 2).replaceAll("\n", "\n  "),
} satisfies Record<string, Element>;

export type Kind = keyof typeof ELEMENTS;
export const KINDS = Object.keys(ELEMENTS) as Kind[];

function escapeUnicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Generates an array of the minimum number of elements for `byteLength` bytes or more. */
export function generate(kind: Kind, byteLength: number = GENERATED_BYTES, seed: number = 1): Uint8Array {
  const random = new Random(seed);
  const element = ELEMENTS[kind];
  const space = kind === "pretty-printed" ? "\n" : "";
  const separator = space === "" ? "," : ",\n  ";
  const elements: string[] = [];
  for (let length = 1; length < byteLength;) {
    const text = element(random);
    elements.push(text);
    length += encoder.encode(text).length + separator.length;
  }
  return encoder.encode(`[${space && `${space}  `}${elements.join(separator)}${space}]`);
}

/** Generates a body of exactly `byteLength` bytes: a digit, or an object from 23 bytes on. */
export function payload(byteLength: number, random: Random): Uint8Array {
  if (byteLength === 1) return encoder.encode(String(random.integer(0, 9)));
  const items: unknown[] = [];
  const details = byteLength < 2 * MAX_ITEM_BYTES ? {} : { user: uuid(random), at: timestamp(random), items };
  const body = { id: random.digits(6), ...details, note: "" };
  while (details.items && json(body).length + MAX_ITEM_BYTES < byteLength) {
    items.push({
      sku: random.characters(8, ALPHANUMERIC),
      name: random.words(2),
      count: random.integer(1, 99),
      price: random.digits(4) / 100,
    });
  }
  body.note = random.characters(byteLength - json(body).length, ALPHANUMERIC);
  return encoder.encode(json(body));
}

export function payloads(byteLength: number): Uint8Array[] {
  const random = new Random(byteLength);
  return Array.from({ length: PAYLOADS }, () => payload(byteLength, random));
}

function withByte(bytes: Uint8Array, offset: number, character: string): Uint8Array {
  return bytes.with(offset, character.charCodeAt(0)); // from the end, if negative
}

/** Returns whether the group and the name of a document match. */
export function isSelected({ group, name }: Pick<BenchDocument, "group" | "name">, only: RegExp): boolean {
  return only.test(`${group}/${name}`);
}

/**
 * Generates the documents that benches measure on any machine, with or without a corpus: those
 * whose group and name match.
 */
export function generatedDocuments(only: RegExp = /(?:)/): BenchDocument[] {
  const large = (): Uint8Array => generate("records", 4_000_000);
  const payloadSizes: [string, number][] = [["1 B", 1], ["31 B", 31], ["512 B", 512], ["3 KB", 3000]];
  const all: (Omit<BenchDocument, "parts"> & { make(): Uint8Array[] })[] = [
    ...KINDS.map((name) => ({ group: "generated" as const, name, make: () => [generate(name)] })),
    ...payloadSizes.map(([name, size]) => ({ group: "payload" as const, name, make: () => payloads(size) })),
    {
      group: "failure",
      name: "first byte of 512 B",
      make: () => payloads(512).map((bytes) => withByte(bytes, 0, "x")),
    },
    { group: "failure", name: "first byte of 4 MB", make: () => [withByte(large(), 0, "x")] },
    { group: "failure", name: "last byte of 4 MB", make: () => [withByte(large(), -1, "}")] },
  ];
  return all.filter((document) => isSelected(document, only))
    .map(({ group, name, make }) => ({ group, name, parts: make() }));
}

export const CHUNK_BYTES = 64 * 1024;

/** Yields views of consecutive parts. */
export function* chunksOf(bytes: Uint8Array, size: number = CHUNK_BYTES): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Pushes bytes in chunks, like a stream, to a parser or validator. Returns its result. */
export function pushAll<Result>(
  bytes: Uint8Array,
  parser: { push(chunk: Uint8Array): boolean; end(): Result },
  size?: number,
): Result {
  for (const chunk of chunksOf(bytes, size)) if (!parser.push(chunk)) break;
  return parser.end();
}

/** Reads lines by native, from decoded text. Returns how many values pass a test. */
export function readLinesNative(
  bytes: Uint8Array,
  test: (value: { level?: string }) => boolean = () => true,
): number {
  let count = 0;
  for (const line of decoder.decode(bytes).split("\n")) if (line !== "" && test(JSON.parse(line))) count++;
  return count;
}

/** Creates a stream like a socket's: each chunk has its own buffer, with every page written to. */
export function spaces(size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let rest = size;
  return new ReadableStream({
    pull(controller) {
      if (rest === 0) return controller.close();
      const chunk = new Uint8Array(Math.min(rest, CHUNK_BYTES)).fill(0x20);
      rest -= chunk.length;
      controller.enqueue(chunk);
    },
  });
}

/** Yields an array of at least `size` bytes of records, in chunks like a socket's. */
export function* arrayOf(size: number): Generator<Uint8Array> {
  const block = generate("records", 1_000_000);
  for (let sent = 0; sent < size; sent += block.length) {
    block[0] = (sent === 0 ? "[" : ",").charCodeAt(0);
    block[block.length - 1] = (sent + block.length < size ? " " : "]").charCodeAt(0);
    for (const chunk of chunksOf(block)) yield chunk.slice();
  }
}
