/** Queues as linked lists in `parser/base/queue.ts`. */

import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CallbackQueue, Queue } from "../../../parser/base/queue.ts";

describe("Queue", () => {
  it("hands items out in the order in which they were added", () => {
    const queue = new Queue<number>();
    const taken: (number | undefined)[] = [];
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) queue.add(10 * round + i);
      for (let i = 0; i < (round === 2 ? 9 : 2); i++) taken.push(queue.take());
    }
    assertEquals(taken, [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, undefined]);
  });

  it("is empty at first, once all is taken, and after clear()", () => {
    const queue = new Queue<string>();
    const empty = [queue.isEmpty];
    queue.add("a");
    empty.push(queue.isEmpty);
    queue.take();
    empty.push(queue.isEmpty);
    queue.add("b");
    queue.add("c");
    queue.clear();
    empty.push(queue.isEmpty);
    assertEquals(empty, [true, false, true, true]);
    assertStrictEquals(queue.take(), undefined);
    queue.add("d");
    assertStrictEquals(queue.take(), "d");
  });
});

describe("CallbackQueue", () => {
  it("makes calls in the order in which they were added, once", () => {
    const queue = new CallbackQueue();
    const calls: string[] = [];
    queue.add((n: number) => calls.push(`first ${n}`), 1);
    queue.add((text: string) => calls.push(`second ${text}`), "two");
    queue.flush();
    queue.flush();
    queue.add((n: number) => calls.push(`third ${n}`), 3);
    queue.flush();
    assertEquals(calls, ["first 1", "second two", "third 3"]);
  });

  it("passes on the error of a callback, and drops the calls after it", () => {
    const queue = new CallbackQueue();
    const error = new Error("no more");
    const calls: number[] = [];
    queue.add(() => calls.push(1), undefined);
    queue.add(() => {
      throw error;
    }, undefined);
    queue.add(() => calls.push(3), undefined);
    assertStrictEquals(assertThrows(() => queue.flush()), error);
    queue.flush();
    assertEquals(calls, [1]);
  });

  it("leaves calls that a callback adds to the next time", () => {
    const queue = new CallbackQueue();
    const calls: number[] = [];
    queue.add(() => queue.add((n: number) => calls.push(n), 2), undefined);
    queue.add(() => calls.push(1), undefined);
    queue.flush();
    assertEquals(calls, [1]);
    queue.flush();
    assertEquals(calls, [1, 2]);
  });

  it("forgets calls after clear()", () => {
    const queue = new CallbackQueue();
    const calls: number[] = [];
    queue.add((n: number) => calls.push(n), 1);
    queue.clear();
    queue.add((n: number) => calls.push(n), 2);
    queue.flush();
    assertEquals(calls, [2]);
  });
});
