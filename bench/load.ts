/**
 * Measures what loading modules of the library takes, in processes of this Deno. `--help` lists the
 * options.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { formatTime } from "../measure/number_format.ts";
import { runtimeName } from "../measure/runtime.ts";
import { median, quantile } from "../measure/statistics.ts";
import { readFlags } from "./support/flags.ts";
import { FULL } from "./support/lane.ts";
import { renderTable } from "./support/table.ts";

const HELP = `deno task bench load [options]

Measures whole processes of Deno that load a module and end: milliseconds from start to end, and
above an empty script. The scripts take turns, after two processes of each that fill Deno's caches.
Times are medians of ${FULL.rounds} processes.

  an empty script   what every process takes
  Buffer            a script that looks at the global Buffer, which Deno then loads
  NAME.ts           the module, without a call
  first call        parse_binary.ts, and one call on a page of orders, 183 KB`;

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Arguments of `deno run`, by the name of the row. */
const SCRIPTS: Record<string, string[]> = {
  "an empty script": ["data:text/javascript,"],
  "Buffer": ["data:text/javascript,globalThis.Buffer"],
  "parse_binary.ts": [pathOf("../parse_binary.ts")],
  "validate_binary.ts": [pathOf("../validate_binary.ts")],
  "mod.ts": [pathOf("../mod.ts")],
  "first call": [pathOf("processes/first_call.ts"), pathOf("sample.json")],
};
/** Processes of each script before the first that counts. */
const WARM_UP = 2;

/** Returns the milliseconds that a process takes. */
function timeProcess(args: string[]): number {
  const options = ["run", "--quiet", "--no-config", "--no-prompt", "--allow-read"];
  const command = new Deno.Command(Deno.execPath(), { args: [...options, ...args], stdout: "null", stderr: "inherit" });
  const start = performance.now();
  const { success } = command.outputSync();
  const milliseconds = performance.now() - start;
  if (!success) throw new Error(`Cannot run ${args.join(" ")}`);
  return milliseconds;
}

const { only, effort, json } = readFlags(HELP);
const [empty, ...others] = Object.keys(SCRIPTS);
const names = [empty, ...others.filter((name) => only.test(name))];
const samples = names.map((): number[] => []);
for (let round = -WARM_UP; round < effort.rounds; round++) {
  for (const i of round % 2 === 0 ? names.keys() : [...names.keys()].reverse()) {
    const milliseconds = timeProcess(SCRIPTS[names[i]]);
    if (round >= 0) samples[i].push(milliseconds);
  }
}
const rows = names.map((name, i) => ({
  name,
  milliseconds: median(samples[i]),
  fastest: quantile(samples[i], 0),
  added: median(samples[i]) - median(samples[0]),
}));
if (json) console.log(JSON.stringify({ runtime: runtimeName(), rows }, null, 2));
else {
  const header = ["process", "time", "fastest", "above an empty script"];
  const cells = rows.map(({ name, milliseconds, fastest, added }) => [
    name,
    formatTime(milliseconds),
    formatTime(fastest),
    name === empty ? "" : formatTime(added),
  ]);
  console.log(`${runtimeName()}\n\n${renderTable(header, cells)}`);
}
