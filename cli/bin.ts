/** The program, for Node.js and Bun. Bundles of the command line begin with it. */

import { runProcess } from "./run_process.ts";

await runProcess();
