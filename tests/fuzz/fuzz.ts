/**
 * Differential fuzzer: parses and validates sequences of made-up documents, and compares the
 * results with `JSON.parse` and the reference parser. Its findings are minimised and saved in
 * tests/regressions/, which `deno task test` runs.
 *
 *     deno task test fuzz [--seconds N] [--seed S] [--documents N] [--json]
 */

import { parseArgs } from "@std/cli/parse-args";
import { format as formatBytes } from "@std/fmt/bytes";
import { format as formatDuration } from "@std/fmt/duration";
import { show } from "../support/bytes.ts";
import { minimise } from "./minimise.ts";
import { saveRegression } from "./regressions.ts";
import { type Counts, noCounts } from "./steps.ts";
import { readThresholds } from "./thresholds.ts";
import { ask } from "./workers.ts";

/** Documents of a session, after which another begins with an empty parser. */
const SESSION_LENGTH = 20_000;

/** Seconds between two lines of progress. */
const PROGRESS_INTERVAL = 30;

function print(counts: Counts, sessions: number, seconds: number): void {
  const { documents, valid, bytes, pieces, nativeBugs } = counts;
  const time = formatDuration(1000 * Math.ceil(seconds), { ignoreZero: true });
  console.log(
    `${documents} documents, ${valid} of them valid, ${formatBytes(bytes)}, ${pieces} pieces, ` +
      `${sessions} sessions, ${time}, ${nativeBugs} wrong in JSON.parse alone`,
  );
}

/** Runs the fuzzer. Returns whether there was no mismatch. */
async function main(args: string[]): Promise<boolean> {
  const flags = parseArgs(args, { string: ["seconds", "seed", "documents"], boolean: ["json"] });
  const seconds = Number(flags.seconds ?? (flags.documents === undefined ? 60 : Infinity));
  const documents = Number(flags.documents ?? Infinity);
  const seed = Number(flags.seed ?? Math.floor(Math.random() * 2 ** 31));
  if (!(seconds > 0 && documents > 0 && Number.isInteger(seed))) {
    throw new TypeError("Cannot fuzz: --seconds, --seed and --documents are numbers");
  }
  console.log(`seed ${seed}`);
  const thresholds = Object.values(readThresholds());
  const total = noCounts();
  const start = performance.now();
  const elapsed = (): number => (performance.now() - start) / 1000;
  let sessions = 0;
  for (let shown = 0; elapsed() < seconds && total.documents < documents; sessions++) {
    const mayGenerateCode = sessions % 3 !== 2;
    const milliseconds = Math.min(1000 * (seconds - elapsed()), 3_600_000);
    const length = Math.min(SESSION_LENGTH, documents - total.documents);
    const order = { seed: seed + sessions, documents: length, milliseconds, thresholds };
    const { counts, problem, steps } = await ask({ mayGenerateCode, fuzz: order });
    for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name];
    if (problem !== undefined) {
      console.log(`mismatch in session ${sessions} (seed ${seed + sessions}) after ${total.documents} documents`);
      console.log(problem);
      if (steps !== undefined) {
        console.log(`last document: ${show(steps.at(-1)!.bytes)}`);
        const failure = await minimise({ mayGenerateCode, problem, steps });
        console.log(failure.isRepeatable ? "minimised:" : "not repeatable in a new worker:");
        for (const step of failure.steps.slice(-5)) console.log(`  ${show(step.bytes)}`);
        if (failure.isRepeatable) console.log(`saved as ${saveRegression(`seed-${seed + sessions}`, failure)}`);
      }
      return false;
    }
    if (elapsed() - shown >= PROGRESS_INTERVAL) {
      shown = elapsed();
      if (!flags.json) print(total, sessions + 1, shown);
    }
  }
  if (flags.json) console.log(JSON.stringify({ seed, sessions, seconds: elapsed(), ...total }));
  else print(total, sessions, elapsed());
  return true;
}

if (import.meta.main && !await main(Deno.args)) Deno.exit(1);
