/**
 * Detaching by `deno bench`, warm. Each iteration makes a buffer, as a body that arrives does; the
 * baseline leaves it to the garbage collector.
 *
 * @module
 */

import { format } from "@std/fmt/bytes";
import { detach } from "../detach.ts";
import { parseBinary } from "../parse_binary.ts";
import { sample } from "./sample.ts";
import { consumed } from "./support/lane.ts";

const BODY = new TextEncoder().encode(sample());

/** Ways to get rid of a buffer. */
const WAYS: [name: string, free: (buffer: ArrayBuffer) => void][] = [
  ["left to the collector", () => {}],
  ["detach", (buffer) => void detach(buffer)],
  ["transfer(0)", (buffer) => void buffer.transfer(0)],
  ["structuredClone, transferred", (buffer) => void structuredClone(buffer, { transfer: [buffer] })],
];

/** Registers a bench for each way. `prepare` makes the buffer; its time counts too. */
function benchWays(group: string, prepare: () => ArrayBuffer): void {
  for (const [i, [name, free]] of WAYS.entries()) {
    Deno.bench({ name, group: `warm: ${group}`, baseline: i === 0, warmup: 300, n: 100, fn: () => free(prepare()) });
  }
}

for (const bytes of [1e3, 64e3, 1e6]) {
  benchWays(`a buffer of ${format(bytes)}`, () => new ArrayBuffer(bytes));
}
benchWays(`copy and parse a page of orders, ${format(BODY.length)}`, () => {
  const body = BODY.slice();
  consumed.value = parseBinary(body);
  return body.buffer;
});
