/**
 * Queues, slices, pools and detaching by `deno bench`. An iteration makes as many operations as its
 * group says, since one is over before a clock ticks.
 *
 * @module
 */

import { benchWays } from "./support/groups.ts";
import { OPERATIONS } from "./support/operations.ts";

for (const { name, runs, ways } of OPERATIONS) if (runs > 1) benchWays(`${runs} × ${name}`, ways());
