/**
 * The memory and time of reading a stream into one buffer, in the process that this module runs in: `reading_process.ts WAY SIZE`.
 * Prints a {@linkcode Reading} as JSON.
 */
import { Buffer } from "node:buffer";
import process from "node:process";
import { readBytes } from "../../read_bytes.ts";
import { peakResident, resetPeak, resident } from "./resident.ts";

/** What it took; the peak in bytes, above what was resident before. */
export interface Reading {
  peak: number;
  milliseconds: number;
}

type Way = (stream: ReadableStream<Uint8Array<ArrayBuffer>>, size: number) => Promise<ArrayBuffer | Uint8Array>;

const WAYS: Record<string, Way> = {
  "readBytes, size known": (stream, sizeHint) => readBytes(stream, { sizeHint }),
  "readBytes, size unknown": (stream) => readBytes(stream),
  "readBytes, 10 GB announced": (stream) => readBytes(stream, { sizeHint: 10e9 }),
  "arrayBuffer()": (stream) => new Response(stream).arrayBuffer(),
  "Buffer.concat": async (stream) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
};

export const WAY_NAMES: string[] = Object.keys(WAYS);

const CHUNK = 64 * 1024;

/** Chunks with a buffer each and every page of it written to, as a socket gives them. */
function streamOf(size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let rest = size;
  return new ReadableStream({
    pull(controller) {
      if (rest === 0) return controller.close();
      const chunk = new Uint8Array(Math.min(rest, CHUNK)).fill(0x20);
      rest -= chunk.length;
      controller.enqueue(chunk);
    },
  });
}

async function measure(way: Way, size: number): Promise<Reading> {
  await way(streamOf(CHUNK), CHUNK); // what is loaded at first use is not what counts
  resetPeak();
  const before = resident();
  const start = performance.now();
  const bytes = await way(streamOf(size), size);
  const milliseconds = performance.now() - start;
  if (bytes.byteLength !== size) throw new Error(`${bytes.byteLength} bytes instead of ${size}`);
  return { peak: peakResident() - before, milliseconds };
}

if (import.meta.main) {
  const [, , way, size] = process.argv;
  console.log(JSON.stringify(await measure(WAYS[way], Number(size))));
}
