/** Validation of a source in pieces, in constant memory. */

import type { Diagnostic } from "../../cli/diagnostics/diagnostic.ts";
import { DiagnosticValidator } from "../../cli/diagnostics/diagnostic_validator.ts";
import type { Finding, Report, Source } from "../messages.ts";
import { findingOf } from "./findings.ts";
import { piecesOf } from "./reading.ts";

/** Maximum number of failures that are shown; all are counted. */
const MAX_FINDINGS = 10;

/** Content of valid JSON that `JSON.parse` changes: duplicate names, large integers. */
export type Concern = "duplicateNames" | "unsafeIntegers";

/** Source to validate, or to look for a concern in. */
interface CheckJob {
  source: Source;
  concern?: Concern;
  /** Columns of a snippet. */
  columns: number;
}

export interface CheckResult {
  bytes: number;
  milliseconds: number;
  /** Number of documents, if there may be several. */
  documents?: number;
  invalidDocuments: number;
  /** Whether the rest was not read, because it cannot change the result. */
  endsEarly: boolean;
  findings: Finding[];
}

/** Validates a source, up to the failure that decides the result. */
export async function checkSource({ source, concern, columns }: CheckJob, report: Report): Promise<CheckResult> {
  const { blob, name, format } = source;
  const start = performance.now();
  const validator = new DiagnosticValidator({
    reading: format === "json" ? "document" : format,
    contentChecks: concern && {
      duplicateKeys: concern === "duplicateNames" ? "reject" : "last",
      integers: concern === "unsafeIntegers" ? "reject" : "number",
    },
    maxDiagnostics: MAX_FINDINGS,
    failFast: false,
  });
  const diagnostics: Diagnostic[] = [];
  let endsEarly = false;
  for await (const piece of piecesOf(blob, report)) {
    diagnostics.push(...validator.diagnose(piece));
    endsEarly = validator.isComplete;
    if (endsEarly) break;
  }
  const { documents, invalidDocuments } = validator.end(!endsEarly);
  diagnostics.push(...validator.take());
  return {
    bytes: blob.size,
    milliseconds: performance.now() - start,
    ...documents !== undefined && { documents },
    invalidDocuments,
    endsEarly,
    findings: diagnostics.map((diagnostic) => findingOf(diagnostic, name, columns)),
  };
}
