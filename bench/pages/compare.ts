/**
 * Page that compares parseBinary with the browser's decoder and `JSON.parse`, as bench/compare.ts
 * does in a process. Posts its figures to the server.
 *
 * @module
 */

import { type Contestant, native, parser } from "../../measure/contestants.ts";
import { difference } from "../support/difference.ts";
import { summarize, toRow } from "../support/comparison.ts";
import { type BenchDocument, generate, generatedDocuments } from "../support/documents.ts";
import { FULL, JAVASCRIPTCORE_WARM_UP, Lane, measureAlternating, QUICK } from "../support/lane.ts";
import { FIRST_CALL_BYTES, FIRST_CALL_KIND, type PageFigures } from "../support/engine_figures.ts";
import { median } from "../../measure/statistics.ts";

/** Least ticks of the clock in a batch. Browsers coarsen the clock, to 1 ms at worst. */
const TICKS = 20;
/** Number of workers whose first call is measured, for each contestant. */
const WORKERS = 9;

const fields = new URLSearchParams((globalThis as unknown as { location: { search: string } }).location.search);
const only = new RegExp(fields.get("only") ?? "");

/** Returns the milliseconds of a tick of the clock. */
function clockTick(): number {
  let tick = Infinity;
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    tick = Math.min(tick, now - start);
  }
  return tick;
}

/** Requests the documents of the shared corpus; resolves with none where there is no corpus. */
async function corpus(): Promise<BenchDocument[]> {
  const folder = new URL("../../../shared/corpus/", import.meta.url);
  const listing = await fetch(folder);
  if (!listing.ok) return [];
  const names: string[] = await listing.json();
  return await Promise.all(
    names.filter((name) => /\.(json|ndjson)$/.test(name)).map(async (name) => {
      const guarded = new Uint8Array(await (await fetch(new URL(name, folder))).arrayBuffer());
      const bytes = guarded.slice(1);
      return { group: "corpus", name, parts: name.endsWith(".ndjson") ? splitLines(bytes) : [bytes] };
    }),
  );
}

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed < 0 ? bytes.length : feed;
    if (end > start) parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return parts;
}

/** Throws if parseBinary gives another value than native. */
function checkValues({ group, name, parts }: BenchDocument): void {
  if (group === "failure") return;
  for (const part of parts) {
    const problem = difference(parser.parse(part), native.parse(part));
    if (problem) throw new Error(`parseBinary differs from JSON.parse on ${group}/${name}: ${problem}`);
  }
}

/** Measures the first call of a contestant in a new worker. */
function firstCall(contestant: Contestant, document: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./first_call.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data === "loaded") return worker.postMessage({ name: contestant.name, document });
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => reject(new Error(event.message));
  });
}

/** Returns native's median first call over parseBinary's. */
async function firstCallRatio(): Promise<number> {
  const document = generate(FIRST_CALL_KIND, FIRST_CALL_BYTES);
  const samples = { native: [] as number[], parser: [] as number[] };
  for (let round = 0; round < WORKERS; round++) {
    samples.native.push(await firstCall(native, document));
    samples.parser.push(await firstCall(parser, document));
  }
  return median(samples.native) / median(samples.parser);
}

async function compare(): Promise<PageFigures> {
  const tick = clockTick();
  const effort = fields.has("quick") ? QUICK : FULL;
  const documents = [...await corpus(), ...generatedDocuments()].filter(({ group, name }) => {
    return only.test(`${group}/${name}`);
  });
  const rows = documents.map((document) => {
    checkValues(document);
    const lanes = [native, parser].map((contestant) => new Lane(contestant, document.parts));
    measureAlternating(lanes, {
      ...effort,
      warmUp: JAVASCRIPTCORE_WARM_UP,
      batch: Math.max(effort.batch, TICKS * tick),
    });
    return toRow(document, lanes);
  });
  const firstCall = await firstCallRatio();
  return { name: navigator.userAgent, rows, groups: summarize(rows), firstCall };
}

let outcome: { figures?: PageFigures; error?: string };
try {
  outcome = { figures: await compare() };
} catch (error) {
  outcome = { error: `${error}\n${(error as Error)?.stack ?? ""}` };
}
await fetch("result?id=figures", { method: "POST", body: JSON.stringify(outcome) });
