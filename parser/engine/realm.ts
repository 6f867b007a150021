/**
 * Kind of realm that the library runs in.
 *
 * @module
 */

/** Globals that tell the realms of browsers from those of other runtimes. */
interface Realm {
  SecurityPolicyViolationEvent?: unknown;
  WorkerGlobalScope?: unknown;
  WorkletGlobalScope?: unknown;
  Deno?: { version?: { deno?: unknown } };
  process?: { versions?: { node?: unknown } };
}

const realm = globalThis as Realm;

/**
 * Whether this is a window, worker or worklet of a browser. There, a policy can report code from
 * strings to a server. Workers of Deno have its version, those of Node.js and Bun the version of
 * Node.js that they stand for; an element that a page calls `Deno` or `process` has none. In Deno, a
 * look at `process` takes 13 ms: it loads much of Node.js.
 */
export const IS_BROWSER: boolean = typeof realm.SecurityPolicyViolationEvent === "function" ||
  (typeof realm.WorkerGlobalScope === "function" || typeof realm.WorkletGlobalScope === "function") &&
    typeof realm.Deno?.version?.deno !== "string" && typeof realm.process?.versions?.node !== "string";
