/** What is wrong with an input that arrives in pieces, with the bytes around it: in constant memory. */

// Not from the public module: it loads streams, which takes longer than all else that a small file does.
import { BinaryValidator } from "../../parser/binary_validator.ts";
import type { ParseFailure } from "../../parser/failure.ts";

/** Bytes kept before a failure: its line, clipped, and the line before. */
const BEFORE = 2048;

/** Bytes kept from a failure on: three times what 80 columns of four-byte characters take. */
const AFTER = 1024;

/** Bytes kept of what is gone by. A failure may be where a character began that the next piece shows to be none. */
const TAIL = BEFORE + 4;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NO_BYTES = new Uint8Array(0);

/** Bytes of the input around one of them. */
export interface Excerpt {
  bytes: Uint8Array<ArrayBuffer>;
  /** Where in `bytes` that one is, or would be: an input can end too early. */
  at: number;
  /** Whether the input begins and ends with the excerpt. */
  isStart: boolean;
  isEnd: boolean;
}

/** A failure with its surroundings. The message is without the position, which the other fields hold. */
export interface Finding extends Omit<ParseFailure, "ok"> {
  excerpt: Excerpt;
}

/** What was found in one input. */
export interface Verdict {
  /** How many bytes it has or, where the rest did not matter, had when reading ended. */
  bytes: number;
  /** Documents in JSON Lines. */
  documents?: number;
  invalidDocuments: number;
  /** Whether it was read to its end, or as far as it takes to be sure. */
  isFinal: boolean;
}

/** How to look at an input. */
export interface InspectionOptions {
  /** One document on each line instead of one in all. */
  isLines: boolean;
  /** Tells of so many failures; counts them all. */
  most: number;
  /** Ends with the first failure. */
  failFast: boolean;
}

/** The validation of one input. */
export class Inspection {
  readonly #validator: BinaryValidator;
  readonly #isLines: boolean;
  /** Ends with the first failure. */
  readonly #isShort: boolean;
  #isOver = false;
  #validBytes: number | undefined;
  #bytes = 0;
  #validDocuments = 0;
  #invalidDocuments = 0;
  /** Failures of the piece being read that are to be told. */
  #failures: ParseFailure[] = [];
  /** Findings not told yet; the last ones may wait for the bytes that follow. */
  #findings: Finding[] = [];
  /** The bytes before the next piece, as many as an excerpt may need. */
  #tail: Uint8Array<ArrayBuffer> = NO_BYTES;

  constructor({ isLines, most, failFast }: InspectionOptions) {
    this.#isLines = isLines;
    this.#isShort = failFast || !isLines;
    this.#validator = new BinaryValidator({
      ...isLines && {
        multiple: "lines",
        onDocument: ({ failure }) => {
          if (failure === null && !this.isDecided) this.#validDocuments++;
        },
      },
      onFailure: (failure) => {
        if (this.isDecided) return;
        this.#validBytes ??= failure.offset;
        if (this.#invalidDocuments++ < most) this.#failures.push(failure);
      },
    });
  }

  /** How many bytes there were before the first failure. */
  get validBytes(): number {
    return this.#validBytes ?? this.#bytes;
  }

  /** Whether nothing more can be found. */
  get isDecided(): boolean {
    return this.#isShort && this.#invalidDocuments > 0;
  }

  /** Whether there is all that snippets want, too. */
  get isComplete(): boolean {
    return this.isDecided && this.#findings.every(isReady);
  }

  /** Takes the next piece. Keeps a copy of what it needs. */
  push(piece: Uint8Array<ArrayBuffer>): void {
    for (const finding of this.#findings) {
      const { excerpt } = finding;
      if (!isReady(finding)) excerpt.bytes = joined(excerpt.bytes, piece.subarray(0, missing(excerpt)));
    }
    if (!this.isDecided) this.#validator.push(piece);
    this.#excerptFailures(piece);
    this.#bytes += piece.length;
    this.#tail = (piece.length >= TAIL ? piece : joined(this.#tail, piece)).slice(-TAIL);
  }

  /** Says that the input ends here, or is not read any further. */
  end(isEnd = true): Verdict {
    if (isEnd && !this.isDecided) {
      this.#validator.end();
      this.#excerptFailures(NO_BYTES);
    }
    for (const finding of this.#findings) if (!isReady(finding)) finding.excerpt.isEnd = isEnd;
    this.#isOver = true;
    return {
      bytes: this.#bytes,
      ...this.#isLines && { documents: this.#validDocuments + this.#invalidDocuments },
      invalidDocuments: this.#invalidDocuments,
      isFinal: isEnd || this.isDecided,
    };
  }

  /** The findings that are ready, in order; all of them after the end. Each is handed out once. */
  take(): Finding[] {
    const waiting = this.#isOver ? -1 : this.#findings.findIndex((finding) => !isReady(finding));
    return this.#findings.splice(0, waiting < 0 ? this.#findings.length : waiting);
  }

  #excerptFailures(piece: Uint8Array<ArrayBuffer>): void {
    for (const failure of this.#failures) {
      const { code, line } = failure;
      let { offset, column } = failure;
      if (this.#isLines) {
        // A document that ends too early ends before its line does.
        const [before, at] = this.#seen(piece, offset - 1, offset + 1);
        if (before === CARRIAGE_RETURN && at === LINE_FEED) offset--, column--;
      }
      const start = Math.max(0, offset - BEFORE);
      const bytes = this.#seen(piece, start, offset + AFTER);
      const message = failure.message.replace(/(?: in JSON)? at position \d+ \(line \d+ column \d+\)$/, "");
      const excerpt = { bytes, at: offset - start, isStart: start === 0, isEnd: false };
      this.#findings.push({ offset, line, column, code, message, excerpt });
    }
    this.#failures = [];
  }

  /** A copy of the input's bytes `start` to `end`, those in the piece at hand and just before it. */
  #seen(piece: Uint8Array<ArrayBuffer>, start: number, end: number): Uint8Array<ArrayBuffer> {
    const from = start - this.#bytes;
    const to = end - this.#bytes;
    if (from >= 0) return piece.slice(from, to);
    return joined(this.#tail.subarray(from + this.#tail.length), piece.subarray(0, to));
  }
}

function missing({ bytes, at }: Excerpt): number {
  return AFTER - (bytes.length - at);
}

function isReady({ excerpt }: Finding): boolean {
  return missing(excerpt) <= 0;
}

function joined(before: Uint8Array<ArrayBuffer>, after: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(before.length + after.length);
  both.set(before);
  both.set(after, before.length);
  return both;
}

/** Inspects bytes that are all there. Keeps at most `most` findings. */
export function inspectBytes(
  bytes: Uint8Array<ArrayBuffer>,
  isLines: boolean,
  most: number,
): { verdict: Verdict; findings: Finding[] } {
  const inspection = new Inspection({ isLines, most, failFast: false });
  inspection.push(bytes);
  const verdict = inspection.end();
  return { verdict, findings: inspection.take() };
}
