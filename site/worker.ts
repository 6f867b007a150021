/** Program of the page's workers: does one job at a time. */

import type { Job, Reply, Request } from "./messages.ts";
import { checkSource } from "./worker/check_source.ts";
import { findValues } from "./worker/find_values.ts";
import { findKeys } from "./worker/find_wrong_keys.ts";
import { holdValues, measureSource } from "./worker/measure_source.ts";
import { Superseded, type Turn } from "./worker/reading.ts";

/** The worker, as far as it is used: types of pages have no workers' scope. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(reply: Reply): void;
}

const scope = globalThis as unknown as WorkerScope;

/** Id of the last message. */
let latest = 0;

/** Functions that do the jobs, by kind. */
const WORK = { check: checkSource, find: findValues, measure: measureSource, hold: holdValues, keys: findKeys };

scope.onmessage = async ({ data: { id, job } }): Promise<void> => {
  latest = id;
  if (job === null) return;
  const turn: Turn = {
    get isOver() {
      return latest !== id;
    },
    report: (progress) => scope.postMessage({ id, progress }),
  };
  try {
    const work = WORK[job.kind] as (job: Job, turn: Turn) => unknown;
    const result = await work(job, turn);
    if (!turn.isOver) scope.postMessage({ id, result });
  } catch (error) {
    if (!(error instanceof Superseded)) scope.postMessage({ id, error: String(error) });
  }
};
