/** Program of the page's workers: does one job at a time. */

import type { Reply, Report } from "./messages.ts";
import { checkSource } from "./worker/check_source.ts";
import { findValues } from "./worker/find_values.ts";
import { findKeys } from "./worker/find_wrong_keys.ts";
import { holdValues, measureSource } from "./worker/measure_source.ts";

/** Functions that do the jobs, by the names that the page uses. */
const JOBS = { check: checkSource, find: findValues, measure: measureSource, hold: holdValues, keys: findKeys };

export type Jobs = typeof JOBS;

/** Message to a worker: the job, and the argument of its function. */
export interface Request<Name extends keyof Jobs = keyof Jobs> {
  name: Name;
  job: Parameters<Jobs[Name]>[0];
}

/** Members of the worker's scope that are used; the types for pages lack it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(reply: Reply): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = async ({ data: { name, job } }): Promise<void> => {
  const work = JOBS[name] as (job: unknown, report: Report) => unknown;
  try {
    scope.postMessage({ result: await work(job, (progress) => scope.postMessage({ progress })) });
  } catch (error) {
    scope.postMessage({ error: String(error) });
  }
};
