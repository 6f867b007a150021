/** Values that the page and its workers send each other. */

/** Grammar and separation of the documents of an input. */
export type Format = "json" | "lines" | "concatenated" | "comments";

/** Bytes to work on, and how to read them. */
export interface Source {
  blob: Blob;
  /** Name of the file; empty for text. */
  name: string;
  format: Format;
}

/** Share of a job that is done, and what it is counted in. */
export interface Progress {
  done: number;
  total: number;
}

/** Function that tells the page how far a job is. */
export type Report = (progress: Progress) => void;

export type Reply = { progress: Progress } | { result: unknown } | { error: string };

/** Location and message of a failure, ready to be shown. */
export interface Finding {
  message: string;
  line: number;
  column: number;
  offset: number;
  /** Line of the failure and the one before, and a caret below. */
  snippet: string;
  hint?: string;
  /** Format in which the document may be valid. */
  suggestion?: Format;
}
