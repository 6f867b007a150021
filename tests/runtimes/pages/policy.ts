/**
 * Program of a page: parses many objects of one shape, and prints as JSON how many functions were
 * generated and which violations of the page's policy were noticed. With the query `codegen` it
 * asks for generated code first.
 */

/** Key that must not get into a report. */
const SECRET = "name of a visitor";
/** Number of objects, far beyond the tier-up threshold. */
const OBJECTS = 10_000;
/** Milliseconds after which generated code may be in use, and in which violations are reported. */
const PATIENCE = 1500;

/** Fields of a `SecurityPolicyViolationEvent` that Deno has no type of. */
interface Violation {
  blockedURI: string;
  sample: string;
}

const violations: string[] = [];
globalThis.addEventListener("securitypolicyviolation", (event) => {
  const { blockedURI, sample } = event as unknown as Violation;
  violations.push(`${blockedURI}: ${sample}`);
});

let generated = 0;
const Native = Function;
globalThis.Function = function (...args: string[]): unknown {
  const made = new Native(...args);
  if (args.join().includes(SECRET)) generated++;
  return made;
} as unknown as FunctionConstructor;

const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PATIENCE));
const asksForCode = import.meta.url.endsWith("?codegen");

const { parseBinary } = await import("../../../parse_binary.ts");
if (asksForCode) {
  await import("../../../codegen.ts");
  await wait();
}
const text = JSON.stringify(Array(OBJECTS).fill({ [SECRET]: 1, other: 2 }));
const result = parseBinary(new TextEncoder().encode(text));
await wait();
console.log(JSON.stringify({ isRight: JSON.stringify(result.ok && result.value) === text, generated, violations }));
