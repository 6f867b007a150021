/**
 * Conformance sets that others have gathered. They are no part of the repository: where they are
 * missing, each set says that it is skipped.
 */

import { fromHex } from "./bytes.ts";
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
