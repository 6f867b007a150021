/**
 * Child process that prints the speed of `validateBinary` in MiB/s on a file that is in memory: the
 * upper limit for `check` of the file.
 *
 *     validate_file.ts FILE
 *
 * @module
 */

import { mebibytesPerSecond } from "../../measure/byte_format.ts";
import { validateBinary } from "../../validate_binary.ts";

const bytes = Deno.readFileSync(Deno.args[0]);
const start = performance.now();
const { ok } = validateBinary(bytes);
const milliseconds = performance.now() - start;
if (!ok) throw new Error("Cannot measure: the document is not valid");
console.log(mebibytesPerSecond(bytes.length, milliseconds));
