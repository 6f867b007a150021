/**
 * Times of hostile documents: processor time of this process, so that a busy machine adds little,
 * and the shortest of several, since everything else only adds to it.
 */

import process from "node:process";

/** Functions that take bytes, and whose result does not matter. */
export type Call = (bytes: Uint8Array) => unknown;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Decodes and parses, as programs without another parser do. */
export function callNative(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Pushes chunks of some bytes to a consumer. */
export function inChunks(
  consumer: { reset(): void; push(chunk: Uint8Array): boolean; end(): unknown },
  size = 100,
): Call {
  return (bytes) => {
    consumer.reset();
    for (let p = 0; p < bytes.length; p += size) consumer.push(bytes.subarray(p, p + size));
    return consumer.end();
  };
}

/** Returns the processor time of this process in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the shortest time of `rounds` calls in milliseconds. */
export function shortestTime(call: Call, bytes: Uint8Array, rounds: number): number {
  let shortest = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = processorTime();
    call(bytes);
    shortest = Math.min(shortest, processorTime() - start);
  }
  return shortest;
}

/**
 * Returns the shortest times of several calls in milliseconds. The calls take turns, so that they
 * see the same load of the machine.
 */
export function shortestTimes(calls: [call: Call, bytes: Uint8Array][], rounds: number): number[] {
  const shortest = calls.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    calls.forEach(([call, bytes], i) => shortest[i] = Math.min(shortest[i], shortestTime(call, bytes, 1)));
  }
  return shortest;
}
