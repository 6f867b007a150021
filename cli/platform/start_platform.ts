/**
 * The part of the runtime that the check of small files uses. Loads as few modules as possible:
 * `node:fs` takes Bun half as long as an empty script, and Deno longer than one. The rest of the
 * command line does everything that needs more (npm package, 1 KB, CPU time of an empty script = 1:
 * Node.js 1.38 → 1.05, Bun 2.4 → 1.5, Deno 3.2 → 1.2).
 */

import type process from "node:process";

export interface StartPlatform {
  readonly args: readonly string[];
  /** Returns a variable of the environment; `undefined` if it is not set, or not to be read. */
  variable(name: string): string | undefined;
  /**
   * Reads a regular file. Returns `undefined` for anything else, for more than `maxBytes` bytes, and
   * where this runtime cannot read without modules. Throws or rejects if the file is unreadable.
   */
  readSmallFile(path: string, maxBytes: number): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  isErrorTerminal(): boolean;
  /** Writes to standard error. Throws or rejects if it cannot. */
  writeError(text: string): void | Promise<unknown>;
  exit(code: number): never;
}

const STDERR = 2;

/** Reads a file of at most `maxBytes` bytes by a function that returns how many bytes it has read. */
function readAll(maxBytes: number, read: (buffer: Uint8Array) => number | null): Uint8Array | undefined {
  // One byte more than is allowed: the file may grow while it is read.
  const buffer = new Uint8Array(maxBytes + 1);
  let length = 0;
  for (let count; (count = read(buffer.subarray(length))) !== null && count > 0;) length += count;
  return length > maxBytes ? undefined : buffer.subarray(0, length);
}

function writeAll(text: string, write: (bytes: Uint8Array) => number): void {
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length;) written += write(bytes.subarray(written));
}

/** Returns whether Deno grants a permission without asking the user. */
export function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(descriptor).state === "granted";
}

/** Variables that Deno lets any program read. */
const FREE_VARIABLES: readonly string[] = ["NO_COLOR", "FORCE_COLOR"];

function inDeno(): StartPlatform {
  return {
    args: Deno.args,
    variable: (name) =>
      FREE_VARIABLES.includes(name) || isGranted({ name: "env", variable: name }) ? Deno.env.get(name) : undefined,
    readSmallFile(path, maxBytes): Uint8Array | undefined {
      // An executable has to drop permissions first.
      if (Deno.build.standalone || !Deno.statSync(path).isFile) return undefined;
      const file = Deno.openSync(path);
      try {
        return readAll(maxBytes, (buffer) => file.readSync(buffer));
      } finally {
        file.close();
      }
    },
    isErrorTerminal: () => Deno.stderr.isTerminal(),
    writeError: (text) => writeAll(text, (bytes) => Deno.stderr.writeSync(bytes)),
    exit: (code) => Deno.exit(code),
  };
}

type Process = typeof process & { binding?(name: string): Partial<Record<string, unknown>> };

/** Returns the global `process`, which Deno would have to load. */
function ownProcess(): Process {
  return (globalThis as unknown as { process: Process }).process;
}

type Load = typeof process.getBuiltinModule;

/**
 * Returns whether a descriptor is that of a terminal, in Bun; `undefined` if that takes `node:tty`,
 * and Bun takes three times as long for it as for an empty script.
 */
function isBunTerminal(descriptor: number): boolean | undefined {
  try {
    const isTTY = ownProcess().binding?.("tty_wrap").isTTY;
    return typeof isTTY === "function" ? isTTY(descriptor) === true : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a descriptor is that of a terminal, in Node.js and Bun. */
export function isTerminal(descriptor: number, load: Load): boolean {
  const known = "Bun" in globalThis ? isBunTerminal(descriptor) : undefined;
  if (known !== undefined) return known;
  try {
    const { fstatSync, statSync } = load("node:fs");
    const info = fstatSync(descriptor);
    // Many programs get the null device in place of a terminal.
    const isNull = info.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
    return info.isCharacterDevice() && !isNull && load("node:tty").isatty(descriptor);
  } catch {
    return false; // it is closed
  }
}

function inNode(): StartPlatform {
  const { argv, env, exit, getBuiltinModule: load } = ownProcess();
  return {
    args: argv.slice(2),
    variable: (name) => env[name],
    // Throws before Node.js 22.3, which cannot load modules like this.
    readSmallFile(path, maxBytes): Uint8Array | undefined {
      const { statSync, openSync, readSync, closeSync } = load("node:fs");
      if (!statSync(path).isFile()) return undefined;
      const file = openSync(path, "r");
      try {
        return readAll(maxBytes, (buffer) => readSync(file, buffer));
      } finally {
        closeSync(file);
      }
    },
    isErrorTerminal: () => isTerminal(STDERR, load),
    writeError: (text) => writeAll(text, (bytes) => load("node:fs").writeSync(STDERR, bytes)),
    exit,
  };
}

interface Bun {
  file(path: string): BunFile;
  readonly stderr: BunFile;
  write(file: BunFile, text: string): Promise<number>;
}

interface BunFile {
  /** Number of bytes. Apart from regular files, only directories have a finite number above 0. */
  readonly size: number;
  slice(from: number, to: number): BunFile;
  bytes(): Promise<Uint8Array>;
}

function inBun({ file, stderr, write }: Bun): StartPlatform {
  return {
    ...inNode(),
    async readSmallFile(path, maxBytes): Promise<Uint8Array | undefined> {
      const source = file(path);
      if (!(source.size > 0 && source.size <= maxBytes)) return undefined;
      const bytes = await source.slice(0, maxBytes + 1).bytes();
      return bytes.length > maxBytes ? undefined : bytes;
    },
    writeError: (text) => write(stderr, text),
  };
}

const { Bun } = globalThis as { Bun?: Bun };

export const startPlatform: StartPlatform = "Deno" in globalThis ? inDeno() : Bun ? inBun(Bun) : inNode();
