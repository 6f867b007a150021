/**
 * Child process that calls a contestant from its first call on, and prints the milliseconds that
 * its calls have taken together, after each. The document comes from standard input.
 *
 *     select_calls.ts CONTESTANT SELECTION CALLS
 *
 * SELECTION is the index of a selection whose first calls are measured.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import process from "node:process";
import { Lane } from "../support/lane.ts";
import { contestantsFor } from "../support/selecting.ts";
import { FIRST_CALLS } from "../support/selections.ts";

const [name, index, calls] = process.argv.slice(2);
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const document = new Uint8Array(Buffer.concat(chunks)); // in a buffer of its own
const contestant = contestantsFor(FIRST_CALLS[Number(index)]).find((contestant) => contestant.name === name);
if (contestant === undefined) throw new TypeError(`Cannot time ${name}: no such contestant`);
const lane = new Lane(contestant, [document]);
let total = 0;
console.log(JSON.stringify(Array.from({ length: Number(calls) }, () => total += lane.time(1))));
