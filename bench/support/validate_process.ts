/** The speed of `validateBinary` on a file, read beforehand, in MiB/s: what `check` of the same file is held against. */
import { validateBinary } from "../../validate_binary.ts";

const bytes = Deno.readFileSync(Deno.args[0]);
const start = performance.now();
const { ok } = validateBinary(bytes);
const seconds = (performance.now() - start) / 1e3;
if (!ok) throw new Error("the document is not valid");
console.log(bytes.length / 2 ** 20 / seconds);
