/**
 * Measures other parsers, and observes their behaviour with odd documents, in a separate process of
 * Deno, Node.js or Bun.
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runtimeName } from "../../measure/runtime.ts";
import { generate, payloads } from "../support/documents.ts";
import { type Effort, effortOf, Lane } from "../support/bench_lanes.ts";
import { OPERATIONS } from "../support/operations.ts";
import { type Peer, type PeerParser, PEERS } from "../support/other_parsers.ts";
import { measureRow, measureWays, type Row } from "../support/rows.ts";
import { ROOT } from "../support/runtimes.ts";

const DOCUMENTS: Record<string, () => Uint8Array[]> = {
  "bodies, 0.5 KB": () => payloads(512),
  "records, 100 KB": () => [generate("records", 100_000)],
  "records, 2 MB": () => [generate("records", 2_000_000)],
  "numbers, 0.5 MB": () => [generate("floats of 17 digits", 500_000)],
  "sentences, 0.5 MB": () => [generate("sentences", 500_000)],
};
const LEVELS = 100_000;
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

/** Behaviour of a parser with odd documents. */
export interface Behaviour {
  /** Texts accepted that are not JSON. */
  accepted: string[];
  malformedUtf8: "refused" | "replaced";
  proto: "own member" | "refused" | "dropped" | "prototype";
  /** Whether a failure has a line and a column. */
  tellsLine: boolean;
}

const encoder = new TextEncoder();

/** Folder with the packages, and a module there that imports them. */
export const FOLDER = join(ROOT, "dist/peers");
export const LOADER = join(FOLDER, "load.mjs");

async function openPeer({ open }: Peer): Promise<PeerParser> {
  return await open(async (path) => (await import(pathToFileURL(LOADER).href)).load(path));
}

function openNamed(name: string): Promise<PeerParser> {
  return openPeer(PEERS.find((peer) => peer.name === name)!);
}

/** Returns the effort of measurements. Slow peers leave no time for more. */
function effort(isQuick: boolean): Effort {
  return { ...effortOf(isQuick), rounds: isQuick ? 1 : 5, warmUp: isQuick ? 1 : 100, patience: 0 };
}

export async function measureParsers(isQuick: boolean): Promise<Row[]> {
  const peers = PEERS.filter(({ onlyIn }) => onlyIn === undefined || runtimeName().startsWith(onlyIn));
  const contestants = await Promise.all(
    peers.map(async (peer) => ({ ...peer, parse: await openPeer(peer) })),
  );
  const rows: Row[] = [];
  for (const [name, makeParts] of Object.entries(DOCUMENTS)) {
    rows.push(await measureRow({ group: "parsers", name, parts: makeParts() }, contestants, effort(isQuick)));
  }
  return rows;
}

/** Measures operations, a part of a row each. */
export async function measureOperations(isQuick: boolean): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, runs, ways } of OPERATIONS) {
    rows.push(await measureWays({ group: "operations", name, bytes: 0, parts: runs }, ways(), effort(isQuick)));
  }
  return rows;
}

export async function timeFirstCall(name: string): Promise<number> {
  const parse = await openNamed(name);
  const [document] = DOCUMENTS["records, 100 KB"]();
  return await new Lane(name, () => parse(document)).time(1);
}

/** Resolves with the value that a parser returns for a text, or with the error. */
async function attempt(parse: PeerParser, text: string | Uint8Array): Promise<{ value?: unknown; error?: Error }> {
  try {
    return { value: await parse(typeof text === "string" ? encoder.encode(text) : text) };
  } catch (error) {
    return { error: error as Error };
  }
}

export async function observe(name: string): Promise<Behaviour> {
  const parse = await openNamed(name);
  const accepted: string[] = [];
  for (const text of INVALID) if ((await attempt(parse, text)).error === undefined) accepted.push(text);
  const malformed = await attempt(parse, Uint8Array.from([0x5b, 0x22, 0xff, 0x22, 0x5d]));
  const { error: refusal, value } = await attempt(parse, '{"__proto__": {"admin": true}}');
  const object = value as { admin?: boolean } | undefined;
  const failure = await attempt(parse, '{"a": 1,\n  "b": 2,,}');
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

/** Resolves with the result for many levels of arrays: a value, or the name of an error. */
export async function observeNesting(name: string): Promise<string> {
  const { error } = await attempt(await openNamed(name), "[".repeat(LEVELS) + "]".repeat(LEVELS));
  return error === undefined ? "value" : error.name;
}
