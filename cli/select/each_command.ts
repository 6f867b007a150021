/**
 * The command `bytejson each`.
 *
 * @module
 */

import type { Arguments } from "../arguments.ts";
import { runAtPointer } from "./pointer_command.ts";

/** Prints the elements of the array at a pointer. Resolves with the exit code. */
export async function run(args: Arguments): Promise<number> {
  return (await runAtPointer(args, "elements")).exit;
}
