/**
 * Child process of benches: calls a function of a module, and prints its result as JSON.
 *
 *     child.ts MODULE FUNCTION ARGUMENTS     the path from this folder, the name, an array of JSON
 */

import process from "node:process";

const [module, name, args] = process.argv.slice(2);
const functions = await import(new URL(module, import.meta.url).href);
console.log(JSON.stringify(await functions[name](...JSON.parse(args))));
process.exit(); // other parsers' streams may wait for more
