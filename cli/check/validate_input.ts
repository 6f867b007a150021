/** Validation of one input, from its path to its result. */

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type DiagnosticOptions, DiagnosticValidator, type InputResult } from "../diagnostics/diagnostic_validator.ts";
import { type ReadOptions, readPieces } from "../input/read_pieces.ts";
import type { Encoding } from "../input/utf16.ts";
import type { Input } from "./input_file.ts";

/** Result of an input, or the reason why it could not be read. */
export type InputOutcome = InputResult | string;

export interface ValidationListener extends Pick<ReadOptions, "interrupt" | "readsAhead"> {
  /** Receives each piece after its validation; the piece is overwritten afterwards. */
  onPiece(piece: Uint8Array<ArrayBuffer>, validator: DiagnosticValidator): void | Promise<void>;
  onDiagnostic(diagnostic: Diagnostic): void | Promise<void>;
}

/** Validates an input up to its end, a decisive failure, or an interrupt. Rejects if unreadable. */
export async function validateInput(
  input: Input,
  options: DiagnosticOptions,
  { interrupt, readsAhead, onPiece, onDiagnostic }: ValidationListener,
): Promise<InputResult> {
  const validator = new DiagnosticValidator(options);
  let encoding: Encoding | undefined;
  const isAtEnd = await readPieces(input, {
    interrupt,
    contentLimits: options.contentLimits,
    readsAhead,
    onEncoding: options.refusesMark ? undefined : (found) => encoding = found,
    isDecided: () => validator.isDecided,
    async onPiece(piece) {
      for (const part of validator.partsOf(piece)) {
        validator.push(part);
        await onPiece(part, validator);
        for (const diagnostic of validator.take()) await onDiagnostic(diagnostic);
      }
      return !validator.isComplete && !interrupt?.isRaised;
    },
  });
  const result = { ...validator.end(isAtEnd), encoding };
  for (const diagnostic of validator.take()) await onDiagnostic(diagnostic);
  // The size of a file is known without reading on.
  return isAtEnd ? result : { ...result, bytes: Math.max(result.bytes, input.size ?? 0) };
}
