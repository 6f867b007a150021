/**
 * Look-up by a JSON Pointer, and selection by a mask: what `bytejson get` and `bytejson select`
 * print, as far as it is shown.
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

/** Bytes of results that are shown. */
const SHOWN_BYTES = 2 ** 16;
/** Bytes of a result that are read: more of it would only take memory. */
const MAX_RESULT_BYTES = 2 ** 20;
const SHOWN_RESULTS = 1000;
/** Bytes of the largest source that is read a second time, for the place of a value. */
const MAX_LOCATED_BYTES = 2 ** 26;
/** Levels of nesting, as on the command line. */
const MAX_DEPTH = 1_000_000;

/** Source to copy from what a pointer or a mask wants. */
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

/** Reads a source until enough results are there, or it ends. */
export async function findValues({ source, by, text, wheres, columns }: FindJob, report: Report): Promise<FindResult> {
  const output = new ByteOutput();
  let job: Job;
  try {
    const ways = by === "pointer"
      ? { kind: "value", wanted: text } as const
      : { kind: "parts", wanted: text.trim() || undefined, ...wheres.length > 0 && { wheres } } as const;
    job = compileJob({ ...ways, isRaw: false, maxDepth: MAX_DEPTH, maxDiagnostics: 1 }, output);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, place } = error;
    return { ok: false, message, lines: place === undefined ? [] : caretLines(place, columns) };
  }
  const diagnostics: Diagnostic[] = [];
  const isLines = source.format === "lines" || undefined;
  // One more result than is shown tells whether there are more.
  const reader = new DocumentReader(job, isLines, output, SHOWN_RESULTS + 1, (diagnostic) => {
    diagnostics.push(diagnostic);
  });
  const decoder = new TextDecoder();
  let shown = "";
  let room = SHOWN_BYTES;
  /** Shows bytes as far as there is room. A character that is cut at the end is left out. */
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
  for await (const piece of piecesOf(source.blob, report)) {
    reader.push(piece);
    show();
    isAtEnd = !reader.isComplete && room >= 0;
    if (!isAtEnd) break;
  }
  if (isAtEnd) reader.end();
  else reader.describeRest();
  show();

  const hasMore = reader.results > SHOWN_RESULTS;
  const results = Math.min(reader.results, SHOWN_RESULTS);
  const [diagnostic] = diagnostics;
  return {
    ok: true,
    text: hasMore ? shown.split("\n", SHOWN_RESULTS).join("\n") : shown,
    results,
    isCut: hasMore || room < 0,
    documents: reader.documents,
    invalidDocuments: reader.invalidDocuments,
    ...diagnostic && { finding: findingOf(diagnostic, source.name, columns) },
    ...by === "pointer" && !reader.isJsonLines && reader.invalidDocuments === 0 && await placeOf(source.blob, text),
  };
}

/** Returns the place of the value at a pointer, or how much of the pointer leads to one. */
async function placeOf(blob: Blob, pointer: string): Promise<Pick<FindResult & { ok: true }, "place">> {
  if (blob.size > MAX_LOCATED_BYTES) return {};
  const result = locate(await blob.arrayBuffer(), pointer);
  if (!result.ok) return {};
  if (result.found) return { place: { line: result.line, column: result.column } };
  return { place: { foundPart: pointer.split("/").slice(0, result.depth + 1).join("/") } };
}
