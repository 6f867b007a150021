/** Messages between the page and its workers. */

/** Grammar and separation of the documents of an input. */
export type Format = "json" | "lines" | "concatenated" | "comments";

/** Bytes to work on, and how to read them. */
export interface Source {
  blob: Blob;
  /** Name of the file; empty for text. */
  name: string;
  format: Format;
}

/** Content of valid JSON that `JSON.parse` changes: names that an object has twice, large integers. */
export type Concern = "duplicateNames" | "unsafeIntegers";

/** Validates all of a source, or looks for a concern in it. */
export interface CheckJob {
  kind: "check";
  source: Source;
  concern?: Concern;
  /** Columns of a snippet. */
  columns: number;
}

/** Copies what a pointer or a mask wants of a source. */
export interface FindJob {
  kind: "find";
  source: Source;
  by: "pointer" | "mask";
  text: string;
  /** Conditions of the documents that a mask reads. */
  wheres: string[];
  columns: number;
}

/** Times the parsing of a source, and by native functions. */
export interface MeasureJob {
  kind: "measure";
  source: Source;
}

/** Makes a value, and keeps it alive until the next job of this kind. */
export interface HoldJob {
  kind: "hold";
  source: Source;
  held: Held;
}

/** Parses pairs of documents after which `JSON.parse` of V8 may give a wrong key. */
export interface KeysJob {
  kind: "keys";
}

/** Memory that a worker keeps alive: the bytes alone, or the bytes and the value of a parser. */
export type Held = "bytes" | "parseBinary" | "native";

export type Job = CheckJob | FindJob | MeasureJob | HoldJob | KeysJob;

/** Results by the kind of the job. */
export interface Results {
  check: CheckResult;
  find: FindResult;
  measure: MeasureResult;
  /** Number of things that are alive. */
  hold: number;
  keys: KeysResult;
}

/** Message to a worker. A job ends the one before it; `null` only ends it. */
export interface Request {
  id: number;
  job: Job | null;
}

/** Share of a job that is done, from 0 to 1, and what it is counted in. */
export interface Progress {
  done: number;
  total: number;
}

/** Message of a worker about a job. */
export type Reply =
  | { id: number; progress: Progress }
  | { id: number; result: unknown }
  | { id: number; error: string };

/** Place and reason of a failure, ready to be shown. */
export interface Finding {
  message: string;
  line: number;
  column: number;
  offset: number;
  /** Line of the failure and the one before, and a caret below. */
  snippet: string;
  hint?: string;
  /** Format in which the document may be right. */
  suggestion?: Format;
}

/** Result of {@linkcode CheckJob}. */
export interface CheckResult {
  bytes: number;
  milliseconds: number;
  /** Number of documents, if there may be several. */
  documents?: number;
  invalidDocuments: number;
  /** Whether the rest was not read, because it cannot change the result. */
  endsEarly: boolean;
  /** The first failures. */
  findings: Finding[];
}

/** Result of {@linkcode FindJob}. */
export type FindResult =
  | {
    ok: true;
    /** Results as JSON, one on each line; the first of them. */
    text: string;
    results: number;
    /** Whether more results, or the rest of the last one, are left out. */
    isCut: boolean;
    documents: number;
    invalidDocuments: number;
    /** The first failure. */
    finding?: Finding;
    /**
     * Place of the value at a pointer, or the longest part of the pointer that leads to a value.
     */
    place?: { line: number; column: number } | { foundPart: string };
  }
  /** The pointer, the mask or a condition is wrong. `lines` are its text and a caret. */
  | { ok: false; message: string; lines: string[] };

/** Times of one way to read a document. */
export interface Timing {
  /** Median of a call, in milliseconds. */
  median: number;
  /** Half the interquartile range as a share of the median. */
  spread: number;
}

/** Ratio of speeds to native, over rounds: above 1, native is slower. */
export interface SpeedRatio {
  lower: number;
  median: number;
  upper: number;
}

/** Result of {@linkcode MeasureJob}. */
export type MeasureResult =
  | {
    ok: true;
    bytes: number;
    rounds: number;
    /** Number of documents in a call. */
    documents: number;
    isValid: boolean;
    parseBinary: Timing;
    validateBinary: Timing;
    native: Timing;
    parseRatio: SpeedRatio;
    validateRatio: SpeedRatio;
  }
  | { ok: false; reason: string };

/** Result of {@linkcode KeysJob}. */
export interface KeysResult {
  pairs: number;
  /** Number of wrong keys. */
  native: number;
  parseBinary: number;
  /** First pair with a wrong key of `JSON.parse`, or any pair. */
  example: { first: string; second: string; lastKey: string; actual: string };
}
