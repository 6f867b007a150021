/** Tests of interruption by a signal or a timer, in `parser/bodies/interruption.ts`. */

import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type BodyLimits, hasTimeLimits, interruptible } from "../../../parser/bodies/interruption.ts";

const NO_LIMITS: BodyLimits = { maxBytes: Infinity, timeout: Infinity, signal: undefined };

/** Signal that counts its listeners. */
function countingSignal(): { signal: AbortSignal; abort(reason: unknown): void; count: number } {
  const controller = new AbortController();
  const { signal } = controller;
  const counting = { signal, abort: (reason: unknown) => controller.abort(reason), count: 0 };
  const { addEventListener, removeEventListener } = signal;
  Object.assign(signal, {
    addEventListener(...given: Parameters<typeof addEventListener>) {
      counting.count++;
      addEventListener.apply(signal, given);
    },
    removeEventListener(...given: Parameters<typeof removeEventListener>) {
      counting.count--;
      removeEventListener.apply(signal, given);
    },
  });
  return counting;
}

const never = new Promise<never>(() => {});
const later = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("hasTimeLimits()", () => {
  it("tells whether there is a time or a signal", () => {
    assertEquals(hasTimeLimits(NO_LIMITS), false);
    assertEquals(hasTimeLimits({ ...NO_LIMITS, timeout: 0 }), true);
    assertEquals(hasTimeLimits({ ...NO_LIMITS, signal: new AbortController().signal }), true);
  });
});

describe("interruptible()", () => {
  const unused = (): never => {
    throw new Error("discarded");
  };

  it("settles as the work does, and ends waiting", async () => {
    const counting = countingSignal();
    const limits = { ...NO_LIMITS, timeout: 60_000, signal: counting.signal }; // a timer left would keep the test alive
    assertEquals(await interruptible(Promise.resolve(7), limits, unused), 7);
    assertEquals(counting.count, 0);
    const error = new Error("broken");
    const rejected = interruptible(Promise.reject(error), limits, unused);
    assertEquals(counting.count, 1);
    assertStrictEquals(await assertRejects(() => rejected), error);
    assertEquals(counting.count, 0);
  });

  it("fulfils with a failure at the signal, and discards what comes later", async () => {
    const counting = countingSignal();
    const discarded: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<number>();
    const limits = { ...NO_LIMITS, signal: counting.signal };
    const result = interruptible(promise, limits, (value) => discarded.push(value));
    counting.abort("enough");
    const message = "Body was aborted before its end";
    assertEquals(await result, { ok: false, code: "aborted", message, status: 499, cause: "enough" });
    assertEquals([counting.count, discarded], [0, []]);
    resolve(7);
    await later(0);
    assertEquals(discarded, [7]);
  });

  it("fulfils with a failure after the time", async () => {
    const discarded: unknown[] = [];
    const work = later(20).then(() => 7);
    const result = await interruptible(work, { ...NO_LIMITS, timeout: 5 }, (value) => discarded.push(value));
    const message = "Body did not arrive within 5 ms";
    assertEquals(result as unknown, { ok: false, code: "timed-out", message, status: 408 });
    await later(30);
    assertEquals(discarded, [7]);
  });

  it("tells a signal with a time from another one", async () => {
    const reason = new DOMException("late", "TimeoutError");
    const { signal, abort } = countingSignal();
    const result = interruptible(never, { ...NO_LIMITS, signal }, unused);
    abort(reason);
    const { code, cause, message } = await result;
    assertEquals([code, cause, message], ["timed-out", reason, "Body did not arrive in time"]);
  });

  it("ignores work that fails after its interruption", async () => {
    const { signal, abort } = countingSignal();
    const { promise, reject } = Promise.withResolvers<never>();
    const result = interruptible(promise, { ...NO_LIMITS, signal }, unused);
    abort(1);
    reject(new Error("late"));
    assertEquals((await result).code, "aborted");
    await later(0);
  });
});
