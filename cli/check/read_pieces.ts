/** From a path to a verdict: reading in pieces. */

import { type Finding, Inspection, type InspectionOptions, type Verdict } from "../diagnostics/diagnostic_validator.ts";
import type { Input } from "./find_inputs.ts";
import { breathe, type Interrupt, unlessInterrupted } from "../interrupt.ts";

/** Bytes read at a time by this thread: fits the cache of a core, and makes the calls cheap. */
const PIECE = 2 ** 18;

/** Bytes read at a time by another thread while this one inspects those before: each time the two have to meet. */
const AHEAD_PIECE = 2 ** 20;

/** Bytes of a file that is worth the other thread. */
const AHEAD_SIZE = 2 ** 23;

/** Milliseconds that the rest of a line is waited for, once it only matters to a snippet. */
const PATIENCE = 100;

/** What hears of an inspection while it lasts. */
export interface Listener {
  interrupt?: Interrupt;
  /** Whether there is a core to spare for reading. */
  readsAhead?: boolean;
  /** Bytes were read and inspected; they are overwritten afterwards. */
  onPiece(piece: Uint8Array<ArrayBuffer>, inspection: Inspection): void | Promise<void>;
  /** Bytes are wrong. */
  onFinding(finding: Finding): void | Promise<void>;
}

// Allocated when needed. What is read ahead needs two: the next piece is on its way while one is being inspected.
let buffer: Uint8Array<ArrayBuffer> | undefined;
let buffers: [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>] | undefined;

/** Inspects an input. Resolves with what was found up to its end, its failure or the interrupt. Rejects if it cannot be read. */
export async function inspectInput(input: Input, options: InspectionOptions, listener: Listener): Promise<Verdict> {
  const inspection = new Inspection(options);
  const isAhead = input.size === undefined || listener.readsAhead === true && input.size >= AHEAD_SIZE;
  const isEnd = await (isAhead ? readAhead : read)(input, inspection, listener);
  const verdict = inspection.end(isEnd);
  for (const finding of inspection.take()) await listener.onFinding(finding);
  // Of a file the size is known without reading on.
  return isEnd ? verdict : { ...verdict, bytes: Math.max(verdict.bytes, input.size ?? 0) };
}

/** Reads a regular file. Resolves with whether its end was reached. */
async function read({ path }: Input, inspection: Inspection, listener: Listener): Promise<boolean> {
  using file = Deno.openSync(path);
  buffer ??= new Uint8Array(PIECE);
  for (;;) {
    const length = file.readSync(buffer);
    if (length === null) return true;
    if (await takePiece(buffer.subarray(0, length), inspection, listener)) return false;
    await breathe();
  }
}

/** Reads what may have to be waited for: standard input, a FIFO, a device, a large file. Resolves with whether its end was reached. */
async function readAhead({ path }: Input, inspection: Inspection, listener: Listener): Promise<boolean> {
  const source = path === "-" ? Deno.stdin : await unlessInterrupted(Deno.open(path), listener.interrupt);
  if (source === undefined) return false;
  buffers ??= [new Uint8Array(AHEAD_PIECE), new Uint8Array(AHEAD_PIECE)];
  let next = source.read(buffers[0]);
  try {
    for (let turn = 1;; turn++) {
      const length = await unlessInterrupted(inspection.isDecided ? soon(next) : next, listener.interrupt);
      if (length === undefined) return false;
      if (length === null) return true;
      next = source.read(buffers[turn & 1]);
      if (await takePiece(buffers[turn - 1 & 1].subarray(0, length), inspection, listener)) return false;
    }
  } finally {
    // What is still on its way would make closing wait; whether it fails matters to nobody.
    if (source !== Deno.stdin) next.catch(() => {}).then(() => source.close());
    else next.catch(() => {});
  }
}

/** Resolves with whether nothing more is needed. */
async function takePiece(
  piece: Uint8Array<ArrayBuffer>,
  inspection: Inspection,
  { interrupt, onPiece, onFinding }: Listener,
): Promise<boolean> {
  inspection.push(piece);
  await onPiece(piece, inspection);
  for (const finding of inspection.take()) await onFinding(finding);
  return inspection.isComplete || interrupt?.isRaised === true;
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
