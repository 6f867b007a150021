/** What is wrong with a file, as data. */

import { parseBinary, type ParseFailure } from "../parse_binary.ts";
import { countLineEnds, jsonLines } from "./input.ts";

/** A failure, its message without the position, which the other fields hold; line and offset are the file's. */
export type Finding = Omit<ParseFailure, "ok">;

/** What was found in one file. */
export interface Verdict {
  /** Documents in a JSON Lines file. */
  documents?: number;
  invalidDocuments: number;
  /** The first failures, as many as are shown. */
  findings: Finding[];
  /** What the user may have meant. */
  hint?: string;
}

/** Validates a file: one document or, as JSON Lines, one per line. Keeps at most `most` findings. */
export function judge(bytes: Uint8Array, lines: boolean, most: number): Verdict {
  return lines ? judgeLines(bytes, most) : judgeDocument(bytes);
}

/** The one place that decides what validates a document. */
function failureOf(document: Uint8Array): ParseFailure | undefined {
  const result = parseBinary(document);
  return result.ok ? undefined : result;
}

function judgeDocument(bytes: Uint8Array): Verdict {
  const failure = failureOf(bytes);
  if (!failure) return { invalidDocuments: 0, findings: [] };
  const verdict: Verdict = { invalidDocuments: 1, findings: [findingOf(failure)] };
  if (looksLikeJsonLines(bytes, failure)) verdict.hint = "looks like JSON Lines; try --jsonl";
  return verdict;
}

function judgeLines(bytes: Uint8Array, most: number): Verdict {
  let documents = 0;
  let invalidDocuments = 0;
  const findings: Finding[] = [];
  let linesBefore = 0;
  let counted = 0;
  for (const document of jsonLines(bytes)) {
    documents++;
    const failure = failureOf(document);
    if (!failure) continue;
    invalidDocuments++;
    if (findings.length >= most) continue;
    const start = document.byteOffset - bytes.byteOffset;
    linesBefore += countLineEnds(bytes.subarray(counted, start));
    counted = start;
    findings.push(findingOf(failure, start, linesBefore));
  }
  return { documents, invalidDocuments, findings };
}

function findingOf({ code, message, offset, line, column }: ParseFailure, start = 0, linesBefore = 0): Finding {
  const wording = message.replace(/(?: in JSON)? at position \d+ \(line \d+ column \d+\)$/, "");
  return { offset: start + offset, line: linesBefore + line, column, code, message: wording };
}

/** Whether a second document starts on a line of its own, and the line before it is a whole document. */
function looksLikeJsonLines(bytes: Uint8Array, { code, offset, line, column }: ParseFailure): boolean {
  if (code !== "trailing-content" || line === 1 || column !== 1) return false;
  const before = [...jsonLines(bytes.subarray(0, offset))].at(-1);
  return before !== undefined && failureOf(before) === undefined;
}
