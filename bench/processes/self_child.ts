/**
 * Child process that measures the same code against itself. Prints the mean difference.
 *
 *     self_child.ts [quick]
 *
 * @module
 */

import process from "node:process";
import { parser } from "../../measure/contestants.ts";
import { generate, generatedDocuments, type Kind } from "../support/documents.ts";
import { effortOf, laneOf, measureLanes } from "../support/lane.ts";
import { meanDifference } from "../support/self.ts";

const KINDS: Kind[] = ["records", "many small objects", "integers", "floats of 17 digits", "sentences", "CJK text"];

const payloads = generatedDocuments().filter(({ group }) => group === "payload").map(({ parts }) => parts);
const pairs: [number, number][] = [];
for (const parts of [...KINDS.map((kind) => [generate(kind)]), ...payloads]) {
  const lanes = [laneOf(parser, parts), laneOf(parser, parts)];
  await measureLanes(lanes, effortOf(process.argv[2] === "quick"));
  pairs.push([lanes[0].milliseconds, lanes[1].milliseconds]);
}
console.log(meanDifference(pairs));
