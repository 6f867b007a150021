/**
 * Child process for any runtime that changes `Object.prototype` before it loads the parser. Prints
 * failed checks, and the number of checks.
 *
 *     check_tampered_load.ts KIND
 *
 * @module
 */

import process from "node:process";

const kind = process.argv[2];
/** Names that the runtime itself does not use. */
const NAMES = kind === "indexes" ? ["700", "701", "1023"] : ["q1", "x", "", "zz zz"];
const { defineProperty, hasOwn, keys } = Object;

// Loads a module that the runtime would otherwise load after the change.
process.getBuiltinModule("node:buffer");

let called = 0;
const restores = NAMES.map((name) => {
  const set = (): void => {
    if (String(new Error().stack).includes("/parser/")) called++;
  };
  const attributes = kind === "read-only names" ? { value: 0, writable: false } : { get: () => 0, set };
  defineProperty(Object.prototype, name, Object.assign(Object.create(null), attributes, { configurable: true }));
  return (): boolean => Reflect.deleteProperty(Object.prototype, name);
});

const problems: string[] = [];
try {
  const { parseBinary } = await import("../../parse_binary.ts");
  // More members and objects than are looked up one by one, and enough to generate a constructor.
  const member = '{"q1":1,"x":2,"":3,"zz zz":4,"700":5,"7":6,"long enough":7}';
  const wide = Array.from({ length: 300 }, (_, i) => `"wide ${i}":${i}`).join();
  const text = `[${`${member},`.repeat(100)}{${wide},"q1":8,"700":9}]`;
  for (let times = 0; times < 3; times++) {
    const result = parseBinary(new TextEncoder().encode(text));
    if (!result.ok) {
      problems.push(result.message);
      continue;
    }
    const rows = result.value as Record<string, number>[];
    for (const row of rows.slice(0, 100)) {
      if (keys(row).join() !== "7,700,q1,x,,zz zz,long enough") problems.push(`a row has ${keys(row).join()}`);
      else if (!NAMES.every((name) => !hasOwn(row, name) || row[name] > 0)) problems.push("a member was lost");
    }
    const last = rows[100];
    if (!hasOwn(last, "q1") || last.q1 !== 8 || last["700"] !== 9) {
      problems.push("a member of the wide object was lost");
    }
  }
} catch (error) {
  problems.push(`threw ${String(error instanceof Error ? error.stack : error)}`);
} finally {
  for (const restore of restores) restore();
}
for (const problem of new Set(problems)) console.log(problem);
if (called > 0) console.log(`a setter was called ${called} times`);
console.log(`2 checks, ${Number(problems.length > 0) + Number(called > 0)} failed`);
