/**
 * Some documents and operations for `deno bench`, which runs the ways one after the other. `deno
 * task bench` runs them in turns, which makes ratios reliable on a noisy machine.
 */

import { native, parser } from "../measure/contestants.ts";
import { validator } from "../measure/validator_contestant.ts";
import { generate, generatedDocuments } from "./support/documents.ts";
import { OPERATIONS } from "./support/operations.ts";

/** Kinds of documents, from the best to the worst for parseBinary. */
const KINDS = ["floats of 17 digits", "records", "sentences", "accented text"] as const;

/** Registers a bench for each way; the first is the baseline. */
function benchWays(group: string, ways: [name: string, run: () => unknown][]): void {
  for (const [i, [name, run]] of ways.entries()) Deno.bench({ name, group, baseline: i === 0, fn: () => void run() });
}

const documents = [
  ...KINDS.map((name) => ({ name, parts: [generate(name)] })),
  ...generatedDocuments(/^payload\//),
];
for (const { name, parts } of documents) {
  benchWays(
    name,
    [native, parser, validator].map(({ name, parse }) => [name, () => parts.forEach((part) => void parse(part))]),
  );
}
// An operation ends before the clock ticks, so an iteration runs it as often as its group says.
for (const { name, runs, ways } of OPERATIONS) if (runs > 1) benchWays(`${runs} × ${name}`, Object.entries(ways()));
