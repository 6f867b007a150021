/**
 * Recognition of the engine by the properties of its errors, and of the realm. Each use of an engine
 * explains the difference.
 *
 * @module
 */

/** Stack frames that V8 records in an error by default. */
const RECORDED_FRAMES = 10;

/**
 * Makes an error, `depth` calls further down.
 *
 * V8 looks up the line of each recorded frame, and for that parses functions again that came from
 * the code cache. The top-level code of a module is such a function: an error made while it loads
 * costs 0.2 to 0.4 ms, or 5 ms in a bundle of 145 KB. The further calls keep it out of the recorded
 * frames.
 */
function makeError(depth: number): Error {
  return depth > 0 ? makeError(depth - 1) : new Error();
}

/** Returns whether this is JavaScriptCore: Safari, WebKitGTK or Bun. */
export function isJavaScriptCore(): boolean {
  return Object.hasOwn(makeError(RECORDED_FRAMES), "sourceURL");
}

/** Returns whether this is SpiderMonkey: Firefox. */
export function isSpiderMonkey(): boolean {
  return Object.hasOwn(makeError(RECORDED_FRAMES), "fileName");
}

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
