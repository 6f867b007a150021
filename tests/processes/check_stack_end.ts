/**
 * Child process that parses with less and less stack left, until a call overflows. Later calls must
 * not be affected. Prints failed checks, and the number of checks.
 *
 *     check_stack_end.ts SCENARIO
 *
 * @module
 */

import { check, checkThat, reportChecks } from "../support/checks.ts";

const encoder = new TextEncoder();

/** Makes a call with `levels` frames of this program below it. */
function descend(levels: number, call: () => void): void {
  if (levels > 0) descend(levels - 1, call);
  else call();
}

/** Finds the highest level at which a call does not overflow, by bisection. */
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

/** Makes the call at `times` levels from `first` down. Returns the number of calls that threw. */
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
  // An overflow while a function is generated must not count as a ban on code generation. The
  // `Function` that the parser keeps when it is loaded reveals generated functions.
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
  // Fewer documents than the limit of constructors, since more would raise the tier-up threshold.
  callNearEnd(lastLevel(() => parseBinary(few)), 6, 150, () => parseBinary(documentOf(call++)), () => {});
  // The tier-up threshold rises with the number of constructors.
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
