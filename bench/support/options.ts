/**
 * Command lines of benches that only Deno runs.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { fail } from "./terminal.ts";

/** Names of a program's options, without dashes. */
interface OptionNames<Switch extends string, Value extends string, List extends string> {
  switches?: Switch[];
  /** Options with a value. The last one counts if one is repeated. */
  values?: Value[];
  /** Options with a value that may be given more than once. */
  lists?: List[];
  /** Whether there may be arguments that are no options. */
  takesOperands?: boolean;
}

/** Options by their names, and the other arguments. */
type Options<Switch extends string, Value extends string, List extends string> =
  & Record<Switch, boolean>
  & Record<Value, string | undefined>
  & Record<List, string[]>
  & { operands: string[] };

/** Reads the command line. Ends the process after `--help`, or after an error. */
export function readOptions<Switch extends string = never, Value extends string = never, List extends string = never>(
  help: string,
  { switches = [], values = [], lists = [], takesOperands = false }: OptionNames<Switch, Value, List>,
): Options<Switch, Value, List> {
  // Names as plain strings, since the types of parseArgs need literals.
  const named: string[] = [...values, ...lists];
  const { _: operands, ...options }: { _: (string | number)[]; [name: string]: unknown } = parseArgs(Deno.args, {
    boolean: ["help", ...switches as string[]],
    string: ["_", ...named],
    collect: lists as string[],
    unknown: (argument: string, key?: string) =>
      key === undefined && takesOperands || fail(`Unexpected argument '${argument}'`),
  });
  if (options.help) {
    console.log(help);
    Deno.exit();
  }
  for (const name of named) {
    if ([options[name]].flat().includes("")) fail(`--${name} takes a value`);
  }
  return { ...options, operands: operands.map(String) } as unknown as Options<Switch, Value, List>;
}

/**
 * Returns the number that an option has. Ends the process if it is not whole, or below the least.
 */
export function wholeNumber(name: string, value: string, least: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least) return number;
  fail(`--${name} takes a whole number from ${least} up, not '${value}'`);
}
