/**
 * Functions and classes that the library exports, each as one way to read an input, and the
 * promises of SECURITY.md that each has to keep. Tests of a promise go through all rows that it
 * covers, so a new row is tested at once, and `tests/library/entry_points_test.ts` fails for an
 * export that has no row. Runs in any runtime.
 *
 * Rows also run while prototypes are changed: until a reading is complete, they use neither methods
 * of arrays nor stores beyond the end of one, and wait for nothing but promises. They give options
 * only where they must, in objects that inherit nothing.
 *
 * @module
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
  ValueAt,
  ValueSeparation,
} from "../../mod.ts";
import { pick } from "../../bench/support/picking.ts";

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
 * Promises of SECURITY.md: groups and exports that each covers. "all" is all that is imported,
 * modules without exports included.
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
  "No wrong value": "parseBinary, BinaryParser, selectors, validateBinary, BinaryValidator",
  "No effect": "parsers, selectors, validators, helpers",
  "Any realm": "parsers, selectors, validators, helpers",
  "Shared memory": "parsers, selectors, validators",
  "Clean failure": "parseBinary, BinaryParser, selectors, validateBinary, BinaryValidator",
  "Limits of the engine": "parseBinary, BinaryParser",
  "Constant memory": "validateBinary, BinaryValidator",
  "No detaching": "parseBinary, parseWithSchema, BinaryParser, selectors, validateBinary, BinaryValidator",
  "Neighbours are safe": "detach, readBytes, readJson, parseStream, parsePartial, parseValues, JsonParseStream",
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
  #first: { item: T; next: unknown } | undefined = undefined;
  #last: { item: T; next: unknown } | undefined = undefined;

  /** Adds an item at the end. */
  add(item: T): void {
    const added = { item, next: undefined };
    if (this.#last === undefined) this.#first = added;
    else this.#last.next = added;
    this.#last = added;
  }

  /** Takes the first item out of the list. */
  take(): { item: T } | undefined {
    const taken = this.#first;
    this.#first = taken?.next as typeof taken;
    if (this.#first === undefined) this.#last = undefined;
    return taken;
  }

  /** Returns the items. */
  toArray(): T[] {
    const items: T[] = [];
    for (let link = this.#first; link !== undefined; link = link.next as typeof link) items.push(link.item);
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

/**
 * Reader of one input that takes chunks one after the other, and stays as it was if it refuses one.
 */
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

const documentOf = (texts: string[]): string => `[${texts.join()}]`;
const linesOf = (texts: string[]): string => texts.map((text) => `${text}\n`).join("");
const sequenceOf = (texts: string[]): string => texts.join(" ");
const elementsOf = (texts: string[]): string => `{"w":[1,{"x":2}],"x":[0,{"items":[${texts.join()}]}],"y":{"z":[]}}`;

/** JSON Pointer of the array in {@linkcode elementsOf}. */
const AT = "/x/1/items";

const parsed = (texts: string[]): unknown[] => texts.map((text) => JSON.parse(text));

const FORMS: { name: string; multiple: ValueSeparation; inputOf: (texts: string[]) => string }[] = [
  { name: "lines", multiple: "lines", inputOf: linesOf },
  { name: "concatenated values", multiple: "concatenated", inputOf: sequenceOf },
  { name: "elements", multiple: "elements", inputOf: elementsOf },
];

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

/** Makes a reading of one result. */
function readingOf(result: { ok: true; value?: unknown } | ParseFailure, hasValue = true): Reading {
  const reading = newReading();
  if (!result.ok) reading.failure = result;
  else if (hasValue) reading.values.add(result.value);
  return reading;
}

/** Makes a reading of the values that were found. A failure is the same for all pointers. */
function readingAt(results: readonly (ParseAtResult | LocateResult)[]): Reading {
  const reading = newReading();
  for (let i = 0; i < results.length; i++) {
    const result = results[i];
    if (!result.ok) reading.failure = result;
    else if (hasOwn(result, "value")) reading.values.add((result as ValueAt).value);
  }
  return reading;
}

/** Makes a reading of a body, whose failure is that of its text. */
function readingOfBody(result: ReadJsonResult | ParseWithSchemaResult): Reading {
  if (result.ok) return readingOf(result);
  if (!("offset" in result)) throw new Error(result.message);
  const { ok, code, message, offset, line, column, truncated } = result;
  return readingOf({ ok, code, message, offset, line, column, truncated });
}

/** Adds a result of a stream of values. */
function addResult(reading: Reading, result: { ok: true; value: unknown } | ParseFailure): void {
  if (result.ok) reading.values.add(result.value);
  else {
    const { ok, code, message, offset, line, column, truncated } = result;
    reading.failure ??= { ok, code, message, offset, line, column, truncated };
  }
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

/**
 * Describes entry points that read JSON. Each of `rows` has a reader of whole inputs or of chunks.
 */
function jsonEntryPoint(
  name: string,
  inputOf: (texts: string[]) => string,
  valuesOf: (texts: string[]) => unknown[],
  how: Pick<EntryPoint, "isWhole" | "read"> | Required<Pick<EntryPoint, "open">>,
): EntryPoint {
  const description = { name, export: name.split(" ")[0], inputOf, valuesOf, readsJson: true };
  if ("read" in how) return { ...description, ...how };
  return { ...description, isWhole: false, read: (chunks) => readAll(how.open(), chunks), ...how };
}

/**
 * Returns the part of each value that selecting rows take. Its names are those of inputs in tests.
 */
function pictureOf({ every }: Library) {
  return {
    id: true,
    toString: true,
    a: true,
    "é中\n": { 0: [[true]], 1: true },
    ["__proto__"]: { polluted: true },
    0: true,
    name: { a: true, id: [true] },
    value: { get: true, [every]: { a: true } },
    "wide 7": true,
    absent: { a: true },
  } as const; // a literal of the type Mask could have no member toString
}

/** Returns the part of each value that the row of `every` takes. */
function pictureOfAll({ every }: Library): Mask {
  return { x: [true], a: true, [every]: { a: true, 0: true, [every]: [true] } };
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
      at: multiple === "elements" ? AT : undefined,
      onValue: ({ value }: { value: unknown }) => reading.values.add(value),
      onFailure: (failure: ParseFailure) => void (reading.failure ??= failure),
    });
    const parser = new BinaryParser(options);
    return {
      push: (chunk) => void parser.push(chunk),
      end() {
        const result = parser.end();
        if (multiple === undefined) return readingOf(result);
        if (!result.ok) reading.failure ??= result;
        return reading;
      },
    };
  };
  const whole = (texts: string[]): unknown[] => [parsed(texts)];
  const entryPoints = [
    jsonEntryPoint("parseBinary", documentOf, whole, {
      isWhole: true,
      read: (chunks) => readingOf(parseBinary(chunks[0])),
    }),
    jsonEntryPoint("parseBinary of a slice", documentOf, whole, {
      isWhole: true,
      read: (chunks) => readingOf(parseBinary(new Slice(chunks[0]))),
    }),
    jsonEntryPoint("parseOrThrow", documentOf, whole, {
      isWhole: true,
      read(chunks) {
        try {
          return readingOf({ ok: true, value: parseOrThrow(chunks[0]) });
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
          return readingOf(error.cause as ParseFailure);
        }
      },
    }),
    jsonEntryPoint("BinaryParser", documentOf, whole, { open: () => openParser() }),
    jsonEntryPoint("parseStream", documentOf, whole, {
      isWhole: false,
      read: async (chunks) => readingOf(await parseStream(sourceOf(chunks))),
    }),
    jsonEntryPoint("BinaryParser with values so far", documentOf, whole, {
      open() {
        const parser = new BinaryParser();
        let pushes = 0;
        return {
          push(chunk) {
            parser.push(chunk);
            pushes++;
            if ((pushes & pushes - 1) === 0) parser.partial(); // in time linear in what has arrived
          },
          end: () => readingOf(parser.end()),
        };
      },
    }),
    jsonEntryPoint("parsePartial", documentOf, whole, {
      isWhole: false,
      async read(chunks) {
        const values = parsePartial(sourceOf(chunks));
        let last: PartialResult | undefined;
        for (let next = await values.next(); !next.done; next = await values.next()) last = next.value;
        return readingOf(last!);
      },
    }),
    jsonEntryPoint("readJson", documentOf, whole, {
      isWhole: false,
      read: async (chunks) => readingOfBody(await readJson(sourceOf(chunks), unlimited)),
    }),
    jsonEntryPoint("parseWithSchema", documentOf, whole, {
      isWhole: true,
      read: (chunks) => readingOfBody(parseWithSchema(chunks[0], schema)),
    }),
  ];
  const selected = (texts: string[]): unknown[] => [pick(parsed(texts), [picture], library.every)];
  const ofDocument = selector([picture]);
  entryPoints.push(
    jsonEntryPoint("BinaryParser that selects", documentOf, selected, {
      open: () => openParser(undefined, ofDocument),
    }),
    jsonEntryPoint("parseStream that selects", documentOf, selected, {
      isWhole: false,
      read: async (chunks) => readingOf(await parseStream(sourceOf(chunks), bare({ select: ofDocument }))),
    }),
  );
  const ofSeveral = (
    form: string,
    multiple: ValueSeparation,
    inputOf: EntryPoint["inputOf"],
    select?: Selector,
    where?: readonly Condition[],
  ) => {
    const at = multiple === "elements" ? AT : undefined;
    const isPlain = multiple === "lines" && select === undefined && where === undefined;
    const options = isPlain ? undefined : bare({ multiple, at, select, where });
    const name = where !== undefined
      ? `${form} that filters${select === undefined ? " by pointers" : ""}`
      : select === undefined
      ? form
      : `${form} that selects`;
    const valuesOf = (texts: string[]): unknown[] => {
      return select === undefined ? parsed(texts) : parsed(texts).map((value) => pick(value, picture, library.every));
    };
    return [
      jsonEntryPoint(`BinaryParser of ${name}`, inputOf, valuesOf, { open: () => openParser(multiple, select, where) }),
      jsonEntryPoint(`parseValues of ${name}`, inputOf, valuesOf, {
        isWhole: false,
        async read(chunks) {
          const reading = newReading();
          const values = parseValues(sourceOf(chunks), options);
          for (let next = await values.next(); !next.done; next = await values.next()) addResult(reading, next.value);
          return reading;
        },
      }),
      jsonEntryPoint(`JsonParseStream of ${name}`, inputOf, valuesOf, {
        isWhole: false,
        async read(chunks) {
          const reading = newReading();
          await flow(new JsonParseStream(options), chunks, (result) => addResult(reading, result));
          return reading;
        },
      }),
    ];
  };
  const ofValues = selector(picture);
  return [
    ...entryPoints,
    ...FORMS.flatMap(({ name, multiple, inputOf }) => [
      ...ofSeveral(name, multiple, inputOf),
      ...ofSeveral(name, multiple, inputOf, ofValues),
      // One by a mask, one by pointers.
      ...ofSeveral(name, multiple, inputOf, ofValues, [["/a name that is not there/a", "exists", false]]),
      ...ofSeveral(name, multiple, inputOf, undefined, [["", "exists"], ["/0/not there", "exists", false]]),
    ]),
  ];
}

function selectorsOf(library: Library): EntryPoint[] {
  const { locate, matches, parseAt, parseBinary, selectBinary, selector, Slice } = library;
  const picture = [pictureOf(library)] as const;
  const all = [pictureOfAll(library)] as const;
  const ofPicture = selector(picture);
  const ofAll = selector(all);
  const row = (
    name: string,
    inputOf: (texts: string[]) => string,
    valuesOf: (texts: string[]) => unknown[],
    read: (chunk: Uint8Array) => Reading,
  ): EntryPoint => jsonEntryPoint(name, inputOf, valuesOf, { isWhole: true, read: (chunks) => read(chunks[0]) });
  const whole = (texts: string[]): unknown[] => [parsed(texts)];
  const picked = (texts: string[]): unknown[] => [pick(parsed(texts), picture, library.every)];
  return [
    row("selectBinary", documentOf, picked, (chunk) => readingOf(selectBinary(chunk, ofPicture))),
    row("selectBinary of a slice", documentOf, picked, (chunk) => readingOf(selectBinary(new Slice(chunk), ofPicture))),
    row("selector", documentOf, picked, (chunk) => readingOf(selectBinary(chunk, selector(picture)))),
    row("every", documentOf, (texts) => [pick(parsed(texts), all, library.every)], (chunk) => {
      return readingOf(selectBinary(chunk, ofAll));
    }),
    row("matches", documentOf, () => [true], (chunk) => readingOf(matches(chunk, [["/a", "exists", false]]))),
    row("parseAt", elementsOf, whole, (chunk) => readingAt([parseAt(chunk, AT)])),
    row("parseAt of a slice", elementsOf, whole, (chunk) => readingAt([parseAt(new Slice(chunk), AT)])),
    row("parseAt of a list", elementsOf, (texts) => [[], parsed(texts), 2], (chunk) => {
      return readingAt(parseAt(chunk, ["/y/z", AT, "/w/1/y", ["w", 1, "x"]]));
    }),
    row("locate", elementsOf, whole, (chunk) => {
      const place = locate(chunk, AT);
      if (!place.ok || !place.found) return readingAt([place]);
      return readingOf(parseBinary(new Slice(chunk, place.start, place.end - place.start)));
    }),
  ];
}

function validatorsOf({ BinaryValidator, JsonValidationStream, Slice, validateBinary }: Library): EntryPoint[] {
  const openValidator = (multiple?: "lines" | "concatenated"): OpenReader => {
    const options: BinaryValidatorOptions | undefined = multiple && bare({ multiple });
    const validator = new BinaryValidator(options);
    return { push: (chunk) => void validator.push(chunk), end: () => readingOf(validator.end(), false) };
  };
  const nothing = (): unknown[] => [];
  return [
    jsonEntryPoint("validateBinary", documentOf, nothing, {
      isWhole: true,
      read: (chunks) => readingOf(validateBinary(chunks[0]), false),
    }),
    jsonEntryPoint("validateBinary of a slice", documentOf, nothing, {
      isWhole: true,
      read: (chunks) => readingOf(validateBinary(new Slice(chunks[0])), false),
    }),
    jsonEntryPoint("BinaryValidator", documentOf, nothing, { open: () => openValidator() }),
    jsonEntryPoint("BinaryValidator of lines", linesOf, nothing, { open: () => openValidator("lines") }),
    jsonEntryPoint("BinaryValidator of concatenated values", sequenceOf, nothing, {
      open: () => openValidator("concatenated"),
    }),
    jsonEntryPoint("JsonValidationStream", documentOf, nothing, {
      isWhole: false,
      async read(chunks) {
        const reading = newReading();
        try {
          await flow(new JsonValidationStream(), chunks, () => {});
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
          reading.failure = error.cause as ParseFailure;
        }
        return reading;
      },
    }),
  ];
}

function helpersOf({ ChunkQueue, detach, PoolAllocator, readBytes, Slice }: Library): EntryPoint[] {
  const encoder = new TextEncoder();
  const helper = (
    name: string,
    isWhole: boolean,
    valuesOf: (bytes: Uint8Array) => unknown[],
    how: Pick<EntryPoint, "read"> | Required<Pick<EntryPoint, "open">>,
  ): EntryPoint => {
    return {
      ...jsonEntryPoint(name, documentOf, (texts) => valuesOf(encoder.encode(documentOf(texts))), { isWhole, ...how }),
      readsJson: false,
      isWhole,
    };
  };
  return [
    helper("readBytes", false, (bytes) => [bytesIn(bytes)], {
      read: async (chunks) => readingOf({ ok: true, value: bytesIn(await readBytes(sourceOf(chunks))) }),
    }),
    helper("ChunkQueue", false, (bytes) => [bytesIn(bytes)], {
      open() {
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
      },
    }),
    helper("Slice", true, (bytes) => [bytesIn(bytes), bytes.length, 0], {
      read(chunks) {
        const reading = newReading();
        const slice = new Slice(chunks[0]);
        const copy = new Slice(new Uint8Array(slice.length + 3), 1, slice.length);
        copy.write(slice.toString("hex"), 0, slice.length, "hex");
        reading.values.add(bytesIn(copy.toBytes()));
        reading.values.add(slice.copy(copy));
        reading.values.add(copy.compare(slice));
        return reading;
      },
    }),
    helper("PoolAllocator", true, (bytes) => [bytesIn(bytes.subarray(0, 2)), 16, 15, 1, 14], {
      read(chunks) {
        const reading = newReading();
        const pool = new PoolAllocator(chunks[0]);
        reading.values.add(bytesIn(pool.realloc(2).toBytes()));
        reading.values.add(pool.size);
        const { buckets, padding, poolCount } = pool.stats;
        reading.values.add(buckets.length);
        reading.values.add(poolCount);
        reading.values.add(padding);
        return reading;
      },
    }),
    helper("detach", true, () => [true], {
      read: (chunks) => readingOf({ ok: true, value: detach(chunks[0]) }),
    }),
  ];
}

/** Returns the entry points of a library. */
export function entryPointsOf(library: Library): EntryPoint[] {
  return [...parsersOf(library), ...selectorsOf(library), ...validatorsOf(library), ...helpersOf(library)];
}

/**
 * Stands for `TransformStream` where that of the runtime cannot run, such as in a realm whose
 * prototypes are changed. Reads the members of a transformer as the standard says, and nothing else
 * of it.
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
