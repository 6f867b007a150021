/**
 * Prints the milliseconds a contestant takes for its first call: `first_call.ts CONTESTANT FILE`.
 * `compare --fresh` runs it in a process of its own.
 */
import process from "node:process";
import { native, ours } from "./contestants.ts";
import { readDocument } from "./corpus.ts";
import { Lane } from "./lane.ts";

const [name, path] = process.argv.slice(2);
const contestant = [native, ours].find((contestant) => contestant.name === name);
if (contestant === undefined) throw new TypeError(`Cannot time ${name}: no such contestant`);
console.log(new Lane(contestant, readDocument(path).parts).time(1));
