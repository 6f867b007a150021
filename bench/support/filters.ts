/** Ways, ours and native's, to get some members of the lines of a log that meet a condition. */

import { native } from "../../measure/contestants.ts";
import { validator } from "../../measure/validator_contestant.ts";
import { BinaryParser, type BinaryParserOptions, BinaryValidator, parseValues } from "../../mod.ts";
import { selector } from "../../select.ts";
import { chunksOf, pushAll, readLinesNative } from "./documents.ts";

/** Way to read lines. Returns the number of values found, or `undefined` if it makes no values. */
export type LineReader = (bytes: Uint8Array) => number | undefined | Promise<number>;

export const SELECT = "select";
export const FILTER = "where";
export const FILTER_IN_BATCHES = "where, batches";
export const SELECT_AND_TEST = "select and test";

const WANTED = { timestamp: true, message: true, http: { status: true } } as const;
const select = selector(WANTED);
const where = [["/level", "=", "error"]] as const;

const isError = ({ level }: { level?: string }): boolean => level === "error";

/** Pushes lines to a parser, and counts the values that pass a test. */
function pushing(options: BinaryParserOptions, test: (value: { level?: string }) => boolean): LineReader {
  return (bytes) => {
    let count = 0;
    const onValue = ({ value }: { value: unknown }): void => void (test(value as object) && count++);
    return pushAll(bytes, new BinaryParser({ multiple: "lines", ...options, onValue })).ok ? count : -1;
  };
}

/** Ways by name. Those that read all lines return no number. */
export const LINE_READERS: Record<string, LineReader> = {
  [native.name]: (bytes) => readLinesNative(bytes, isError),
  [validator.name]: (bytes) => pushAll(bytes, new BinaryValidator({ multiple: "lines" })).ok ? undefined : -1,
  [SELECT]: (bytes) => pushing({ select }, () => true)(bytes) === -1 ? -1 : undefined,
  [SELECT_AND_TEST]: pushing({ select: selector({ ...WANTED, level: true }) }, isError),
  [FILTER]: pushing({ select, where }, () => true),
  async [FILTER_IN_BATCHES](bytes) {
    let count = 0;
    for await (const batch of parseValues(chunksOf(bytes), { select, where, batch: true, detachChunks: false })) {
      for (const { ok } of batch) if (ok) count++;
    }
    return count;
  },
};
