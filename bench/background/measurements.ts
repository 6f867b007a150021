/**
 * Every measurement of `deno task bench background`.
 *
 * @module
 */

import { addonBuffers } from "./addon.ts";
import { kibibyteBuffers, largeBuffers, pressure } from "./buffers.ts";
import { childOutput } from "./child_output.ts";
import { decoding } from "./decoding.ts";
import { errors } from "./errors.ts";
import { heap } from "./heap.ts";
import type { Measurement } from "./measurement.ts";
import { largePayloads, smallPayloads } from "./payloads.ts";
import { pipelines } from "./pipelines.ts";
import { pools, pressedPools } from "./pools.ts";

/** Measurements in the order of the report. */
export const MEASUREMENTS: Measurement[] = [
  errors,
  decoding,
  smallPayloads,
  largePayloads,
  heap,
  pressure,
  kibibyteBuffers,
  largeBuffers,
  childOutput,
  addonBuffers,
  pools,
  pressedPools,
  pipelines,
];
