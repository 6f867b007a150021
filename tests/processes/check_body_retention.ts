/**
 * Child process, run with `--expose-gc`: sends requests that are aborted in the middle of their
 * bodies, and checks that `readJson` keeps nothing of them.
 *
 *     check_body_retention.ts REQUESTS
 */

import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import process from "node:process";
import { readJson } from "../../mod.ts";
import { checkThat, reportChecks } from "../support/checks.ts";
import { listen, serveFetch } from "../support/ports.ts";

const REQUESTS = Number(process.argv[2] ?? 2000);
/** Requests at the same time. */
const CLIENTS = 20;
/** Maximum number of bytes of growth of the heap, for any number of requests. */
const MAX_GROWTH = 3e6;

const { gc } = globalThis as unknown as { gc: () => void };

async function heapSize(): Promise<number> {
  for (let i = 0; i < 6; i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Signal that lives as long as the server, as that of a shutdown does. */
const shutdown = new AbortController();
const OPTIONS = { signal: shutdown.signal, timeout: 60_000 };
const counts: Record<string, number> = {};

function count(code: string): void {
  counts[code] = (counts[code] ?? 0) + 1;
}

let answered = 0;

/** Reads a source in a server, and counts its result. */
async function handle(source: Parameters<typeof readJson>[0]): Promise<void> {
  const result = await readJson(source, OPTIONS);
  count(result.ok ? "ok" : result.code);
  answered++;
}

const BODY = "x".repeat(5_000);

/** Sends half of a body, and goes away. */
function abortRequest(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      const head = "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10000";
      socket.write(`${head}\r\n\r\n"${BODY}`, () => setTimeout(() => socket.destroy(), 1));
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });
}

/** Aborts requests by several clients, and waits until the server has noticed. */
async function abortRequests(port: number, requests: number): Promise<void> {
  const before = answered;
  let left = requests;
  const work = async (): Promise<void> => {
    while (left-- > 0) await abortRequest(port);
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  for (let i = 0; i < 200 && answered < before + requests; i++) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Aborts requests that this process has made itself, each with a signal of its own. */
async function abortStreams(requests: number): Promise<void> {
  for (let i = 0; i < requests; i++) {
    const controller = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        stream.enqueue(new Uint8Array(1000));
        return new Promise(() => {});
      },
    });
    const reading = readJson(body, { signal: AbortSignal.any([controller.signal, shutdown.signal]), timeout: 60_000 });
    await Promise.resolve();
    controller.abort();
    const result = await reading;
    count(result.ok ? "ok" : result.code);
    if (i % 1000 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
}

const WARM_UP = Math.max(500, REQUESTS / 20);
const grown: number[] = [];

/** Checks that reading by `abort` leaves nothing behind. */
async function checkRetention(name: string, abort: (requests: number) => Promise<void>): Promise<void> {
  const abortedBefore = counts.aborted ?? 0;
  await abort(WARM_UP);
  const before = await heapSize();
  await abort(REQUESTS);
  const growth = await heapSize() - before;
  grown.push(growth);
  checkThat(`memory after ${name}`, growth < MAX_GROWTH, growth);
  checkThat(`all of ${name} are aborted`, counts.aborted === abortedBefore + WARM_UP + REQUESTS, counts);
  const listeners = getEventListeners(shutdown.signal, "abort").length;
  checkThat(`listeners of the signal after ${name}`, listeners === 0, listeners);
}

const ports = {
  "requests of node:http": await listen(
    createServer((request, response) => void handle(request).then(() => response.end())),
  ),
  "requests of the runtime": serveFetch((request) => handle(request).then(() => new Response())),
};
for (const [name, port] of Object.entries(ports)) {
  if (port !== undefined) await checkRetention(name, (requests) => abortRequests(port, requests));
}
await checkRetention("streams", abortStreams);

console.error(`grown by ${grown.join(", ")} bytes`);
reportChecks();
process.exit();
