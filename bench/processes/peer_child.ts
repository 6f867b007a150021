/**
 * Child process that measures other parsers, or tries them with odd documents, and prints one JSON
 * object. It runs in Deno, Node.js and Bun.
 *
 *     peer_child.ts FOLDER warm | operations [quick]
 *     peer_child.ts FOLDER cold | behaviour | depth NAME
 *
 * FOLDER has the packages, and a module `load.mjs` that imports them.
 *
 * @module
 */

import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { Random } from "../support/random.ts";
import { runtimeName } from "../../measure/runtime.ts";
import { generate, payload } from "../support/documents.ts";
import { type Effort, effortOf, Lane, laneOf, measureLanes } from "../support/lane.ts";
import { OPERATIONS } from "../support/operations.ts";
import { type Peer, type PeerParser, PEERS } from "../support/peers.ts";

/** Documents by the names that tables have. */
const DOCUMENTS: Record<string, () => Uint8Array[]> = {
  "bodies, 0.5 KB": () => {
    const random = new Random(512);
    return Array.from({ length: 64 }, () => payload(512, random));
  },
  "records, 100 KB": () => [generate("records", 100_000)],
  "records, 2 MB": () => [generate("records", 2_000_000)],
  "numbers, 0.5 MB": () => [generate("floats of 17 digits", 500_000)],
  "sentences, 0.5 MB": () => [generate("sentences", 500_000)],
};

/** Levels of the nested document. */
const LEVELS = 100_000;

/** Texts that are not JSON. */
const INVALID = [
  "[1,]",
  "[01]",
  "[+1]",
  "[.5]",
  "[1.]",
  '["\t"]',
  "['a']",
  "{a:1}",
  '["\\x"]',
  "[1 2]",
  "[NaN]",
  "1 2",
];

/** Milliseconds of each parser on each document, by their names. */
export interface WarmReading {
  runtime: string;
  times: Record<string, Record<string, number>>;
}

/** Nanoseconds of one operation, by way. */
export interface OperationRow {
  name: string;
  nanoseconds: Record<string, number>;
}

/** Behaviour of a parser with odd documents. */
export interface BehaviourReading {
  /** Number of texts accepted that are not JSON. */
  accepted: string[];
  malformedUtf8: "refused" | "replaced";
  /** Treatment of a member called `"__proto__"`. */
  proto: "own member" | "refused" | "dropped" | "prototype";
  /** Whether a failure says a line and a column. */
  tellsLine: boolean;
}

const encoder = new TextEncoder();

const [folder, mode, argument] = process.argv.slice(2);
const { load } = await import(pathToFileURL(join(folder, "load.mjs")).href);

function openPeer({ open }: Peer): PeerParser | Promise<PeerParser> {
  return open(load);
}

function findPeer(name: string): Peer {
  const peer = PEERS.find((peer) => peer.name === name);
  if (peer === undefined) throw new TypeError(`Cannot measure '${name}': no such parser`);
  return peer;
}

/** Returns the effort of measurements. Slow peers leave no time for more. */
function effort(isQuick: boolean): Effort {
  return { ...effortOf(isQuick), rounds: isQuick ? 1 : 5, warmUp: isQuick ? 1 : 100, patience: 0 };
}

/** Measures the parsers in turn. */
async function measureWarm(isQuick: boolean): Promise<WarmReading> {
  const runtime = runtimeName();
  const names = PEERS.filter(({ onlyIn }) => onlyIn === undefined || runtime.startsWith(onlyIn));
  const peers = await Promise.all(
    names.map(async (peer) => ({ name: peer.name, isAsync: peer.isAsync ?? false, parse: await openPeer(peer) })),
  );
  const times: WarmReading["times"] = Object.fromEntries(peers.map(({ name }) => [name, {}]));
  for (const [document, makeParts] of Object.entries(DOCUMENTS)) {
    const parts = makeParts();
    const lanes = peers.map((peer) =>
      peer.isAsync
        ? new Lane(peer.name, async () => {
          for (const part of parts) await peer.parse(part);
        })
        : laneOf(peer, parts)
    );
    await measureLanes(lanes, effort(isQuick));
    for (const { name, milliseconds } of lanes) times[name][document] = milliseconds;
  }
  return { runtime, times };
}

/** Measures operations by their ways, in turn. */
async function measureOperations(isQuick: boolean): Promise<OperationRow[]> {
  const rows: OperationRow[] = [];
  for (const { name, runs, ways } of OPERATIONS) {
    const lanes = Object.entries(ways()).map(([way, run]) => new Lane(way, run));
    await measureLanes(lanes, effort(isQuick));
    const times = lanes.map(({ name, milliseconds }) => [name, 1e6 * milliseconds / runs]);
    rows.push({ name, nanoseconds: Object.fromEntries(times) });
  }
  return rows;
}

/** Returns the value that a parser makes of a text, or the error. */
async function attempt(parse: PeerParser, bytes: Uint8Array): Promise<{ value?: unknown; error?: Error }> {
  try {
    return { value: await parse(bytes) };
  } catch (error) {
    return { error: error as Error };
  }
}

async function readBehaviour(parse: PeerParser): Promise<BehaviourReading> {
  const accepted: string[] = [];
  for (const text of INVALID) {
    if ((await attempt(parse, encoder.encode(text))).error === undefined) accepted.push(text);
  }
  const malformed = await attempt(parse, Uint8Array.from([0x5b, 0x22, 0xff, 0x22, 0x5d]));
  const { error: refusal, value } = await attempt(parse, encoder.encode('{"__proto__": {"admin": true}}'));
  const object = value as { admin?: boolean } | undefined;
  const failure = await attempt(parse, encoder.encode('{"a": 1,\n  "b": 2,,}'));
  return {
    accepted,
    malformedUtf8: malformed.error === undefined ? "replaced" : "refused",
    proto: refusal !== undefined
      ? "refused"
      : Object.hasOwn(object!, "__proto__")
      ? "own member"
      : object!.admin === true
      ? "prototype"
      : "dropped",
    tellsLine: /line 2\b/.test(failure.error?.message ?? ""),
  };
}

async function run(): Promise<unknown> {
  if (mode === "warm") return await measureWarm(argument === "quick");
  if (mode === "operations") return await measureOperations(argument === "quick");
  const parse = await openPeer(findPeer(argument));
  if (mode === "behaviour") return await readBehaviour(parse);
  if (mode === "depth") {
    const { error } = await attempt(parse, encoder.encode("[".repeat(LEVELS) + "]".repeat(LEVELS)));
    return error === undefined ? "value" : error.name;
  }
  const [document] = DOCUMENTS["records, 100 KB"]();
  return await new Lane("", () => parse(document)).time(1);
}

console.log(JSON.stringify(await run()));
process.exit(); // some streams wait for more
