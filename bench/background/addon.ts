/**
 * Cost of buffers that an addon hands to a callback, detached by the callback, by the addon, or not
 * at all. A server of uWebSockets.js hands bodies to callbacks in this way.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers";
import { fileURLToPath } from "node:url";
import { detach } from "../../detach.ts";
import { collectGarbage, type Measurement, type MeasurementLane, scaled } from "./measurement.ts";

/** Compiler for the addon, as POSIX names it. */
const COMPILER = "cc";
const SOURCE = fileURLToPath(new URL("detach_addon.c", import.meta.url));
const CALLS = 200_000;
/** Number of calls before a turn of the event loop, in which Node.js frees buffers. */
const CALLS_PER_TURN = 10_000;
/** Number of calls that are published. */
const PUBLISHED_CALLS = 2_000_000;

/** Exports of detach_addon.c. */
interface Addon {
  detach(buffer: ArrayBuffer): void;
  run(count: number, callback: (buffer: ArrayBuffer) => void, detachesAfter: boolean, isAsync: boolean): void;
}

let addon: Addon | undefined;

/** Builds the addon unless that was done before, and loads it. */
function loadAddon(): Addon {
  if (addon !== undefined) return addon;
  const folder = mkdtempSync(join(tmpdir(), "bytejson-"));
  try {
    const file = join(folder, "addon.node");
    const flags = [
      "-O2",
      "-shared",
      "-fPIC",
      ...(process.platform === "darwin" ? ["-undefined", "dynamic_lookup"] : []),
    ];
    const { status, stderr } = spawnSync(COMPILER, [...flags, "-o", file, SOURCE], { encoding: "utf8" });
    if (status !== 0) throw new Error(`Cannot build the addon:\n${stderr}`);
    return addon = createRequire(import.meta.url)(file) as Addon;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Callbacks, and whether the addon detaches after them. */
const WAYS: Record<string, [callback: (buffer: ArrayBuffer) => void, detachesAfter: boolean]> = {
  "no detach": [() => {}, false],
  "addon detaches after the callback": [() => {}, true],
  "callback detaches by the addon": [(buffer) => loadAddon().detach(buffer), false],
  "callback calls detach": [(buffer) => void detach(buffer), false],
};

/**
 * Published seconds, in the order of {@linkcode WAYS}. Those of "make callback" are of V8's API;
 * for "call", V8's are 24.504, 9.240, 8.510 and 8.449.
 */
const PUBLISHED: Record<string, number[]> = {
  "call": [50.867, 12.980, 12.342, 11.853],
  "make callback": [24.504, 12.629, 11.552, 11.787],
};

/**
 * Times of one callback with a buffer of 10 KB. The published figures are for 2,000,000 of them.
 */
export const addonBuffers: Measurement = {
  name: "addon",
  title: "A static buffer of 10 KB, handed to a callback by an addon in C, each time",
  section: "Buffers of an addon",
  figures: { time: "time" },
  ratio: "speed",
  claims: [
    { claim: "detaching buffers of an addon makes it 4.3 times as fast", lane: "call: callback calls detach" },
  ],
  lanes: Object.fromEntries(
    Object.entries(PUBLISHED).flatMap(([kind, seconds]) =>
      Object.keys(WAYS).map((way, i): [string, MeasurementLane] => [`${kind}: ${way}`, {
        flags: ["--allow-natives-syntax"],
        published: { time: seconds[i] * 1e3 / PUBLISHED_CALLS },
        ...(i > 0 && { base: `${kind}: no detach` }),
      }])
    ),
  ),
  isolated: false,
  missing() {
    return spawnSync(COMPILER, ["--version"]).status === 0 ? undefined : `there is no C compiler ${COMPILER}`;
  },
  async measure(lane, scale) {
    const { run } = loadAddon();
    const [kind, way] = lane.split(": ");
    const [callback, detachesAfter] = WAYS[way];
    const calls = scaled(CALLS, scale);
    collectGarbage(); // no lane pays for another one's garbage
    const start = performance.now();
    for (let left = calls; left > 0; left -= CALLS_PER_TURN) {
      run(Math.min(left, CALLS_PER_TURN), callback, detachesAfter, kind === "make callback");
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { time: (performance.now() - start) / calls };
  },
};
