/**
 * Mixed requests for so many minutes, each read from a stream, parsed and detached as a server would, in the process this module runs
 * in: `memory_soak.ts MINUTES FOLDER`, with bodies that {@linkcode writeBodies} wrote. Prints a {@linkcode SoakReading} as JSON.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers";
import { detach } from "../../detach.ts";
import { parseBinary } from "../../parse_binary.ts";
import { readBytes } from "../../read_bytes.ts";
import { ALPHANUMERIC, generate, KINDS } from "../documents.ts";
import { loadInput } from "./memory_input.ts";
import { Random } from "./random.ts";
import { resident } from "./resident.ts";
import { median } from "./statistics.ts";

/** What came of the requests; sizes in bytes. */
export interface SoakReading {
  seconds: number;
  requests: number;
  invalid: number;
  bytes: number;
  /** Medians of the resident set over thirds of the time, and the most that was seen. */
  resident: { thirds: number[]; highest: number };
}

/** Bytes of a request: what an API gets, a page of data, an upload. */
const SIZES = [500, 3_000, 30_000, 1_000_000];
/** Of so many requests with each size, in the order of {@linkcode SIZES}. */
const WEIGHTS = [40, 40, 19, 1];
/** One request of so many has a wrong byte somewhere, one a text that ends too early, one names never seen before. */
const BROKEN = 5;
const CUT_OFF = 20;
const NEW_NAMES = 4;
/** Bytes that a stream hands over at a time. */
const CHUNK = 16_384;
const SAMPLES = 300;

const random = new Random(1);
const encoder = new TextEncoder();

/** Writes bodies of every kind and size. In a process of its own: what making them takes is not the server's memory. */
export function writeBodies(folder: string): void {
  for (const size of SIZES) {
    KINDS.forEach((kind, i) => writeFileSync(join(folder, `${size} ${i}.json`), generate(kind, size)));
  }
}

/** The bodies in a folder, by size. */
function readBodies(folder: string): Uint8Array[][] {
  const names = readdirSync(folder).sort();
  return SIZES.map((size) =>
    names.filter((name) => name.startsWith(`${size} `)).map((name) => loadInput({ path: join(folder, name) }))
  );
}

function newNames(): Uint8Array<ArrayBuffer> {
  const members = Array.from(
    { length: random.integer(1, 40) },
    () => [random.characters(9, ALPHANUMERIC), random.next()],
  );
  return encoder.encode(JSON.stringify(Array.from({ length: 30 }, () => Object.fromEntries(members))));
}

function pickBody(bodies: Uint8Array[][]): Uint8Array {
  if (random.integer(1, NEW_NAMES) === 1) return newNames();
  let weight = random.integer(1, 100);
  const size = WEIGHTS.findIndex((share) => (weight -= share) <= 0);
  return random.pick(bodies[size]);
}

/** A body in chunks of its own, as from a socket, perhaps spoilt. */
function* request(body: Uint8Array): Iterable<Uint8Array> {
  const length = random.integer(1, CUT_OFF) === 1 ? random.integer(0, body.length) : body.length;
  const wrong = random.integer(1, BROKEN) === 1 ? random.integer(0, length - 1) : -1;
  for (let start = 0; start < length; start += CHUNK) {
    const chunk = body.slice(start, Math.min(length, start + CHUNK));
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
    await new Promise((resolve) => setImmediate(resolve)); // to the loop, as between any two requests: the engine's own tasks run there
    if (performance.now() - start >= (samples.length + 1) * interval) {
      samples.push(resident());
    }
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

if (import.meta.main) console.log(JSON.stringify(await soak(Number(process.argv[2]), readBodies(process.argv[3]))));
