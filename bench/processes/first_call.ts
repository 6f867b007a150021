/**
 * Child process that parses one file once.
 *
 *     first_call.ts FILE
 *
 * @module
 */

import { parseBinary } from "../../parse_binary.ts";

const { ok } = parseBinary(Deno.readFileSync(Deno.args[0]));
if (!ok) throw new Error("The file is not JSON");
