/**
 * Functions and classes that the library exports, each as one way to read an input, and the
 * promises of SECURITY.md that each has to keep. Tests of a promise go through all rows that it
 * covers, so a new row is tested at once, and `tests/library/entry_points_test.ts` fails for an
 * export that has no row. Runs in any runtime.
 *
 * Rows also run while prototypes are changed: until a reading is complete, they use neither methods
 * of arrays nor stores beyond the end of one, and wait for nothing but promises. They give options
 * only where they must, in objects that inherit nothing.
 */

import type {
  BinaryParserOptions,
  BinaryValidatorOptions,
  Condition,
  LocateResult,
  Mask,
  ParseAtResult,
  ParseFailure,
  ParseWithSchemaResult,
  PartialResult,
  ReadJsonResult,
  Selector,
  StandardSchemaV1,
  ValueSeparation,
} from "../../mod.ts";
import { pick } from "./picking.ts";

const { hasOwn, setPrototypeOf } = Object;

/** Exports of the library. Type only, since tests load it in changed realms. */
type Library = typeof import("../../mod.ts");

/** Kinds of exports, as SECURITY.md names them. */
export const GROUPS: Record<string, string[]> = {
  parsers: [
    ...["parseBinary", "parseOrThrow", "BinaryParser", "parseStream", "parsePartial", "parseValues", "JsonParseStream"],
    ...["readJson", "parseWithSchema"],
  ],
  selectors: ["selector", "every", "selectBinary", "matches", "parseAt", "locate"],
  validators: ["validateBinary", "BinaryValidator", "JsonValidationStream"],
  helpers: ["readBytes", "ChunkQueue", "Slice", "PoolAllocator", "detach"],
};

/**
 * Promises of SECURITY.md: groups and exports that each covers. "all" is everything that can be
 * imported, including modules without exports.
 */
export const PROMISES = {
  "No exception": "parsers, selectors, validators",
  "Right values": "parsers, selectors",
  "Strict input": "parsers, selectors, validators",
  "No confusion": "parsers, selectors",
  "True positions": "parsers, selectors, validators",
  "No retention": "parsers, selectors, validators",
  "No echo": "parsers, selectors, validators",
  "Bounded state": "all",
  "Linear work": "parsers, selectors, validators",
  "Any depth": "parsers, selectors, validators",
  "Bounded generated code": "all",
  "No generated code": "all",
  "Same results wherever input is cut":
    "BinaryParser, parseStream, parsePartial, parseValues, JsonParseStream, BinaryValidator, " +
    "JsonValidationStream, readJson, readBytes, ChunkQueue",
  "Prototypes": "parsers, selectors, validators, helpers",
  "No accessor and no method": "parsers, selectors, validators, helpers",
  "No effect": "parsers, selectors, validators, helpers",
  "Any realm": "parsers, selectors, validators, helpers",
  "Shared memory": "parsers, selectors, validators",
  "Clean failure": "parseBinary, BinaryParser, selectors, validateBinary, BinaryValidator",
  "Limits of the engine": "parseBinary, BinaryParser",
  "Constant memory": "validateBinary, BinaryValidator",
  "No detaching": "parsers, selectors, validators, readBytes, ChunkQueue, Slice",
  "Only what is ours": "all",
  "Only whole buffers are detached": "all",
  "A hint is not trusted": "readBytes, readJson",
  "Within bounds": "Slice",
  "No double use": "PoolAllocator",
  "Nothing else": "all",
} as const satisfies Record<string, string>;

/** Returns the exports that a promise covers. */
export function exportsCoveredBy(promise: keyof typeof PROMISES): string[] {
  const covers: string = PROMISES[promise];
  if (covers === "all") return Object.values(GROUPS).flat();
  return covers.split(", ").flatMap((name) => GROUPS[name] ?? [name]);
}

/** Returns the entry points that a promise covers. */
export function coveredBy(promise: keyof typeof PROMISES, entryPoints: EntryPoint[]): EntryPoint[] {
  const names = exportsCoveredBy(promise);
  return entryPoints.filter((entryPoint) => names.includes(entryPoint.export));
}

/** List that uses no built-in function, so that none that was replaced can change it. */
export class List<T> {
  /** Items by their numbers, in an object that inherits nothing. */
  readonly #items: Record<number, T> = setPrototypeOf({}, null);
  #count = 0;
  #taken = 0;

  add(item: T): void {
    this.#items[this.#count++] = item;
  }

  /** Takes the first item that was not taken yet. */
  take(): { item: T } | undefined {
    return this.#taken < this.#count ? { item: this.#items[this.#taken++] } : undefined;
  }

  toArray(): T[] {
    const items: T[] = [];
    for (let i = 0; i < this.#count; i++) items.push(this.#items[i]);
    return items;
  }
}

/** Result of reading an input. */
export interface Reading {
  /** Values in the order in which they came. */
  values: List<unknown>;
  /** First failure. */
  failure: ParseFailure | null;
}

/** Reader of one input that takes chunks in turn, and is unchanged if it refuses one. */
export interface OpenReader {
  push(chunk: Uint8Array): void;
  end(): Reading;
}

/** One way to read an input. */
export interface EntryPoint {
  name: string;
  /** Name of the export that it calls. */
  export: string;
  /** Composes the input of JSON texts. */
  inputOf(texts: string[]): string;
  /** Returns the values to be read from that input. */
  valuesOf(texts: string[]): unknown[];
  /** Whether it reads JSON. */
  readsJson: boolean;
  /** Whether it takes an input in one chunk only. */
  isWhole: boolean;
  /** Reads an input. The chunks may be detached. */
  read(chunks: readonly Uint8Array[]): Reading | Promise<Reading>;
  /** Begins an input, if the export takes chunks by a method. */
  open?(): OpenReader;
}

/** Composition of an input from texts, and the values to be read from it. */
type Form = Pick<EntryPoint, "inputOf" | "valuesOf">;

const parsed = (texts: string[]): unknown[] => texts.map((text) => JSON.parse(text));
const documentOf = (texts: string[]): string => `[${texts.join()}]`;
const linesOf = (texts: string[]): string => texts.map((text) => `${text}\n`).join("");
const sequenceOf = (texts: string[]): string => texts.join(" ");
const elementsOf = (texts: string[]): string => `{"w":[1,{"x":2}],"x":[0,{"items":[${texts.join()}]}],"y":{"z":[]}}`;

const membersOf = (texts: string[]): string => {
  const members = texts.map((text, i) => `"k${i % 3}":${text}`);
  return `{"w":{"x":2},"x":[0,{"items":{${members.join()}}}],"y":{"z":{}}}`;
};

/** JSON Pointer of the array in `elementsOf`, and of the object in `membersOf`. */
const AT = "/x/1/items";

const DOCUMENT: Form = { inputOf: documentOf, valuesOf: (texts) => [parsed(texts)] };
const WITHIN: Form = { inputOf: elementsOf, valuesOf: (texts) => [parsed(texts)] };

const SEPARATIONS: { name: string; multiple: ValueSeparation; inputOf: (texts: string[]) => string }[] = [
  { name: "lines", multiple: "lines", inputOf: linesOf },
  { name: "concatenated values", multiple: "concatenated", inputOf: sequenceOf },
  { name: "elements", multiple: "elements", inputOf: elementsOf },
  { name: "members", multiple: "members", inputOf: membersOf },
];

const isWithin = (multiple?: ValueSeparation): boolean => multiple === "elements" || multiple === "members";

/** Wrong inputs, and inputs that end in every state of the grammar. */
export const WRONG_TEXTS: string[] = [
  ...["", "[", "[1", "[1,", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', "-", "1.", "1.5e", "1e+", "t", "fals", "nu"],
  ...['"', '"a', '"\\', '"\\u00', '"é', "]", "[1 2]", '{"a" 1}', "{1}", '{"a":1 2}', "[,]", "01", "+1", "1 2", "truE"],
  ...['"\n"', '"\\x"', '"\\u00g0"', "\ufeff", "\ufeff\ufeff1", "[1]\n]\r\n{", "\r\ufeff1", '"\ud800', "[1,\r\n x]"],
];

/** Makes a reading without values. */
function newReading(): Reading {
  return { values: new List(), failure: null };
}

type Result = { ok: true; value?: unknown } | ParseFailure | ReadJsonResult | ParseWithSchemaResult | LocateResult;

/** Adds a result to a reading: its value, or its failure if that is the first one. */
function addResult(reading: Reading, result: Result, hasValue = true): Reading {
  if (result.ok) {
    if (hasValue) reading.values.add((result as { value?: unknown }).value);
    return reading;
  }
  if (!("offset" in result)) throw new Error(result.message); // of a body, not of its text
  const { ok, code, message, offset, line, column, truncated } = result;
  reading.failure ??= { ok, code, message, offset, line, column, truncated };
  return reading;
}

function readingOf(result: Result, hasValue = true): Reading {
  return addResult(newReading(), result, hasValue);
}

function readingOfValues(...values: unknown[]): Reading {
  const reading = newReading();
  for (let i = 0; i < values.length; i++) reading.values.add(values[i]);
  return reading;
}

/** Makes a reading of the values that were found. A failure is the same for all pointers. */
function readingAt(results: readonly (ParseAtResult | LocateResult)[]): Reading {
  const reading = newReading();
  for (let i = 0; i < results.length; i++) addResult(reading, results[i], hasOwn(results[i], "value"));
  return reading;
}

/** Makes an object that inherits nothing, so that changes of prototypes have no effect on it. */
function bare<T extends object>(properties: T): T {
  return setPrototypeOf(properties, null);
}

/** Returns a source that yields chunks, and that no prototype can reach. */
function sourceOf(chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  let taken = 0;
  const iterator = bare({
    next: () => {
      const done = taken === chunks.length;
      return Promise.resolve(bare({ done, value: done ? undefined : chunks[taken++] }));
    },
  });
  return bare({ [Symbol.asyncIterator]: () => iterator }) as AsyncIterable<Uint8Array>;
}

/** Writes chunks to a transform stream, and calls back for each chunk that leaves it. */
async function flow<T>(
  { readable, writable }: { readable: ReadableStream<T>; writable: WritableStream<Uint8Array> },
  chunks: readonly Uint8Array[],
  receive: (part: T) => void,
): Promise<void> {
  const writer = writable.getWriter();
  const write = async (): Promise<void> => {
    for (let i = 0; i < chunks.length; i++) await writer.write(chunks[i]);
    await writer.close();
  };
  write().catch(() => {}); // the readable side has the error
  const reader = readable.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) receive(part.value);
}

/** Reads all chunks by a reader that is open. */
function readAll(reader: OpenReader, chunks: readonly Uint8Array[]): Reading {
  for (let i = 0; i < chunks.length; i++) reader.push(chunks[i]);
  return reader.end();
}

/** Returns the numbers of the bytes of an array, which compare as a value. */
function bytesIn(bytes: Uint8Array): string {
  let digits = "";
  for (let i = 0; i < bytes.length; i++) digits += `${bytes[i]} `;
  return digits;
}

/** Makes a row of an export that takes an input in one chunk. */
function ofBytes(name: string, form: Form, read: (bytes: Uint8Array) => Reading): EntryPoint {
  const [exported] = name.split(" ");
  return { name, export: exported, ...form, readsJson: true, isWhole: true, read: (chunks) => read(chunks[0]) };
}

/** Makes a row of an export that takes chunks by a method. */
function ofPieces(name: string, form: Form, open: () => OpenReader): EntryPoint {
  return { ...ofChunks(name, form, (chunks) => readAll(open(), chunks)), open };
}

/** Makes a row of an export that takes a source of chunks. */
function ofSource(name: string, form: Form, read: (source: AsyncIterable<Uint8Array>) => Promise<Reading>): EntryPoint {
  return ofChunks(name, form, (chunks) => read(sourceOf(chunks)));
}

function ofChunks(name: string, form: Form, read: EntryPoint["read"]): EntryPoint {
  return { name, export: name.split(" ")[0], ...form, readsJson: true, isWhole: false, read };
}

/** Returns the mask for rows that select. Its names are those of inputs in tests. */
function pictureOf({ every }: Library) {
  return {
    id: true,
    toString: true,
    a: true,
    "é中\n": { 0: [[true]], 1: [2, 0, 5, 1, 3] },
    ["__proto__"]: { polluted: true },
    0: true,
    name: { a: true, id: [true] },
    value: { get: true, [every]: { a: true } },
    "wide 7": true,
    absent: { a: true },
  } as const; // a literal of the type Mask could have no member toString
}

function parsersOf(library: Library): EntryPoint[] {
  const { BinaryParser, JsonParseStream, parseBinary, parseOrThrow, parsePartial, parseStream, parseValues } = library;
  const { parseWithSchema, readJson, selector, Slice } = library;
  const unlimited = bare({ maxBytes: Infinity });
  const schema = bare({ "~standard": bare({ validate: (value: unknown) => bare({ value }) }) }) as StandardSchemaV1;
  const picture = pictureOf(library);
  const openParser = (multiple?: ValueSeparation, select?: Selector, where?: readonly Condition[]): OpenReader => {
    const reading = newReading();
    const options: BinaryParserOptions | undefined = (multiple ?? select) && bare({
      multiple,
      select,
      where,
      at: isWithin(multiple) ? AT : undefined,
      onValue: ({ value }: { value: unknown }) => reading.values.add(value),
      onFailure: (failure: ParseFailure) => void (reading.failure ??= failure),
    });
    const parser = new BinaryParser(options);
    return {
      push: (chunk) => void parser.push(chunk),
      end() {
        const result = parser.end();
        return multiple === undefined ? readingOf(result) : addResult(reading, result, false);
      },
    };
  };
  const selected: Form = {
    inputOf: documentOf,
    valuesOf: (texts) => [pick(parsed(texts), [picture], library.every)],
  };
  const ofDocument = selector([picture]);
  const entryPoints = [
    ofBytes("parseBinary", DOCUMENT, (bytes) => readingOf(parseBinary(bytes))),
    ofBytes("parseBinary of a slice", DOCUMENT, (bytes) => readingOf(parseBinary(new Slice(bytes)))),
    ofBytes("parseOrThrow", DOCUMENT, (bytes) => {
      try {
        return readingOf({ ok: true, value: parseOrThrow(bytes) });
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return readingOf(error.cause as ParseFailure);
      }
    }),
    ofBytes("parseWithSchema", DOCUMENT, (bytes) => readingOf(parseWithSchema(bytes, schema))),
    ofPieces("BinaryParser", DOCUMENT, () => openParser()),
    ofPieces("BinaryParser that selects", selected, () => openParser(undefined, ofDocument)),
    ofPieces("BinaryParser with values so far", DOCUMENT, () => {
      const parser = new BinaryParser();
      let pushes = 0;
      return {
        push(chunk) {
          parser.push(chunk);
          pushes++;
          if ((pushes & pushes - 1) === 0) parser.partial(); // in time linear in the input so far
        },
        end: () => readingOf(parser.end()),
      };
    }),
    ofSource("parseStream", DOCUMENT, async (source) => readingOf(await parseStream(source))),
    ofSource("parseStream that selects", selected, async (source) => {
      return readingOf(await parseStream(source, bare({ select: ofDocument })));
    }),
    ofSource("parsePartial", DOCUMENT, async (source) => {
      const values = parsePartial(source);
      let last: PartialResult | undefined;
      for (let next = await values.next(); !next.done; next = await values.next()) last = next.value;
      return readingOf(last!);
    }),
    ofSource("readJson", DOCUMENT, async (source) => readingOf(await readJson(source, unlimited))),
  ];
  const ofValues = selector(picture);
  const ofSeveral = (
    { name: form, multiple, inputOf }: typeof SEPARATIONS[number],
    how: string,
    select?: Selector,
    where?: readonly Condition[],
  ) => {
    const at = isWithin(multiple) ? AT : undefined;
    const options = multiple === "lines" && how === "" ? undefined : bare({ multiple, at, select, where });
    const valuesOf = (texts: string[]): unknown[] => {
      return select === undefined ? parsed(texts) : parsed(texts).map((value) => pick(value, picture, library.every));
    };
    const several: Form = { inputOf, valuesOf };
    return [
      ofPieces(`BinaryParser of ${form}${how}`, several, () => openParser(multiple, select, where)),
      ofSource(`parseValues of ${form}${how}`, several, async (source) => {
        const reading = newReading();
        const values = parseValues(source, options);
        for (let next = await values.next(); !next.done; next = await values.next()) addResult(reading, next.value);
        return reading;
      }),
      ofChunks(`JsonParseStream of ${form}${how}`, several, async (chunks) => {
        const reading = newReading();
        await flow(new JsonParseStream(options), chunks, (result) => addResult(reading, result));
        return reading;
      }),
    ];
  };
  return [
    ...entryPoints,
    ...SEPARATIONS.flatMap((separation) => [
      ...ofSeveral(separation, ""),
      ...ofSeveral(separation, " that selects", ofValues),
      // One by a mask, one by pointers.
      ...ofSeveral(separation, " that filters", ofValues, [["/a name that is not there/a", "exists", false]]),
      ...ofSeveral(separation, " that filters by pointers", undefined, [
        ["", "exists"],
        ["/0/not there", "exists", false],
        noneOf(library),
      ]),
    ]),
  ];
}

/** Returns a condition with every kind of part, which all values here fulfil. */
function noneOf({ every }: Library): Condition {
  const ofEntries: Condition = [[every], "in", ["nowhere", "no"]];
  return {
    not: { any: [ofEntries, ["/0", "startsWith", "nowhere"], { all: [["/key", "<", "!"], ["/1", ">=", 1e9]] }] },
  };
}

function selectorsOf(library: Library): EntryPoint[] {
  const { every, locate, matches, parseAt, parseBinary, selectBinary, selector, Slice } = library;
  const picture = [pictureOf(library)] as const;
  const all = [{ x: [true], a: true, [every]: { a: true, 0: true, [every]: [true] } }] as const;
  const [ofPicture, ofAll] = [selector(picture), selector(all)];
  const picked = (mask: Mask): Form => ({
    inputOf: documentOf,
    valuesOf: (texts) => [pick(parsed(texts), mask, library.every)],
  });
  const several: Form = { inputOf: elementsOf, valuesOf: (texts) => [[], parsed(texts), 2] };
  return [
    ofBytes("selectBinary", picked(picture), (bytes) => readingOf(selectBinary(bytes, ofPicture))),
    ofBytes("selectBinary of a slice", picked(picture), (bytes) => {
      return readingOf(selectBinary(new Slice(bytes), ofPicture));
    }),
    ofBytes("selector", picked(picture), (bytes) => readingOf(selectBinary(bytes, selector(picture)))),
    ofBytes("every", picked(all), (bytes) => readingOf(selectBinary(bytes, ofAll))),
    ofBytes("matches", { ...DOCUMENT, valuesOf: () => [true] }, (bytes) => {
      return readingOf(matches(bytes, [["/a", "exists", false], noneOf(library)]));
    }),
    ofBytes("parseAt", WITHIN, (bytes) => readingAt([parseAt(bytes, AT)])),
    ofBytes("parseAt of a slice", WITHIN, (bytes) => readingAt([parseAt(new Slice(bytes), AT)])),
    ofBytes("parseAt of a list", several, (bytes) => readingAt(parseAt(bytes, ["/y/z", AT, "/w/1/y", ["w", 1, "x"]]))),
    ofBytes("locate", WITHIN, (bytes) => {
      const place = locate(bytes, AT);
      if (!place.ok || !place.found) return readingAt([place]);
      return readingOf(parseBinary(new Slice(bytes, place.start, place.end - place.start)));
    }),
  ];
}

function validatorsOf({ BinaryValidator, JsonValidationStream, Slice, validateBinary }: Library): EntryPoint[] {
  const openValidator = (multiple?: "lines" | "concatenated") => (): OpenReader => {
    const options: BinaryValidatorOptions | undefined = multiple && bare({ multiple });
    const validator = new BinaryValidator(options);
    return { push: (chunk) => void validator.push(chunk), end: () => readingOf(validator.end(), false) };
  };
  const form = (inputOf: Form["inputOf"]): Form => ({ inputOf, valuesOf: () => [] });
  const document = form(documentOf);
  return [
    ofBytes("validateBinary", document, (bytes) => readingOf(validateBinary(bytes), false)),
    ofBytes("validateBinary of a slice", document, (bytes) => readingOf(validateBinary(new Slice(bytes)), false)),
    ofPieces("BinaryValidator", document, openValidator()),
    ofPieces("BinaryValidator of lines", form(linesOf), openValidator("lines")),
    ofPieces("BinaryValidator of concatenated values", form(sequenceOf), openValidator("concatenated")),
    ofChunks("JsonValidationStream", document, async (chunks) => {
      const reading = newReading();
      try {
        await flow(new JsonValidationStream(), chunks, () => {});
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        reading.failure = error.cause as ParseFailure;
      }
      return reading;
    }),
  ];
}

function helpersOf({ ChunkQueue, detach, PoolAllocator, readBytes, Slice }: Library): EntryPoint[] {
  const encoder = new TextEncoder();
  const form = (valuesOf: (bytes: Uint8Array) => unknown[]): Form => ({
    inputOf: documentOf,
    valuesOf: (texts) => valuesOf(encoder.encode(documentOf(texts))),
  });
  const copied = form((bytes) => [bytesIn(bytes)]);
  const rows = [
    ofSource("readBytes", copied, async (source) => readingOf({ ok: true, value: bytesIn(await readBytes(source)) })),
    ofPieces("ChunkQueue", copied, () => {
      const queue = new ChunkQueue();
      return {
        push: (chunk) => queue.push(chunk),
        end() {
          const bytes = new Uint8Array(queue.byteLength);
          const half = queue.read(bytes.subarray(0, bytes.length >> 1));
          const rest = bytes.subarray(half);
          for (let done = 0; queue.length > 0;) {
            const chunk = queue.shift()!;
            rest.set(chunk, done);
            done += chunk.length;
          }
          return readingOf({ ok: true, value: bytesIn(bytes) });
        },
      };
    }),
    ofBytes("Slice", form((bytes) => [bytesIn(bytes), bytes.length, 0]), (bytes) => {
      const slice = new Slice(bytes);
      const copy = new Slice(new Uint8Array(slice.length + 3), 1, slice.length);
      copy.write(slice.toString("hex"), 0, slice.length, "hex");
      return readingOfValues(bytesIn(copy.toBytes()), slice.copy(copy), copy.compare(slice));
    }),
    ofBytes("PoolAllocator", form((bytes) => [bytesIn(bytes.subarray(0, 2)), 16, 15, 1, 14]), (bytes) => {
      const pool = new PoolAllocator(bytes);
      const first = bytesIn(pool.realloc(2).toBytes());
      const { buckets, padding, poolCount } = pool.stats;
      return readingOfValues(first, pool.size, buckets.length, poolCount, padding);
    }),
    ofBytes("detach", form(() => [true]), (bytes) => readingOf({ ok: true, value: detach(bytes) })),
  ];
  return rows.map((row) => ({ ...row, readsJson: false }));
}

/** Returns the entry points of a library. */
export function entryPointsOf(library: Library): EntryPoint[] {
  return [...parsersOf(library), ...selectorsOf(library), ...validatorsOf(library), ...helpersOf(library)];
}

/**
 * Replaces `TransformStream` where the runtime's cannot run, such as in a realm with changed
 * prototypes. Reads only the members of a transformer that the standard specifies.
 */
export class PlainTransformStream<I, O> {
  readonly readable: ReadableStream<O>;
  readonly writable: WritableStream<I>;

  constructor(transformer: Transformer<I, O>) {
    const { start, transform, flush, cancel, readableType, writableType } = transformer as Transformer<I, O> & {
      cancel?: unknown;
    };
    if (cancel !== undefined || readableType !== undefined || writableType !== undefined) {
      throw new TypeError("Cannot make a stream: its transformer has inherited a member");
    }
    const parts = new List<O>();
    let hasEnded = false;
    const controller = bare({
      enqueue: (part: O) => parts.add(part),
      terminate: () => void (hasEnded = true),
    }) as unknown as TransformStreamDefaultController<O>;
    start?.(controller);
    let last: Promise<void> | undefined;
    const writer = bare({
      write: (chunk: I) => last = (async () => await transform!(chunk, controller))(),
      close: () =>
        last = (async () => {
          if (!hasEnded) await flush?.(controller);
          hasEnded = true;
        })(),
    });
    this.writable = bare({ getWriter: () => writer }) as unknown as WritableStream<I>;
    this.readable = bare({
      getReader: () =>
        bare({
          async read() {
            for (;;) {
              const part = parts.take();
              if (part !== undefined) return bare({ done: false, value: part.item });
              if (hasEnded) return bare({ done: true, value: undefined });
              await last;
            }
          },
        }),
    }) as unknown as ReadableStream<O>;
  }
}
