/**
 * Conformance sets that others have gathered. They are no part of the repository: where they are
 * missing, each set says that it is skipped.
 *
 * @module
 */

import { type Cut, everyCut, manyCuts } from "./cuts.ts";
import { concat, fromHex, utf8 } from "./bytes.ts";
import { sharedFolder } from "./environment.ts";

/** Sets of files with `expected.tsv`, which tells what is accepted and what is rejected. */
export const FILE_SETS: { name: string; accepted: number; rejected: number }[] = [
  { name: "json_test_suite", accepted: 117, rejected: 201 },
  { name: "json_test_suite_transform", accepted: 19, rejected: 3 },
  { name: "nativejson_jsonchecker", accepted: 5, rejected: 31 },
  { name: "nativejson_roundtrip", accepted: 27, rejected: 0 },
  { name: "simdjson_jsonchecker", accepted: 25, rejected: 46 },
];

/** Returns the folder of a set, or `undefined` after saying that it is skipped. */
export function conformanceFolder(name: string): URL | undefined {
  return sharedFolder(`conformance/${name}`);
}

/** Reads the fields of a file of tab-separated values, without comments. */
export function readTable(folder: URL, name: string): string[][] {
  const lines = Deno.readTextFileSync(new URL(name, folder)).split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split("\t"));
}

/** Reads the lines of a file. */
export function readLines(folder: URL, name: string): string[] {
  return Deno.readTextFileSync(new URL(name, folder)).trimEnd().split("\n");
}

/** Reads one of the files that `expected.tsv` lists. */
export function readListed(folder: URL, file: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(new URL(encodeURIComponent(file), folder));
}

/** Returns the verdict that the name of a file tells, if it does. */
export function verdictOf(file: string): boolean | undefined {
  return /^[yn]_/.test(file) ? file.startsWith("y_") : undefined;
}

/** Returns the bytes that a field spells in hexadecimal digits; `-` stands for none. */
export function bytesOfField(digits: string): Uint8Array<ArrayBuffer> {
  return fromHex(digits === "-" ? "" : digits);
}

/** Document of a conformance set, and where to cut it. */
export interface CutDocument {
  bytes: Uint8Array<ArrayBuffer>;
  cuts: Iterable<Cut>;
  /** Verdict, if the set tells it. */
  isValid?: boolean | undefined;
}

/** Documents that one test cuts. */
export interface CutTest {
  name: string;
  /** Whether the documents are few: a file on its own. */
  isFile: boolean;
  documents(): Iterable<CutDocument>;
}

/** Makes the tests that cut all documents of all sets. */
export function cutTests(): CutTest[] {
  const tests: CutTest[] = [];
  const add = (set: string, name: string, documents: (folder: URL) => Iterable<CutDocument>): void => {
    const folder = conformanceFolder(set);
    if (folder) tests.push({ name, isFile: false, documents: () => documents(folder) });
  };
  for (const { name } of FILE_SETS) {
    const folder = conformanceFolder(name);
    if (folder === undefined) continue;
    for (const [file] of readTable(folder, "expected.tsv")) {
      const documents = function* (): Iterable<CutDocument> {
        const bytes = readListed(folder, file);
        yield { bytes, cuts: manyCuts(bytes.length), isValid: verdictOf(file) };
      };
      tests.push({ name: `${name}/${file}`, isFile: true, documents });
    }
  }
  add("test262_json", "test262", function* (folder) {
    for (const [, digits] of readTable(folder, "cases.tsv")) {
      const bytes = bytesOfField(digits);
      yield { bytes, cuts: manyCuts(bytes.length) };
    }
  });
  add("utf8", "UTF-8", function* (folder) {
    for (const [, digits] of readTable(folder, "utf8_cases.tsv")) {
      for (const [before, after] of [['"', '"'], ['["a long text, ', ' and more"]'], ['{"', '":1}'], ['{"', ""]]) {
        const bytes = concat([utf8(before), bytesOfField(digits), utf8(after)]);
        yield { bytes, cuts: everyCut(bytes.length) };
      }
    }
  });
  add("numbers", "numbers", function* (folder) {
    for (const [i, line] of readLines(folder, "number_cases.txt").entries()) {
      const text = line.slice(17);
      yield { bytes: utf8(text), cuts: [[i % text.length]], isValid: true };
      yield { bytes: utf8(`[${text}]`), cuts: [[1 + i % text.length], [2, 2 + i % 7]], isValid: true };
      yield { bytes: utf8(`[0,1,${text} ,${text}]`), cuts: [[5 + i % text.length]], isValid: true };
    }
  });
  add("numbers", "numbers that are none", function* (folder) {
    for (const line of readLines(folder, "number_reject.txt")) {
      for (const text of [line, `[${line}]`, `{"a":${line},"b":0}`]) {
        const bytes = utf8(text);
        yield { bytes, cuts: everyCut(bytes.length) };
      }
    }
  });
  add("v8_key_cache_bug", "keys that V8 confuses", function* (folder) {
    for (const fields of readTable(folder, "sequences.tsv")) {
      for (const bytes of fields.slice(0, 2).map(fromHex)) yield { bytes, cuts: manyCuts(bytes.length), isValid: true };
    }
  });
  return tests;
}
