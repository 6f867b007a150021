/**
 * The program, for Node.js and Bun. Bundles of the command line begin with it.
 *
 * @module
 */

import { runProcess } from "./run_process.ts";

await runProcess();
