/**
 * Runs the command line in a clone: from the sources, but what measures from those that the build
 * makes of them, which are as fast as what users install.
 */

import { transformedSources } from "./build/transformed.ts";

const isMeasuring = Deno.args[0] === "bench";
const sources = isMeasuring ? transformedSources() : new URL("../", import.meta.url);
const { runProcess } = await import(new URL("cli/run_process.ts", sources).href);
await runProcess();
