/**
 * Options of benches that Node.js and Bun run too. Those ignore import maps, so the options are not
 * read by @std/cli, as in options.ts.
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { type Effort, FULL, QUICK } from "./lane.ts";

/** End of the help of every bench with these options. */
const FLAGS_HELP = `\
  --only REGEX  measure rows whose name matches
  --quick       take a third of the samples
  --json        print one JSON object on standard output`;

/** Values of the options. */
export interface Flags {
  /** Pattern of the names of rows to measure. */
  only: RegExp;
  effort: Effort;
  json: boolean;
}

/** Reads the command line. Ends the process after `--help`, or after an error. */
export function readFlags(help: string): Flags {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", default: "" },
        quick: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (!values.help) return { only: new RegExp(values.only), effort: values.quick ? QUICK : FULL, json: values.json };
    console.log(`${help}\n\n${FLAGS_HELP}`);
    process.exit();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
