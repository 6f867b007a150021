/**
 * Cost of an error as an object, an exception, and a result of parseBinary.
 *
 * @module
 */

import { parseBinary } from "../../parse_binary.ts";
import { loop, LOOPS } from "../support/operations.ts";
import { type Measurement, scaled } from "./measurement.ts";

const COUNT = 1_000_000;
const SCOPE = { message: "Unexpected token", bad: new Uint8Array([0x78]), parseBinary };

/** Loops of {@linkcode LOOPS} errors each, by lane. */
const LANES: Record<string, () => void> = {
  "{ ok: false, message }": loop("consumed.value = { ok: false, message };", SCOPE),
  "new SyntaxError(message)": loop("consumed.value = new SyntaxError(message);", SCOPE),
  "throw new SyntaxError(message)": loop(
    "try { throw new SyntaxError(message); } catch (error) { consumed.value = error; }",
    SCOPE,
  ),
  "parseBinary of a bad byte": loop("consumed.value = parseBinary(bad);", SCOPE),
};

const BASE = "{ ok: false, message }";

/** Times of a million errors. */
export const errors: Measurement = {
  name: "errors",
  title: "1,000,000 errors",
  section: "Errors",
  claims: [
    { claim: "an error costs hundreds of times what an object costs", lane: "new SyntaxError(message)" },
    { claim: "throwing one costs more", lane: "throw new SyntaxError(message)" },
  ],
  figures: { time: "time" },
  lanes: {
    [BASE]: { published: { time: 3.7 } },
    "new SyntaxError(message)": { published: { time: 2206.6 }, base: BASE },
    "throw new SyntaxError(message)": { published: { time: 2793.4 }, base: BASE },
    "parseBinary of a bad byte": { base: BASE },
  },
  isolated: false,
  measure(lane, scale) {
    const run = LANES[lane];
    const loops = scaled(COUNT / LOOPS, scale);
    const start = performance.now();
    for (let i = 0; i < loops; i++) run();
    return { time: (performance.now() - start) * COUNT / LOOPS / loops };
  },
};
