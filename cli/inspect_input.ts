/** From a path to a verdict: reading in pieces. */

import { type Finding, Inspection, type InspectionOptions, type Verdict } from "./inspection.ts";
import type { Input } from "./input_list.ts";
import { breathe, type Interrupt, unlessInterrupted } from "./interrupt.ts";

/** Bytes read at a time: fits the cache of a core, and makes the calls cheap. */
const PIECE = 2 ** 18;

/** Milliseconds that the rest of a line is waited for, once it only matters to a snippet. */
const PATIENCE = 100;

/** What hears of an inspection while it lasts. */
export interface Listener {
  interrupt?: Interrupt;
  /** Bytes were read and inspected; they are overwritten afterwards. Tells whether to read on. */
  onPiece(piece: Uint8Array<ArrayBuffer>, inspection: Inspection): boolean | Promise<boolean>;
  /** Bytes are wrong. */
  onFinding(finding: Finding): void | Promise<void>;
}

// Allocated when needed. An input that is awaited needs two: the next piece is on its way while one is being read.
const buffers: Uint8Array<ArrayBuffer>[] = [];

function buffer(index: number): Uint8Array<ArrayBuffer> {
  return buffers[index] ??= new Uint8Array(PIECE);
}

/** Inspects an input. Resolves with what was found up to its end, its failure or the interrupt. Rejects if it cannot be read. */
export async function inspectInput(input: Input, options: InspectionOptions, listener: Listener): Promise<Verdict> {
  const inspection = new Inspection(options);
  const isEnd = await (input.size === undefined ? readStream : readFile)(input, inspection, listener);
  const verdict = inspection.end(isEnd);
  for (const finding of inspection.take()) await listener.onFinding(finding);
  // Of a file the size is known without reading on.
  return isEnd ? verdict : { ...verdict, bytes: Math.max(verdict.bytes, input.size ?? 0) };
}

/** Reads a regular file. Resolves with whether its end was reached. */
async function readFile({ path }: Input, inspection: Inspection, listener: Listener): Promise<boolean> {
  using file = Deno.openSync(path);
  for (;;) {
    const length = file.readSync(buffer(0));
    if (length === null) return true;
    if (await takePiece(buffer(0).subarray(0, length), inspection, listener)) return false;
    await breathe();
  }
}

/** Reads what may have to be waited for: standard input, a FIFO, a device. Resolves with whether its end was reached. */
async function readStream({ path }: Input, inspection: Inspection, listener: Listener): Promise<boolean> {
  // Not `using`: a file that is still being read from would make the process wait when closed.
  const source = path === "-" ? Deno.stdin : await unlessInterrupted(Deno.open(path), listener.interrupt);
  if (source === undefined) return false;
  let next = source.read(buffer(0));
  for (let turn = 1;; turn++) {
    const length = await unlessInterrupted(inspection.isDecided ? soon(next) : next, listener.interrupt);
    if (length === undefined) return false;
    if (length === null) return true;
    next = source.read(buffer(turn & 1));
    next.catch(() => {}); // is thrown when awaited, if ever
    if (await takePiece(buffer(turn - 1 & 1).subarray(0, length), inspection, listener)) return false;
  }
}

/** Resolves with whether nothing more is needed. */
async function takePiece(
  piece: Uint8Array<ArrayBuffer>,
  inspection: Inspection,
  { interrupt, onPiece, onFinding }: Listener,
): Promise<boolean> {
  inspection.push(piece);
  const goesOn = await onPiece(piece, inspection);
  for (const finding of inspection.take()) await onFinding(finding);
  return !goesOn || inspection.isComplete || interrupt?.isRaised === true;
}

/** Resolves with undefined if the promise takes long. */
async function soon<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => timer = setTimeout(() => resolve(undefined), PATIENCE));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
