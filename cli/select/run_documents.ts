/** Runs of the commands that print parts of documents, from their options to the exit code. */

import { detach } from "../../detach.ts";
import { describeFailure as failureAt } from "../../parser/streaming/cli_internals.ts";
import { count } from "../../measure/byte_format.ts";
import { type Arguments, UsageError } from "../arguments.ts";
import { describeFailure, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { describeReadError, isTyped, reportInputError } from "../input/read_error.ts";
import { readPieces } from "../input/read_pieces.ts";
import { readAllPieces } from "../input/read_whole.ts";
import { checkStandardInput, type ReadingOptions, readingOptions } from "../input/reading_options.ts";
import { catchInterrupt, type Interrupt, unlessInterrupted } from "../interrupt.ts";
import type { BlockWorkerPool, OwnReader } from "../lines/block_worker_pool.ts";
import { MAX_WAITING_DIAGNOSTICS } from "../lines/ordered_worker_pool.ts";
import { blockOf } from "../lines/read_block.ts";
import { platform } from "../platform/platform.ts";
import { EXIT } from "../program.ts";
import { printableName } from "../terminal/printable.ts";
import { copyToStdout, isStdoutClosed, noteLineEnd, OutputError, writeProse } from "../terminal/streams.ts";
import { findInputs } from "../check/find_inputs.ts";
import type { ThreadJob } from "../check/worker.ts";
import type { Input } from "../check/input_file.ts";
import { printEncoding, type Report } from "../check/report.ts";
import { blankComments } from "../../blank_comments.ts";
import type { Encoding } from "../input/utf16.ts";
import { TextReport } from "../check/text_report.ts";
import { ByteOutput } from "./byte_output.ts";
import { DocumentReader } from "./document_reader.ts";
import { columnsOfJob, compileJob, FILTER_ELEMENTS, type JobText } from "./job.ts";
import type { FirstRowColumns } from "./first_row.ts";
import type { Part, PartResult } from "./part_reader.ts";

/** Minimum bytes of lines for threads to read one of several files that are large together. */
const MIN_FILE_BYTES = 2 ** 23;

/** Bytes of results written at once, and milliseconds to wait for more while a file is read. */
const WRITE_BYTES = 2 ** 16;
const WRITE_DELAY = 50;

/**
 * Returns the paths to read: `-` if there are none.
 *
 * @throws {UsageError} If the user would have to type the input without having asked for it, or if
 * standard input would be read twice.
 */
function inputPaths(paths: readonly string[]): readonly string[] {
  if (paths.length === 0 && platform.isStdinTerminal()) {
    throw new UsageError("no input: name a file, pipe one in, or type a document with '-'");
  }
  checkStandardInput(paths);
  return paths.length === 0 ? ["-"] : paths;
}

/** Texts before the first element of an array and before the others, and after them. */
const [FIRST, NEXT, LAST, EMPTY] = ["[\n", ",\n", "\n]\n", "[]\n"].map((text) => new TextEncoder().encode(text));

type PartsThreads = BlockWorkerPool<Part, PartResult>;

interface PartsRun {
  readonly inputs: readonly Input[];
  readonly report: Report;
  /** Whether invalid lines are only counted. */
  readonly skipsInvalid: boolean;
  readonly text: JobText;
  /** Writer of rows, if the first one decides the columns. */
  readonly rows: FirstRowColumns | undefined;
  readonly options: ReadingOptions;
  readonly output: ByteOutput;
  readonly interrupt: Interrupt;
  readonly size: number;
  bytesRead: number;
  /** Whether results were written. */
  hasWritten: boolean;
  /** Threads, once they were needed; `null` if they cannot be started. */
  threads: PartsThreads | null | undefined;
}

/**
 * Prints the selected parts of all documents.
 *
 * @param jobText The job, without `maxDiagnostics`, which is taken from the options.
 * @param operands Paths of the command line.
 */
export async function runDocuments(
  args: Arguments,
  jobText: Omit<JobText, "maxDiagnostics">,
  operands: readonly string[],
): Promise<{ exit: number; results: number }> {
  const options = await readingOptions(args);
  const text = { ...jobText, maxDiagnostics: options.maxDiagnostics };
  const output = new ByteOutput();
  const job = compileJob(text, output);
  let resultsLeft = args.integer("first", 1) ?? Infinity;
  const paths = inputPaths(operands);
  const inputs = await findInputs(paths);
  const interrupt = catchInterrupt();
  const skipsInvalid = args.has("skip-invalid");
  const report = new TextReport(args, {
    isQuiet: args.has("quiet"),
    hasSnippets: options.hasSnippets,
    maxShown: Infinity,
    isBrief: true,
  });
  report.hasSeveral = paths.length > 1;
  const size = inputs.reduce((sum, input) => sum + (input.size ?? 0), 0);
  const run: PartsRun = {
    inputs,
    report,
    skipsInvalid,
    text,
    rows: columnsOfJob(job),
    options,
    output,
    interrupt,
    size,
    bytesRead: 0,
    hasWritten: false,
    threads: undefined,
  };
  const hasProgress = !inputs.some(isTyped) && !platform.stdout.isTerminal() && platform.stderr.isTerminal();
  const stopProgress = hasProgress ? (await import("../check/progress_line.ts")).startProgress(run) : undefined;
  let results = 0;
  let errors = 0;
  let hasLeftOut = false;
  const fail = (path: string, message: string): void => {
    errors++;
    reportInputError(path, message, false);
  };
  try {
    for (const input of inputs) {
      if (interrupt.isRaised || isStdoutClosed() || resultsLeft <= 0) break;
      output.length = output.committed;
      const { path } = input;
      const failures: Diagnostic[] = [];
      const reading = options.readingOf(path);
      const reader = new DocumentReader(job, reading, output, resultsLeft, (failure) => failures.push(failure));
      if (input.error !== undefined) fail(path, input.error);
      else {
        try {
          const read = reading === "comments" ? readWithComments : readInput;
          await read(input, reader, failures, run);
        } catch (error) {
          await run.threads?.close();
          run.threads = undefined;
          if (error instanceof OutputError) throw error;
          fail(path, describeReadError(error, path));
        }
      }
      await printFailures(input, failures, run);
      hasLeftOut = reportLeftOut(input, run) || hasLeftOut;
      const { documents } = reader;
      const skipped = skipsInvalid && reader.isJsonLines ? reader.invalidDocuments : 0;
      const invalidDocuments = reader.invalidDocuments - skipped;
      if (skipped > 0 && !args.has("quiet")) {
        writeProse(`${printableName(input.name)}: ${skipped} of ${count(documents, "document")} invalid, left out`);
      }
      if (reader.needsElements) {
        writeProse(
          `${printableName(input.name)}: nothing matches, and the first document is an array: ${FILTER_ELEMENTS}`,
        );
      }
      const counts = { invalidDocuments, ...reader.hasSeveral && { documents } };
      report.addOutcome(input.name, { bytes: 0, ...counts, isFinal: true });
      results += reader.results;
      resultsLeft = reader.resultsLeft;
    }
    output.length = output.committed;
    await writeResults(run);
    if (text.isArray) await copyToStdout(run.hasWritten ? LAST : EMPTY);
  } finally {
    stopProgress?.();
    await run.threads?.close();
  }
  if (interrupt.isRaised) return { exit: interrupt.exit, results };
  const isInvalid = report.tally.invalid > 0 || hasLeftOut;
  return { exit: errors > 0 ? EXIT.unusable : isInvalid ? EXIT.invalid : EXIT.valid, results };
}

async function printFailures({ name }: Input, failures: Diagnostic[], run: PartsRun): Promise<void> {
  for (const diagnostic of failures.splice(0)) {
    if (!run.skipsInvalid || diagnostic.reading !== "lines") await run.report.addDiagnostic(name, diagnostic);
  }
}

/** Names the columns of an input that the first row lacks. Returns whether there are any. */
function reportLeftOut({ name }: Input, { rows, report, options: { maxDiagnostics } }: PartsRun): boolean {
  if (rows === undefined || rows.leftOut.size === 0) return false;
  const names = [...rows.leftOut].slice(0, maxDiagnostics);
  if (rows.leftOut.size > names.length) names.push("and others");
  rows.leftOut.clear();
  if (!report.args.has("quiet")) {
    const which = `not columns of the first row, so left out: ${names.join(", ")}`;
    writeProse(`${printableName(name)}: ${which}; a mask can name them`);
  }
  return true;
}

function noteEncoding({ name }: Input, encoding: Encoding, { report }: PartsRun): void {
  if (!report.args.has("quiet")) printEncoding(name, encoding);
}

/** Reads a document that may have comments: as a whole, since its text is needed for excerpts. */
async function readWithComments(
  input: Input,
  reader: DocumentReader,
  failures: Diagnostic[],
  run: PartsRun,
): Promise<void> {
  const { interrupt, options } = run;
  const bytes = await readAllPieces(input, {
    interrupt,
    contentLimits: options.contentLimits,
    onEncoding: (encoding) => noteEncoding(input, encoding, run),
  });
  if (bytes === undefined) return;
  run.bytesRead += bytes.length;
  reader.push(blankComments(bytes));
  if (!reader.isComplete) reader.end();
  await writeResults(run);
  failures.splice(0, Infinity, ...failures.map((diagnostic) => withComments(diagnostic, bytes)));
}

/** Corrects a diagnostic made with comments blanked out: the excerpt and columns. */
function withComments(diagnostic: Diagnostic, bytes: Uint8Array<ArrayBuffer>): Diagnostic {
  const { code, offset, message, truncated } = diagnostic;
  const failure = { ...failureAt(bytes, code, offset), message, truncated };
  return describeFailure(failure, { bytes, at: offset, isStart: true, isEnd: true }, "comments");
}

/** Reads an input, and writes results as they arrive. */
async function readInput(
  input: Input,
  reader: DocumentReader,
  failures: Diagnostic[],
  run: PartsRun,
): Promise<void> {
  const { output, interrupt, options } = run;
  const isFromTerminal = isTyped(input);
  const isWanted = (): boolean => !reader.isComplete && !isStdoutClosed() && !interrupt.isRaised;
  let lastWrite = performance.now();
  const write = async (): Promise<void> => {
    await writeResults(run);
    lastWrite = performance.now();
  };
  const readAll = async (isLast: boolean): Promise<void> => {
    if (isLast) reader.end();
    // Deno writes on another thread: with a few results per piece, a third of the time was spent
    // waiting for it.
    const mayWait = input.size !== undefined && !isLast && failures.length === 0 && output.committed < WRITE_BYTES;
    if (!mayWait || performance.now() - lastWrite > WRITE_DELAY) await write();
    await printFailures(input, failures, run);
  };

  let mayThread = options.jobs > 1 && options.maxDiagnostics <= MAX_WAITING_DIAGNOSTICS && !isFromTerminal;
  let bytes = 0;
  /** Threads, once they have begun to read the input. */
  let threads: PartsThreads | undefined;
  const isLarge = (): boolean => {
    const { size = bytes } = input;
    return size >= options.parallelBytes || size >= MIN_FILE_BYTES && run.size >= options.parallelBytes;
  };

  const isByRanges = mayThread && reader.isJsonLines && isLarge();

  const own: OwnReader<Part, PartResult> = {
    run,
    isWanted,
    // One more than are wanted, to recognise the part with the last of them.
    taskOf: (lines) => ({ lines, resultsLeft: reader.resultsLeft + 1 }),
    resume: (block, lines) => reader.resume(block, lines),
    push: (piece) => reader.push(piece),
    async add(result, lines): Promise<boolean> {
      if (result.results >= reader.resultsLeft) {
        // The last result is among them: what follows it must not be read.
        const block = blockOf(result.part.lines);
        if (block === undefined) return false; // the file has become shorter
        reader.resume(block, lines);
        await readAll(true);
        return isWanted();
      }
      await writeBytes(result.output, run);
      detach(result.output.buffer);
      const maxShown = Math.max(0, options.maxDiagnostics - reader.invalidDocuments);
      for (const diagnostic of result.diagnostics.slice(0, maxShown)) {
        failures.push({ ...diagnostic, line: diagnostic.line + lines });
      }
      await printFailures(input, failures, run);
      reader.documents += result.documents;
      reader.invalidDocuments += result.invalidDocuments;
      reader.results += result.results;
      for (const name of result.leftOut) run.rows!.leaveOut(name);
      return isWanted();
    },
  };
  /** Leaves the lines from the current one on to threads. Resolves with the offset to continue at. */
  const beginThreads = async (): Promise<true | number> => {
    await startPartsThreads(run);
    // This thread reads on until they can.
    if (!run.threads?.allReady) return true;
    const rest = reader.lineRest();
    if (rest === undefined) return true;
    await write();
    threads = run.threads;
    // Threads read a file that is not compressed, except for an unterminated last line.
    const file = isByRanges && input.size !== undefined ? input : undefined;
    mayThread = file === undefined;
    return await threads.beginLines(rest, reader.lines, own, file);
  };

  // Before anything is read: Deno makes V8 discard what it has compiled when it starts a thread.
  if (isByRanges && reader.resultsLeft === Infinity) await startPartsThreads(run);
  const isAtEnd = await readPieces(input, {
    interrupt,
    contentLimits: options.contentLimits,
    readsAhead: options.jobs > 1 && !isByRanges,
    onEncoding: (encoding) => noteEncoding(input, encoding, run),
    isDecided: () => reader.isDecided,
    async onPiece(piece) {
      run.bytesRead += piece.length;
      bytes += piece.length;
      if (isFromTerminal) noteLineEnd(piece);
      if (threads === undefined) reader.push(piece);
      else if (await threads.push(piece)) return isWanted();
      await readAll(false);
      const next = mayThread && isWanted() && isLarge() ? await beginThreads() : true;
      return isWanted() && next;
    },
  }).catch(async (error) => {
    // What arrived before the error is printed.
    if (threads !== undefined && isWanted()) await threads.endLines().then(() => readAll(false));
    throw error;
  });
  await (isAtEnd ? threads?.endLines() : threads && unlessInterrupted(threads.cancel(), interrupt));
  if (isAtEnd && isWanted()) await readAll(true);
  else reader.describeRest();
}

/** Starts the threads of a run, if that was not tried before, and rows have their columns. */
async function startPartsThreads(run: PartsRun): Promise<void> {
  const { options, rows } = run;
  if (run.threads !== undefined || rows !== undefined && rows.columns === undefined) return;
  // Loaded here, so that small inputs do not pay for it.
  const { BlockWorkerPool, startThreads } = await import("../lines/block_worker_pool.ts");
  const { PartReader } = await import("./part_reader.ts");
  const threads = await startThreads(options.jobs - 1);
  run.threads = null;
  if (threads === undefined) return;
  const text = { ...run.text, columns: rows?.columns };
  for (const thread of threads) thread.postMessage({ text } satisfies ThreadJob);
  const reader = new PartReader(text);
  run.threads = new BlockWorkerPool(threads, { runHere: (part: Part) => reader.read(part)[0] });
}

async function writeResults(run: PartsRun): Promise<void> {
  const { output } = run;
  if (output.committed === 0) return;
  await writeBytes(output.bytes.subarray(0, output.committed), run);
  output.dropCommitted();
}

/** Writes results as lines or as elements of an array, whose comma waits for the next one. */
async function writeBytes(bytes: Uint8Array, run: PartsRun): Promise<void> {
  if (!run.text.isArray) return await copyToStdout(bytes);
  if (bytes.length === 0) return;
  await copyToStdout(run.hasWritten ? NEXT : FIRST);
  run.hasWritten = true;
  await copyToStdout(bytes.subarray(0, -NEXT.length));
}
