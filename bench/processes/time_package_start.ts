/**
 * Measures the wall time of the first calls of a process. It imports nothing that loads Deno's
 * `node:` compatibility layer, which takes as long as a small first call.
 *
 *     deno run -A first_call.ts native|PACKAGE_FOLDER FILE
 */

const [side, path] = Deno.args;
const bytes = Deno.readFileSync(path);
const decoder = new TextDecoder();
const start = performance.now();
const read: (bytes: Uint8Array) => unknown = side === "native"
  ? (bytes) => JSON.parse(decoder.decode(bytes))
  : (await import(`file://${side}/parse-binary.js`)).parseBinary;
const loaded = performance.now();
let value = read(bytes);
const first = performance.now();
for (let i = 1; i < 10; i++) value = read(bytes);
const ten = performance.now();
// In the order of FIRST in bench/regress.ts. The check keeps V8 from removing unused calls.
if (value !== undefined) console.log(JSON.stringify([first - start, first - loaded, ten - loaded]));
