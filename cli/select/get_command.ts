/**
 * The command `bytejson get`.
 *
 * @module
 */

import type { Arguments } from "../arguments.ts";
import { EXIT, PROGRAM } from "../program.ts";
import { isStdoutClosed, writeProse } from "../terminal/streams.ts";
import { runAtPointer } from "./pointer_command.ts";

/** Prints the value at a pointer. Resolves with the exit code. */
export async function run(args: Arguments): Promise<number> {
  const { exit, results } = await runAtPointer(args, "value");
  if (exit !== EXIT.valid || results > 0 || isStdoutClosed()) return exit;
  writeProse(`${PROGRAM} get: there is no value at '${args.operands[0]}'`);
  return EXIT.invalid;
}
