/** Report of a check: counts of its inputs, printed by the subclasses for people or for programs. */

import type { Arguments } from "../arguments.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { InputResult } from "../diagnostics/diagnostic_validator.ts";
import { reportInputError } from "../input/read_error.ts";
import type { Encoding } from "../input/utf16.ts";
import { printableName } from "../terminal/printable.ts";
import { writeProse } from "../terminal/streams.ts";
import type { InputOutcome } from "./validate_input.ts";

/** Counts of inputs: `files` is that of all inputs, including unreadable ones. */
export type Tally = Report["tally"];

export type Stats = Record<string, number>;

/** Reports that an input was converted. */
export function printEncoding(name: string, encoding: Encoding): void {
  writeProse(`${printableName(name)}: ${encoding}, read as UTF-8; JSON is exchanged in UTF-8`);
}

/** Receives diagnostics and outcomes of one input after the other. */
export abstract class Report {
  #advice: typeof import("../diagnostics/advice.ts") | undefined;
  readonly args: Arguments;
  /** Whether there are several inputs, so that an option would apply to all of them. */
  hasSeveral = false;
  readonly tally = { files: 0, valid: 0, invalid: 0, errors: 0, bytes: 0, unchecked: 0, isInterrupted: false };

  protected shown = 0;

  /** @param args Command line that hints know. */
  constructor(args: Arguments) {
    this.args = args;
  }

  abstract addDiagnostic(name: string, diagnostic: Diagnostic): Promise<void>;

  /** Counts and prints the outcome of the current input. The next call is about the next input. */
  addOutcome(name: string, outcome: InputOutcome): void {
    const { tally } = this;
    tally.files++;
    if (typeof outcome === "string") {
      tally.errors++;
      this.printError(name, outcome);
    } else {
      tally.bytes += outcome.bytes;
      if (outcome.invalidDocuments > 0) tally.invalid++;
      else tally.valid++;
      if (outcome.encoding !== undefined && !this.args.has("quiet")) printEncoding(name, outcome.encoding);
      this.printResult(name, outcome);
    }
    this.shown = 0;
  }

  /** Returns a hint about a diagnostic of the current input, if there is one. */
  protected async hintFor(diagnostic: Diagnostic, name: string): Promise<string | undefined> {
    // Loaded here, so that a check of valid documents does not pay for it.
    this.#advice ??= await import("../diagnostics/advice.ts");
    return this.#advice.hintFor(diagnostic, name, this);
  }

  abstract printSummary(ms: number, exit: number, stats: Stats | undefined): void;

  protected abstract printResult(name: string, result: InputResult): void;

  protected printError(name: string, message: string): void {
    reportInputError(name, message, false);
  }
}
