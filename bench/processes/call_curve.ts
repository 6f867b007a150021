/**
 * Child process that calls a contestant from its first call on, and prints the milliseconds that
 * its calls have taken together, after each.
 *
 *     call_curve.ts CONTESTANT FILE CALLS
 *
 * @module
 */

import process from "node:process";
import { native, parser } from "../../measure/contestants.ts";
import { readDocument } from "../support/corpus.ts";
import { Lane } from "../support/lane.ts";

const [name, path, calls] = process.argv.slice(2);
const contestant = [native, parser].find((contestant) => contestant.name === name);
if (contestant === undefined) throw new TypeError(`Cannot time ${name}: no such contestant`);
const lane = new Lane(contestant, readDocument(path).parts);
let total = 0;
console.log(JSON.stringify(Array.from({ length: Number(calls) }, () => total += lane.time(1))));
