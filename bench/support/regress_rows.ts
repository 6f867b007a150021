/** Rows of `deno task bench regress`: work that two builds, or one and native, do in turn. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { geometricMean, median } from "../../measure/statistics.ts";
import { selectDocuments } from "./corpus.ts";
import { generate, type Kind, payloads, pushAll, readLinesNative } from "./documents.ts";
import { consumed, type Effort, laneOf, measureLanes, measureMixed, takeTurns } from "./bench_lanes.ts";
import { logLines, messages, orders } from "./select_documents.ts";
import type { Mask } from "../../select.ts";
import { MESSAGE_MASK } from "./selections.ts";

type Library = typeof import("../../mod.ts") & typeof import("../../select.ts");

type Reader = (bytes: Uint8Array) => unknown;

/** Name of the side that has no library: `JSON.parse` of decoded text. */
export const NATIVE = "native";

const decoder = new TextDecoder();

function parseNative(bytes: Uint8Array): unknown {
  return JSON.parse(decoder.decode(bytes));
}

/** Work that a row measures, on each of its documents. */
interface Work {
  documents: () => Uint8Array[][];
  ours: (library: Library) => Reader;
  native: Reader;
  /** Whether each run gets its own copy, made before the run is timed. */
  copies?: true;
  /** Interleaves documents, as on a server. */
  mixes?: true;
}

const ORDER_MASK: Mask = { data: [{ id: true, items: [{ sku: true }] }] };
const LINE_MASK = { timestamp: true, message: true, http: { status: true } } as const;
const LINES_BYTES = 3_000_000;
const LARGE_BYTES = 10_000_000;
const isError = ({ level }: { level?: string }): boolean => level === "error";

function generated(...kinds: Kind[]): Uint8Array[][] {
  return kinds.map((kind) => [generate(kind)]);
}

function pushLines(library: Library, options: object): Reader {
  return (bytes) => {
    let count = 0;
    const parser = new library.BinaryParser({ multiple: "lines", ...options, onValue: () => void count++ });
    if (!pushAll(bytes, parser).ok) throw new Error("Cannot read the lines");
    return count;
  };
}

/** Filters lines; a library without filters selects what is tested, too. */
function filterLines(library: Library): Reader {
  const where = [["/level", "=", "error"]];
  if (library.matches !== undefined) return pushLines(library, { select: library.selector(LINE_MASK), where });
  const select = library.selector({ ...LINE_MASK, level: true });
  return (bytes) => {
    let count = 0;
    const onValue = ({ value }: { value: unknown }): void => void (isError(value as object) && count++);
    pushAll(bytes, new library.BinaryParser({ multiple: "lines", select, onValue }));
    return count;
  };
}

/** Work that both sides do in turn in one process, by the names of rows. */
export const WARM: Record<string, Work> = {
  "corpus": {
    documents: () => selectDocuments({ paths: [], only: /^(corpus|generated)\// }).map(({ parts }) => parts),
    ours: ({ parseBinary }) => (bytes) => parseBinary(bytes),
    native: parseNative,
  },
  "mixed bodies": {
    documents: () => [1, 31, 100, 300, 700, 1500, 3000, 20_000].map(payloads),
    ours: ({ parseBinary }) => (bytes) => parseBinary(bytes),
    native: parseNative,
    mixes: true,
  },
  "10 MB bodies": {
    documents: () => [[generate("records", LARGE_BYTES)]],
    ours: ({ parseBinary }) => (bytes) => parseBinary(bytes),
    native: parseNative,
    copies: true,
  },
  "10 MB bodies, detach": {
    documents: () => [[generate("records", LARGE_BYTES)]],
    ours: ({ parseBinary, detach }) => (bytes) => [parseBinary(bytes), detach(bytes)],
    native: parseNative,
    copies: true,
  },
  "chunks": {
    documents: () => generated("records", "floats of 6 decimals", "sentences", "CJK text"),
    ours: ({ BinaryParser }) => (bytes) => pushAll(bytes, new BinaryParser()),
    native: parseNative,
  },
  "lines": {
    documents: () => [[logLines(LINES_BYTES)]],
    ours: (library) => pushLines(library, { select: library.selector(LINE_MASK) }),
    native: (bytes) => readLinesNative(bytes),
  },
  "lines, filter": {
    documents: () => [[logLines(LINES_BYTES)]],
    ours: filterLines,
    native: (bytes) => readLinesNative(bytes, isError),
  },
  "select": {
    documents: () => [[orders(1_000_000)], messages(2000)],
    ours({ selectBinary, selector }) {
      const masks = [ORDER_MASK, MESSAGE_MASK].map((mask) => selector(mask));
      return (bytes) => selectBinary(bytes, masks[bytes.length > 2000 ? 0 : 1]);
    },
    native: parseNative,
  },
  "validate": {
    documents: () => [...generated("records", "floats of 6 decimals", "sentences", "CJK text", "deep"), payloads(300)],
    ours: ({ validateBinary }) => (bytes) => validateBinary(bytes),
    native: parseNative,
  },
};

const EFFORT: Effort = { rounds: 6, batch: 4, warmUp: 60, patience: 1 };
const QUICK: Effort = { rounds: 1, batch: 1, warmUp: 5, patience: 1 };
/** Runs of work that gets copies: before the first sample, and samples. */
const COPY_WARM_UP = 6;
const COPY_SAMPLES = 14;

function loadLibrary(side: string): Promise<Library> {
  return import(pathToFileURL(join(side, "index.js")).href);
}

/** Resolves with the function of a side that reads documents. */
async function readerOf({ ours, native }: Work, side: string): Promise<Reader> {
  return side === NATIVE ? native : ours(await loadLibrary(side));
}

/** Times two readers on copies of a document in turn. Returns their medians. */
async function timeCopies(readers: Reader[], [document]: Uint8Array[], isQuick: boolean): Promise<number[]> {
  const samples: number[][] = readers.map(() => []);
  const rounds = isQuick ? 2 : COPY_WARM_UP + COPY_SAMPLES;
  await takeTurns([...readers.keys()], rounds, (i) => {
    const copy = document.slice();
    const start = performance.now();
    consumed.value = readers[i](copy);
    samples[i].push(performance.now() - start);
    consumed.value = undefined;
  });
  return samples.map((times) => median(isQuick ? times : times.slice(COPY_WARM_UP)));
}

/**
 * Measures a row of {@linkcode WARM}. Resolves with the mean over documents of the first side's
 * time divided by the second's.
 */
export async function measureWarm(row: string, sides: [string, string], isQuick: boolean): Promise<number> {
  const work = WARM[row];
  const readers = await Promise.all(sides.map((side) => readerOf(work, side)));
  const documents = work.documents().slice(0, isQuick ? 2 : Infinity);
  const effort = isQuick ? QUICK : EFFORT;
  const times: number[][] = [];
  if (work.copies) {
    for (const parts of documents) times.push(await timeCopies(readers, parts, isQuick));
  } else {
    const lanes = documents.map((parts) => readers.map((parse) => laneOf({ name: "", parse }, parts)));
    if (work.mixes) await measureMixed(lanes.flat(), { ...effort, rounds: 2 * effort.rounds });
    else for (const pair of lanes) await measureLanes(pair, effort);
    times.push(...lanes.map((pair) => pair.map(({ milliseconds }) => milliseconds)));
  }
  return geometricMean(times.map(([first, second]) => first / second));
}

/** Makes the documents of first calls. */
export function firstDocuments(): Uint8Array[] {
  const kinds: Kind[] = ["records", "many small objects", "floats of 6 decimals", "sentences", "CJK text"];
  return [
    ...[10_000, 200_000].flatMap((size) => kinds.map((kind) => generate(kind, size))),
    messages(2000)[0],
    generate("pretty-printed", 50_000),
  ];
}
