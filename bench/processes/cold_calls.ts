/**
 * Child process that prints the milliseconds of a contestant's first calls. The document comes from
 * standard input.
 *
 *     cold_calls.ts CONTESTANT CALLS
 *
 * @module
 */

import { readFileSync } from "node:fs";
import process from "node:process";
import { native, parser, response } from "../../measure/contestants.ts";
import { validator } from "../../measure/validator_contestant.ts";
import { consumed } from "../support/lane.ts";
import { loadPeer } from "../support/peer.ts";

const [name, calls] = process.argv.slice(2);
const peer = await loadPeer();
const all = [native, response, parser, validator, ...(peer ? [peer] : [])];
const contestant = all.find((contestant) => contestant.name === name);
if (contestant === undefined) throw new TypeError(`Cannot time ${name}: no such contestant`);

const document = new Uint8Array(readFileSync(0)); // in a buffer of its own
const start = performance.now();
for (let call = 0; call < Number(calls); call++) {
  consumed.value = contestant.parse(document);
  if (contestant.isAsync) await consumed.value;
}
console.log(performance.now() - start);
