/**
 * Child process that handles mixed requests as a server would: reads each from a stream, parses it,
 * detaches its buffer. Prints a {@linkcode SoakReading} as JSON.
 *
 *     memory_soak.ts MINUTES FOLDER     with the bodies that `writeBodies` wrote to FOLDER
 *
 * @module
 */

import process from "node:process";
import { setImmediate } from "node:timers";
import { detach } from "../../detach.ts";
import { residentBytes } from "../../measure/process_memory.ts";
import { Random } from "../support/random.ts";
import { median } from "../../measure/statistics.ts";
import { parseBinary } from "../../parse_binary.ts";
import { readBytes } from "../../read_bytes.ts";
import { ALPHANUMERIC } from "../support/documents.ts";
import { readBodies } from "../support/soak_bodies.ts";

/** Result of a soak test. Sizes are in bytes. */
export interface SoakReading {
  seconds: number;
  requests: number;
  invalid: number;
  bytes: number;
  /** Medians of the resident set over thirds of the time, and its highest sample. */
  resident: { thirds: number[]; highest: number };
}

/** Percentage of requests of each size, the sizes ascending. */
const WEIGHTS = [40, 40, 19, 1];
/** One request in this many has a wrong byte. */
const WRONG_BYTE = 5;
/** One request in this many ends too early. */
const CUT_OFF = 20;
/** One request in this many has names never seen before. */
const NEW_NAMES = 4;
/** Bytes of a chunk of a request's stream. */
const CHUNK_BYTES = 16_384;
/** Number of samples of the resident set. */
const SAMPLES = 300;

const random = new Random(1);
const encoder = new TextEncoder();

function makeNewNames(): Uint8Array<ArrayBuffer> {
  const members = Array.from(
    { length: random.integer(1, 40) },
    () => [random.characters(9, ALPHANUMERIC), random.next()],
  );
  return encoder.encode(JSON.stringify(Array.from({ length: 30 }, () => Object.fromEntries(members))));
}

function pickBody(bodies: Uint8Array[][]): Uint8Array {
  if (random.once(NEW_NAMES)) return makeNewNames();
  let weight = random.integer(1, 100);
  const size = WEIGHTS.findIndex((share) => (weight -= share) <= 0);
  return random.pick(bodies[size]);
}

/** Yields a body in chunks with buffers of their own, as from a socket; some bodies are damaged. */
function* request(body: Uint8Array): Iterable<Uint8Array> {
  const length = random.once(CUT_OFF) ? random.integer(0, body.length) : body.length;
  const wrong = random.once(WRONG_BYTE) ? random.integer(0, length - 1) : -1;
  for (let start = 0; start < length; start += CHUNK_BYTES) {
    const chunk = body.slice(start, Math.min(length, start + CHUNK_BYTES));
    if (wrong >= start && wrong < start + chunk.length) chunk[wrong - start] = random.integer(0, 255);
    yield chunk;
  }
}

async function soak(minutes: number, bodies: Uint8Array[][]): Promise<SoakReading> {
  const interval = minutes * 60_000 / SAMPLES;
  const samples: number[] = [];
  const counts = { requests: 0, invalid: 0, bytes: 0 };
  const start = performance.now();
  while (samples.length < SAMPLES) {
    const bytes = await readBytes(request(pickBody(bodies)));
    counts.requests++;
    counts.bytes += bytes.length;
    if (!parseBinary(bytes).ok) counts.invalid++;
    detach(bytes);
    // Back to the event loop, as between any two requests: the engine's own tasks run there.
    await new Promise((resolve) => setImmediate(resolve));
    if (performance.now() - start >= (samples.length + 1) * interval) samples.push(residentBytes());
  }
  const third = SAMPLES / 3;
  return {
    seconds: (performance.now() - start) / 1e3,
    ...counts,
    resident: {
      thirds: [0, third, 2 * third].map((from) => median(samples.slice(from, from + third))),
      highest: Math.max(...samples),
    },
  };
}

const [, , minutes, folder] = process.argv;
console.log(JSON.stringify(await soak(Number(minutes), readBodies(folder))));
