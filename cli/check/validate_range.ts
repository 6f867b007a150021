/**
 * Validates a range of the lines of a file.
 *
 * @module
 */

import { type Diagnostic, type DiagnosticOptions, DiagnosticValidator } from "../diagnostics/diagnostic_validator.ts";
import { type LineRange, piecesOfRange } from "../lines/read_range.ts";

export interface RangeTask {
  readonly range: LineRange;
  readonly options: DiagnosticOptions;
}

/** What was found. */
export interface RangeResult {
  readonly range: LineRange;
  /** Failures; their lines count from the beginning of the range. */
  readonly diagnostics: Diagnostic[];
  readonly documents: number;
  readonly invalidDocuments: number;
  readonly lines: number;
  /** Offset of the next line; -1 if the range cannot be read like this. */
  readonly next: number;
}

export function validateRange({ range, options }: RangeTask): RangeResult {
  let validator: DiagnosticValidator | undefined;
  const diagnostics: Diagnostic[] = [];
  const take = (): void => {
    for (const diagnostic of validator?.take() ?? []) {
      const { excerpt } = diagnostic;
      // Copied, because it is a part of more bytes, which would all be sent.
      diagnostics.push({ ...diagnostic, excerpt: { ...excerpt, bytes: excerpt.bytes.slice() } });
    }
  };
  const pieces = piecesOfRange(range);
  for (;;) {
    const { value, done } = pieces.next();
    if (done) {
      const { documents = 0, invalidDocuments = 0 } = validator?.end() ?? {};
      take();
      return { range, diagnostics, documents, invalidDocuments, lines: validator?.lines ?? 0, next: value };
    }
    const { bytes, at, offset } = value;
    validator ??= new DiagnosticValidator(options, undefined, { context: bytes.slice(0, at), offset: offset + at });
    for (const part of validator.partsOf(bytes.subarray(at))) {
      validator.push(part);
      take();
    }
  }
}
