/**
 * Program of the page's workers: does one job at a time.
 *
 * @module
 */

import type { Job, Reply, Request } from "./messages.ts";
import { checkSource } from "./worker/check_source.ts";
import { findValues } from "./worker/find_values.ts";
import { findKeys } from "./worker/find_wrong_keys.ts";
import { holdValues } from "./worker/hold_values.ts";
import { measureSource } from "./worker/measure_source.ts";
import { Superseded, type Turn } from "./worker/reading.ts";

/** The worker, as far as it is used: types of pages have no workers' scope. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(reply: Reply): void;
}

const scope = globalThis as unknown as WorkerScope;

/** Id of the last message. */
let latest = 0;

function run(job: Job, turn: Turn): unknown {
  switch (job.kind) {
    case "check":
      return checkSource(job, turn);
    case "find":
      return findValues(job, turn);
    case "measure":
      return measureSource(job, turn);
    case "hold":
      return holdValues(job);
    case "keys":
      return findKeys();
  }
}

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
    const result = await run(job, turn);
    if (!turn.isOver) scope.postMessage({ id, result });
  } catch (error) {
    if (!(error instanceof Superseded)) scope.postMessage({ id, error: String(error) });
  }
};
