/**
 * Child process that calls a contestant from its first call on, and prints the milliseconds that
 * its calls have taken together, after each. The document comes from standard input.
 *
 *     first_calls.ts CONTESTANT MASK CALLS     MASK in JSON, `true` for the whole
 *
 * @module
 */

import { Buffer } from "node:buffer";
import process from "node:process";
import { timeFirstCalls } from "../support/lane.ts";
import { contestantsFor } from "../support/selections.ts";

const [name, mask, calls] = process.argv.slice(2);
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const document = new Uint8Array(Buffer.concat(chunks)); // in a buffer of its own
const contestant = contestantsFor({ group: "messages", mask: JSON.parse(mask) }).find((other) => other.name === name);
if (contestant === undefined) throw new TypeError(`Cannot time ${name}: no such contestant`);
console.log(JSON.stringify(await timeFirstCalls(() => contestant.parse(document), Number(calls))));
