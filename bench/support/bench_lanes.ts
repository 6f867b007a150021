/** Default effort of benches. Runs in any runtime. */

import { type Effort, type Lane, takeTurns } from "../../measure/lane.ts";
import { isJavaScriptCore } from "../../parser/engine/recognition.ts";
import { Random } from "./random.ts";

export { consumed, type Effort, Lane, laneOf, measureLanes, takeTurns } from "../../measure/lane.ts";

/** Default effort. With a multiple of 6 rounds, three lanes run in every order equally often. */
const FULL: Effort = { rounds: 12, batch: 5, warmUp: 80, patience: 2 };
const QUICK: Effort = { rounds: 4, batch: 4, warmUp: 30, patience: 1 };

/**
 * Minimum milliseconds of warm-up in JavaScriptCore, whose top tier compiles the main loop on
 * another thread for 300 to 1,000 ms (corpus in Bun: 0.90 with 100 ms, 1.03 with 1,000 ms). Only
 * our code needs it.
 */
const JAVASCRIPTCORE_WARM_UP = 1000;

export function effortOf(isQuick: boolean): Effort {
  if (isQuick) return QUICK;
  return isJavaScriptCore() ? { ...FULL, warmUp: JAVASCRIPTCORE_WARM_UP, warmUpOfOthers: FULL.warmUp } : FULL;
}

/** Measures lanes of documents that alternate, as on a server, in batches as short as one run. */
export async function measureMixed(lanes: readonly Lane[], effort: Effort): Promise<void> {
  for (const lane of lanes) await lane.warmUp(effort);
  await takeTurns(new Random(1).shuffle([...lanes]), effort.rounds, (lane) => lane.sample({ batch: 1 }));
}
