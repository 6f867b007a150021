/**
 * Child process that prints the milliseconds of a contestant's first call.
 *
 *     first_call.ts CONTESTANT FILE
 *
 * @module
 */

import process from "node:process";
import { native, parser } from "../../measure/contestants.ts";
import { readDocument } from "../support/corpus.ts";
import { Lane } from "../support/lane.ts";

const [name, path] = process.argv.slice(2);
const contestant = [native, parser].find((contestant) => contestant.name === name);
if (contestant === undefined) throw new TypeError(`Cannot time ${name}: no such contestant`);
console.log(new Lane(contestant, readDocument(path).parts).time(1));
