/**
 * Recognition of the engine by the properties of its errors, for choices that have to differ
 * between engines. The choices are made, and explained, where they matter.
 *
 * @module
 */

/** Calls that V8 notes in an error, unless the program has asked for more. */
const NOTED_CALLS = 10;

/**
 * Makes an error within `depth` further calls.
 *
 * For each function in the list of calls, V8 looks up the line, and to do so parses functions from
 * a cache of code once more. The code of a module is such a function: 0.2 to 0.4 ms for each error
 * that was made while one was loaded, and 5 ms in a bundle of 145 KB. Further calls keep the code
 * of modules off the list.
 */
function makeError(depth: number): Error {
  return depth > 0 ? makeError(depth - 1) : new Error();
}

/** Returns whether this is JavaScriptCore: Safari, WebKitGTK or Bun. */
export function isJavaScriptCore(): boolean {
  return Object.hasOwn(makeError(NOTED_CALLS), "sourceURL");
}

/** Returns whether this is SpiderMonkey: Firefox. */
export function isSpiderMonkey(): boolean {
  return Object.hasOwn(makeError(NOTED_CALLS), "fileName");
}
