/**
 * Results of `bytejson bench` as records for `--json`.
 *
 * @module
 */

import { mebibytesPerSecond } from "../../measure/byte_format.ts";
import { runtimeName } from "../../measure/runtime.ts";
import { median, percentile } from "../../measure/statistics.ts";
import { type BenchMean, type BenchResult, isTie, quartiles, ratioToNative, runsOf } from "./bench_result.ts";

/** Creates the record of a document. */
export function benchRecord(result: BenchResult): Record<string, unknown> {
  const { file, bytes, warmup, timings, firstCalls, memories, earlier } = result;
  return {
    type: "bench",
    file,
    bytes,
    runtime: runtimeName(),
    runs: runsOf(timings),
    warmup,
    rows: timings.map((timing) => {
      const { contestant, failed, samples, batch } = timing;
      const { name } = contestant;
      if (failed !== undefined) return { name, failed };
      const medianMs = median(samples);
      const first = firstCalls.find((call) => call.contestant === contestant);
      const measured = memories.find((memory) => memory.contestant === contestant);
      const before = earlier?.rows.find((row) => row.name === name);
      return {
        name,
        batch,
        medianMs,
        p95Ms: percentile(samples, 0.95),
        quartilesMs: quartiles(timing),
        ...first && { firstMs: first.milliseconds ?? null },
        mibPerSecond: mebibytesPerSecond(bytes, medianMs),
        ratio: ratioToNative(contestant, timings),
        ...contestant.isOurs && { tie: isTie(contestant, timings) },
        ...measured && { memory: measured.memory ?? { failed: measured.failed } },
        ...before && { before: { medianMs: before.medianMs, peak: before.peak } },
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
