/** The command line in Node.js and Bun. */

import * as fs from "node:fs";
import process from "node:process";
import type { DirectoryEntry, FileInfo, OpenFile, Platform } from "./interface.ts";
import { isTerminal } from "./node_builtins.ts";
import { nodeStderr, nodeStdout, openSource, readBlocking } from "./node_streams.ts";
import { startPlatform } from "./start_platform.ts";
import { runMeasuringProcess, startWorker, workerScope } from "./node_threads.ts";

const STDIN = 0;
const STDOUT = 1;

function openSync(path: string): OpenFile {
  const file = fs.openSync(path, "r");
  return {
    readSync: (buffer, position) => fs.readSync(file, buffer, 0, buffer.length, position) || null,
    statSync: () => infoOf(fs.fstatSync(file)),
    close: () => fs.closeSync(file),
  };
}

function openToReplace(path: string): (bytes: Uint8Array) => void {
  const file = fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_CREAT, 0o666);
  return (bytes) => {
    // Devices and pipes have no length.
    if (fs.fstatSync(file).isFile()) fs.ftruncateSync(file);
    for (let written = 0; written < bytes.length;) written += fs.writeSync(file, bytes, written);
    fs.closeSync(file);
  };
}

function infoOf(info: fs.Stats): FileInfo {
  return { isFile: info.isFile(), isDirectory: info.isDirectory(), size: info.size, dev: info.dev, ino: info.ino };
}

function readDirectorySync(path: string): DirectoryEntry[] {
  return fs.readdirSync(path, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    isFile: entry.isFile(),
    isDirectory: entry.isDirectory(),
    isSymlink: entry.isSymbolicLink(),
  }));
}

function realPathSync(path: string): string {
  const real = fs.realpathSync.native(path);
  if (real.includes("\ufffd")) throw new TypeError("Cannot name a path that may not be UTF-8");
  return real;
}

/** Returns bytes with their own buffer; small files share one. */
function own(bytes: Uint8Array<ArrayBufferLike>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length);
}

const { args, variable, exit } = startPlatform;

export const nodePlatform: Platform = {
  args,
  isWindows: process.platform === "win32",
  hasPermissions: false,
  giveUp() {},
  variable,
  silenceWarnings: () => void process.removeAllListeners("warning"),
  exit,
  onSignal: (signal, listener) => void process.on(signal, listener),
  yieldToEventLoop: () => new Promise<void>((resolve) => setImmediate(resolve)),

  stdout: nodeStdout,
  stderr: nodeStderr,
  isStdinTerminal: () => isTerminal(STDIN),
  readStdinSync: (buffer) => readBlocking(STDIN, buffer),
  columns: () => (isTerminal(STDOUT) ? process.stdout : process.stderr).columns ?? 0,

  openSource,
  openSync,
  openToReplace,
  statSync: (path) => infoOf(fs.statSync(path)),
  readFileSync: (path) => own(fs.readFileSync(path)),
  readFile: async (path) => own(await fs.promises.readFile(path)),
  readDirectorySync,
  realPathSync,
  currentDirectory: () => process.cwd(),
  // Node.js has permissions, too, but never asks the user.
  mayRead: () => true,

  catchGlobalErrors: () => () => {},

  startWorker,
  workerScope,
  runMeasuringProcess,
};
