/**
 * Results of `bytejson bench` as records for `--json`.
 *
 * @module
 */

import { mebibytesPerSecond } from "../../measure/byte_format.ts";
import { runtimeName } from "../../measure/runtime.ts";
import { median, percentile } from "../../measure/statistics.ts";
import { type BenchMean, type BenchResult, ratioToNative, runsOf } from "./bench_result.ts";

/** Creates the record of a document. */
export function benchRecord({ file, bytes, warmup, timings, memories }: BenchResult): Record<string, unknown> {
  return {
    type: "bench",
    file,
    bytes,
    runtime: runtimeName(),
    runs: runsOf(timings),
    warmup,
    rows: timings.map(({ contestant, failed, samples, batch }) => {
      const { name } = contestant;
      if (failed !== undefined) return { name, failed };
      const medianMs = median(samples);
      const result = memories.find((memory) => memory.contestant === contestant);
      return {
        name,
        batch,
        medianMs,
        p95Ms: percentile(samples, 0.95),
        mibPerSecond: mebibytesPerSecond(bytes, medianMs),
        ratio: ratioToNative(contestant, timings),
        ...result && { memory: result.memory ?? { failed: result.failed } },
      };
    }),
  };
}

/** Creates the record of several documents' means. */
export function meanRecord({ documents, compared, means }: BenchMean): Record<string, unknown> {
  return {
    type: "mean",
    documents,
    compared,
    rows: means.map(({ contestant, mibPerSecond, ratio }) => ({ name: contestant.name, mibPerSecond, ratio })),
  };
}
