/** Kind of realm that the library runs in. */

interface Realm {
  SecurityPolicyViolationEvent?: unknown;
  WorkerGlobalScope?: unknown;
  WorkletGlobalScope?: unknown;
  Deno?: { version?: { deno?: unknown } };
  process?: { versions?: { node?: unknown } };
}

const realm = globalThis as Realm;

/**
 * Whether this is a window, worker or worklet of a browser, where a policy can report evaluated
 * code to a server. Workers of Deno, Node.js and Bun are recognised by version numbers, which a
 * page element called `Deno` or `process` does not have. `process` comes last: the first access to
 * it in Deno takes 13 ms, because it loads much of Node.js.
 */
export const IS_BROWSER: boolean = typeof realm.SecurityPolicyViolationEvent === "function" ||
  (typeof realm.WorkerGlobalScope === "function" || typeof realm.WorkletGlobalScope === "function") &&
    typeof realm.Deno?.version?.deno !== "string" && typeof realm.process?.versions?.node !== "string";
