/**
 * Look-up by a JSON Pointer, and selection by a mask: the output of `bytejson get` and `bytejson
 * select`, or its beginning.
 */

import { UsageError } from "../../cli/arguments.ts";
import type { Diagnostic } from "../../cli/diagnostics/diagnostic.ts";
import { ByteOutput } from "../../cli/select/byte_output.ts";
import { DocumentReader, type Job } from "../../cli/select/document_reader.ts";
import { compileJob } from "../../cli/select/job.ts";
import { caretLines } from "../../cli/terminal/caret.ts";
import { locate } from "../../pointer.ts";
import type { Finding, Report, Source } from "../messages.ts";
import { findingOf } from "./findings.ts";
import { piecesOf } from "./reading.ts";

/** Maximum bytes of results that are shown. */
const SHOWN_BYTES = 2 ** 16;
/** Maximum bytes of a result that are read; more would only take memory. */
const MAX_RESULT_BYTES = 2 ** 20;
const SHOWN_RESULTS = 1000;
/** Maximum bytes of a source that is read a second time, for the location of a value. */
const MAX_LOCATED_BYTES = 2 ** 26;

/** Source, and the pointer or mask of the values to copy. */
export interface FindJob {
  source: Source;
  by: "pointer" | "mask";
  text: string;
  /** Conditions of the documents that a mask reads. */
  wheres: string[];
  /** Columns of a snippet. */
  columns: number;
}

export type FindResult =
  | {
    ok: true;
    /** The first results as JSON, one on each line, or as tab-separated values below a header. */
    text: string;
    /** The same as cells, where each result is a row. */
    table?: { header: string[]; rows: string[][] };
    results: number;
    /** Bytes that were read, and the time that took. */
    bytes: number;
    milliseconds: number;
    /** Whether more results, or the rest of the last one, are left out. */
    isTruncated: boolean;
    documents: number;
    invalidDocuments: number;
    /** The first failure. */
    finding?: Finding;
    /** Location of the value at a pointer, or the part of the pointer that leads to a value. */
    location?: { line: number; column: number } | { foundPart: string };
  }
  /** The pointer, the mask or a condition is wrong. `lines` are its text and a caret. */
  | { ok: false; message: string; lines: string[] };

/** Compiles a job. Results are rows if each line has one, and the mask consists of names. */
function compile({ source, by, text, wheres }: FindJob, output: ByteOutput): { job: Job; hasRows: boolean } {
  const common = { isRaw: false, maxDiagnostics: 1 };
  if (by === "pointer") {
    return { job: compileJob({ kind: "value", selected: text, ...common }, output), hasRows: false };
  }
  const selected = text.trim() || undefined;
  const parts = { kind: "parts", selected, ...wheres.length > 0 && { wheres }, ...common } as const;
  const job = compileJob(parts, output);
  if (source.format !== "lines" || selected === undefined) return { job, hasRows: false };
  try {
    return { job: compileJob({ ...parts, rows: "tsv" }, output), hasRows: true };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { job, hasRows: false };
  }
}

/** Reads a source until there are enough results, or it ends. */
export async function findValues(request: FindJob, report: Report): Promise<FindResult> {
  const { source, by, text, columns } = request;
  const output = new ByteOutput();
  let job: Job;
  let hasRows: boolean;
  try {
    ({ job, hasRows } = compile(request, output));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, position } = error;
    return { ok: false, message, lines: position === undefined ? [] : caretLines(position, columns) };
  }
  const diagnostics: Diagnostic[] = [];
  const reading = source.format === "lines" || source.format === "concatenated" ? source.format : undefined;
  // One more result than is shown tells whether there are more.
  const reader = new DocumentReader(job, reading, output, SHOWN_RESULTS + 1, (diagnostic) => {
    diagnostics.push(diagnostic);
  });
  const decoder = new TextDecoder();
  let shown = "";
  let room = SHOWN_BYTES;
  /** Shows bytes as far as there is room, without an incomplete character at the end. */
  const add = (bytes: Uint8Array): void => {
    shown += decoder.decode(bytes.subarray(0, Math.max(0, room)), { stream: true });
    room -= bytes.length;
  };
  const show = (): void => {
    add(output.bytes.subarray(0, output.committed));
    output.dropCommitted();
    if (output.length > MAX_RESULT_BYTES) add(output.bytes.subarray(0, output.length));
  };
  let isAtEnd = true;
  let bytes = 0;
  const start = performance.now();
  for await (const piece of piecesOf(source.blob, report)) {
    bytes += piece.length;
    reader.push(piece);
    show();
    isAtEnd = !reader.isComplete && room >= 0;
    if (!isAtEnd) break;
  }
  if (isAtEnd) reader.end();
  else reader.describeRest();
  show();

  const milliseconds = performance.now() - start;
  const hasMore = reader.results > SHOWN_RESULTS;
  const results = Math.min(reader.results, SHOWN_RESULTS);
  const [diagnostic] = diagnostics;
  const lines = shown.split("\n");
  const shownLines = SHOWN_RESULTS + Number(hasRows);
  // The text after the last line feed is empty, or an incomplete row.
  const [header, ...rows] = hasRows ? lines.slice(0, -1).slice(0, shownLines).map(cellsOf) : [];
  return {
    ok: true,
    text: hasMore ? lines.slice(0, shownLines).join("\n") : shown,
    ...header !== undefined && { table: { header, rows } },
    results,
    bytes,
    milliseconds,
    isTruncated: hasMore || room < 0,
    documents: reader.documents,
    invalidDocuments: reader.invalidDocuments,
    ...diagnostic && { finding: findingOf(diagnostic, source.name, columns) },
    ...by === "pointer" && !reader.hasSeveral && reader.invalidDocuments === 0 && await locationOf(source.blob, text),
  };
}

/** Returns the cells of a line of tab-separated values, unescaped. */
function cellsOf(line: string): string[] {
  const characters: Record<string, string> = { t: "\t", n: "\n", r: "\r" };
  return line.split("\t").map((cell) =>
    cell.replaceAll(/\\(.)/g, (_, character: string) => characters[character] ?? character)
  );
}

/** Returns the location of the value at a pointer, or how much of the pointer leads to one. */
async function locationOf(blob: Blob, pointer: string): Promise<Pick<FindResult & { ok: true }, "location">> {
  if (blob.size > MAX_LOCATED_BYTES) return {};
  const result = locate(await blob.arrayBuffer(), pointer);
  if (!result.ok) return {};
  if (result.found) return { location: { line: result.line, column: result.column } };
  return { location: { foundPart: pointer.split("/").slice(0, result.depth + 1).join("/") } };
}
