/**
 * Writes modules of the project as one script: see `bundle` of `tests/support/bundle.ts`. In a
 * process of its own, since the compiler of TypeScript reads environment variables that tests may
 * not read.
 *
 *     write_bundle.ts FILE MODULE…
 *
 * @module
 */

import { bundle } from "../support/bundle.ts";

const [file, ...paths] = Deno.args;
Deno.writeTextFileSync(file, bundle(paths));
