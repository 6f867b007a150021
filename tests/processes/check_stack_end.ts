/**
 * A program that parses with ever less of the stack left, until a call overflows: `check_stack_end.ts SCENARIO`. Calls that follow must
 * find nothing of the one that failed. Says on standard output what went wrong, if anything, and how much was checked.
 *
 * @module
 */

import { check, checkThat, reportChecks } from "../support/checks.ts";

const encoder = new TextEncoder();

/** Calls with so many frames of the program's own around. */
function descend(levels: number, call: () => void): void {
  if (levels > 0) descend(levels - 1, call);
  else call();
}

/** Finds how many frames there can be around a call, by bisection. */
function lastLevel(call: () => void): number {
  let low = 0;
  let high = 1 << 20;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    try {
      descend(middle, call);
      low = middle;
    } catch {
      high = middle;
    }
  }
  return low;
}

/** Makes the call at levels from `first` down, as many as `times`; returns how often it threw. */
function callNearEnd(first: number, step: number, times: number, call: () => void, afterThrow: () => void): number {
  let thrown = 0;
  for (let i = 0; i < times && first - i * step > 0; i++) {
    try {
      descend(first - i * step, call);
    } catch {
      thrown++;
      afterThrow();
    }
  }
  return thrown;
}

if (Deno.args[0] === "constructors") {
  // One that could not be made here must not be taken for a ban. Making a function is seen through the `Function` that the module keeps
  // when it is loaded.
  let made = 0;
  globalThis.Function = new Proxy(globalThis.Function, {
    construct(target, args): object {
      made++;
      return Reflect.construct(target, args);
    },
  });
  const { parseBinary } = await import("../../parse_binary.ts");
  const documentOf = (n: number): Uint8Array => encoder.encode(`[${`{"a${n}":1,"b${n}":2},`.repeat(200)}0]`);
  let call = 0;
  const few = encoder.encode('[{"a":[1,"b"]}]');
  for (let times = 0; times < 2_000; times++) parseBinary(few);
  // Fewer documents than there may be constructors, as more would make them harder to earn.
  callNearEnd(lastLevel(() => parseBinary(few)), 6, 150, () => parseBinary(documentOf(call++)), () => {});
  // Constructors are the harder to earn the more of them there were.
  const before = made;
  for (let times = 0; times < 100; times++) parseBinary(documentOf(call));
  checkThat("functions made afterwards", made > before, made - before);
} else {
  const { parseBinary } = await import("../../parse_binary.ts");
  const bytes = encoder.encode(`[1111111111,{"a":[${"1,".repeat(100)}"text"],"b":{"c":[{"d":null}]}}]`);
  let thrown = 0;
  const checkNext = (): void => {
    for (const text of ["[12", "1", '["', "{", "[1,2]"]) {
      const result = parseBinary(encoder.encode(text));
      if (text === "[1,2]") check(text, result.ok ? undefined : result.message);
      else if (text === "1") check(text, result.ok && result.value === 1 ? undefined : "not 1");
      else checkThat(text, !result.ok && result.offset === text.length, result);
    }
  };
  for (let round = 0; round < 3; round++) {
    thrown += callNearEnd(lastLevel(() => {}), 1, 300, () => parseBinary(bytes), checkNext);
  }
  checkThat("calls that overflowed", thrown > 0, thrown);
}
reportChecks();
