/**
 * Child process that serves an array of records over HTTP on the loopback interface, at the pace of
 * a network of 1 Gbit/s. Prints its port and, once a body is sent, a {@linkcode SentBody} as JSON,
 * each on a line.
 *
 *     paced_server.ts
 *
 * A request for `/BYTES` is answered with at least so many bytes. The server ends with its standard
 * input.
 *
 * @module
 */

import { type AddressInfo, createServer, type Socket } from "node:net";
import process from "node:process";
import { generate } from "../support/documents.ts";

/** Times at which a body was sent, in milliseconds since 1970. */
export interface SentBody {
  /** Time at which the network would have carried the last byte. */
  due: number;
  /** Time at which the last byte was handed to the system: later if the reader is slow. */
  sent: number;
}

const CHUNK_BYTES = 65_536;
/** 1 Gbit/s. */
const BYTES_PER_MILLISECOND = 125_000;
/** Bytes of the records that are repeated, so that the body needs no memory. */
const BLOCK_BYTES = 1_000_000;
const COMMA = 0x2c;

const block = generate("records", BLOCK_BYTES);
block[block.length - 1] = COMMA; // instead of the closing bracket

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Yields the chunks of a body of whole records. */
function* chunksOf(size: number): Generator<Uint8Array | string> {
  yield "[";
  const blocks = Math.ceil(size / (block.length - 1));
  for (let i = 1; i <= blocks; i++) {
    const end = i === blocks ? block.length - 1 : block.length;
    for (let start = 1; start < end; start += CHUNK_BYTES) {
      yield block.subarray(start, Math.min(start + CHUNK_BYTES, end));
    }
  }
  yield "]";
}

async function answer(socket: Socket, size: number): Promise<void> {
  socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n");
  let sent = 0;
  let due = now();
  const start = due;
  for (const chunk of chunksOf(size)) {
    sent += chunk.length;
    due = start + sent / BYTES_PER_MILLISECOND;
    while (now() < due) await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - now())));
    if (!socket.write(chunk)) await new Promise((resolve) => socket.once("drain", resolve));
  }
  const body: SentBody = { due, sent: now() };
  socket.end();
  console.log(JSON.stringify(body));
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.once("data", (request) => {
    const [, size] = /^GET \/(\d+) /.exec(request.toString("latin1"))!;
    void answer(socket, Number(size));
  });
  socket.on("error", () => {}); // the reader has gone
});
server.listen(0, "127.0.0.1", () => console.log(String((server.address() as AddressInfo).port)));
process.stdin.on("end", () => process.exit()).resume();
