/**
 * Program of `deno task bench NAME`. Node.js and Bun run it, too.
 *
 *     main.ts NAME [OPTION…]
 */

import process from "node:process";
import { runtimeName } from "../measure/runtime.ts";
import { BENCHES, fail, helpOf, openBench, readOptions, showProgress } from "./support/bench.ts";
import { renderText } from "./support/markdown_page.ts";
import { describeSelf, measureSelf } from "./support/self.ts";

async function main([name, ...args]: string[]): Promise<void> {
  if (!BENCHES.includes(name)) throw new Error(`Cannot measure ${name}: there are ${BENCHES.join(", ")}`);
  const bench = await openBench(name);
  const options = readOptions(bench, args);
  if (options.help) return console.log(helpOf(name, bench));
  const self = options.json ? 0 : measureSelf(options.isQuick);
  const report = await bench.measure(options) as object;
  showProgress("");
  if (Object.values(report).every((part) => Array.isArray(part) && part.length === 0)) {
    throw new Error(`Cannot measure: no row matches ${options.only}`);
  }
  if (options.json) console.log(JSON.stringify({ runtime: runtimeName(), ...report }));
  else console.log([runtimeName(), ...bench.tables(report).map(renderText), describeSelf(self)].join("\n\n"));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  fail((error as Error).message);
}
