/**
 * Cost of reading the output of a child process, with its chunks freed or left to the collector.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { detach } from "../../detach.ts";
import { collectGarbage, type Measurement, type Reading, scaled } from "./measurement.ts";

const BYTES = 5 * 2 ** 30;
const KEPT = "no release";

/**
 * Times of 5 GB from a child's standard output. The published figure is the median of ten rounds.
 */
export const childOutput: Measurement = {
  name: "child-output",
  title: "5 GiB of the standard output of a child process",
  section: "Output of a child process",
  claims: [{ claim: "detaching the output of a child process makes reading 1.9 times as fast", lane: "detach" }],
  ratio: "speed",
  figures: { "time": "time", "chunks detached": "share" },
  lanes: {
    [KEPT]: { published: { time: 1243.5 } },
    "detach": { base: KEPT, flags: ["--allow-natives-syntax"], published: { time: 660 } },
  },
  isolated: false,
  measure(lane, scale) {
    const expected = scaled(BYTES, scale);
    collectGarbage(); // no lane pays for another one's garbage
    return new Promise<Reading>((resolve, reject) => {
      const start = performance.now();
      const child = spawn("head", ["-c", String(expected), "/dev/zero"], { stdio: ["ignore", "pipe", "inherit"] });
      let received = 0;
      let chunks = 0;
      let detached = 0;
      child.stdout.on("data", (chunk: Uint8Array) => {
        received += chunk.length;
        chunks++;
        if (lane !== KEPT && detach(chunk)) detached++;
      });
      child.on("error", reject);
      child.on("close", () => {
        if (received !== expected) return reject(new Error(`Cannot measure: ${received} bytes of ${expected} arrived`));
        resolve({
          "time": (performance.now() - start) * BYTES / expected,
          "chunks detached": detached / chunks,
        });
      });
    });
  },
};
