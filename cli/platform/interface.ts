/** Interface of the runtime to the command line. */

import type { StartPlatform } from "./start_platform.ts";

/** Metadata of a file. Its number is `null` if the system has none. */
export type FileInfo = Pick<Deno.FileInfo, "isFile" | "isDirectory" | "size" | "dev" | "ino">;

export type DirectoryEntry = Deno.DirEntry;

/** Regular file that is read on this thread. */
export interface OpenFile {
  /** Reads bytes. Returns how many, or `null` at the end. */
  readSync(buffer: Uint8Array, position: number): number | null;
  statSync(): FileInfo;
  close(): void;
}

/** Source of bytes that does not block this thread. */
export interface ByteSource {
  /** Reads bytes. Resolves with how many, or with `null` at the end. */
  read(buffer: Uint8Array<ArrayBuffer>): Promise<number | null>;
  /** Closes the source, unless it is standard input. */
  close(): void;
}

export interface OutputStream {
  isTerminal(): boolean;
  writeSync(bytes: Uint8Array): number;
  /** Writes bytes while signals are handled. Resolves with how many. */
  write(bytes: Uint8Array): Promise<number>;
}

/** Thread that runs `cli/check/worker.ts`. */
export interface WorkerThread {
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null;
  /** Sends a message, and transfers buffers in it. */
  postMessage(message: unknown, buffers?: ArrayBuffer[]): void;
  /** Resolves once the thread has ended: Node.js can crash if it ends itself before. */
  terminate(): Promise<void>;
}

/** The other side of a {@linkcode WorkerThread}. */
export interface WorkerScope {
  postMessage(message: unknown, buffers?: ArrayBuffer[]): void;
  listen(onMessage: (data: unknown) => void): void;
}

export interface ProcessResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: Uint8Array;
}

/** Runtime and system, as the command line uses them. */
export interface Platform extends Pick<StartPlatform, "args" | "variable" | "exit"> {
  readonly isWindows: boolean;
  /** Whether the program has permissions that it can drop. */
  readonly hasPermissions: boolean;
  /** Gives up all of these permissions for good. */
  giveUp(names: readonly ("read" | "write" | "run")[]): void;
  /** Keeps the runtime from printing its own warnings. */
  silenceWarnings(): void;
  /** Calls a function on a signal, which no longer ends the process. */
  onSignal(signal: "SIGINT" | "SIGTERM", listener: () => void): void;
  /** Lets the event loop run other tasks. */
  yieldToEventLoop(): Promise<unknown>;

  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  isStdinTerminal(): boolean;
  /** Reads standard input on this thread. Returns the number of bytes, or `null` at the end. */
  readStdinSync(buffer: Uint8Array): number | null;
  /** Returns the columns of the terminal; 0 if they are unknown. */
  columns(): number;

  /** Opens a path, or standard input for `-`, which may be anything that can be read. */
  openSource(path: string): Promise<ByteSource>;
  openSync(path: string): OpenFile;
  /**
   * Opens a file without emptying it; creates it if it does not exist. Returns a function that
   * replaces its content, and closes it.
   */
  openToReplace(path: string): (bytes: Uint8Array) => void;
  statSync(path: string): FileInfo;
  readFileSync(path: string): Uint8Array<ArrayBuffer>;
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  readDirectorySync(path: string): DirectoryEntry[];
  /** Returns the path without links. Throws if it is not UTF-8. */
  realPathSync(path: string): string;
  currentDirectory(): string;
  /** Returns whether a path may be read without asking the user. */
  mayRead(path: string): boolean;

  /**
   * Catches errors that the runtime throws in the global scope instead of passing them to the
   * object that failed. The listener returns whether the error was one of those. Returns a function
   * that removes the listener.
   */
  catchGlobalErrors(listener: (error: unknown) => boolean): () => void;

  startWorker(): WorkerThread;
  /** Returns the other side, in such a thread. */
  workerScope(): WorkerScope | undefined;
  /**
   * Runs the measuring process of `bench` with bytes on its standard input.
   *
   * @throws {Error} If running it is not permitted.
   */
  runMeasuringProcess(args: readonly string[], input: Uint8Array): Promise<ProcessResult>;
}
