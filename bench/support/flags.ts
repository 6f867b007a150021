/** The options that benches of rows have in common. */
import process from "node:process";
import { parseArgs } from "node:util";
import { type Effort, FULL, QUICK } from "./lane.ts";

/** What they say about themselves at the end of their help. */
const FLAGS_HELP = `\
  --only REGEX  rows whose name matches
  --quick       a third of the samples
  --json        one JSON object on standard output`;

export interface Flags {
  /** What the names of the rows to measure match. */
  only: RegExp;
  effort: Effort;
  json: boolean;
}

/** Reads the command line. Prints the help, or what is wrong, and ends where there is nothing to measure. */
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
