/**
 * Recognition of the engine by the properties of its errors, for choices that have to differ
 * between engines. The choices are made, and explained, where they matter.
 *
 * @module
 */

/** Returns whether this is JavaScriptCore: Safari, WebKitGTK or Bun. */
export function isJavaScriptCore(): boolean {
  return Object.hasOwn(new Error(), "sourceURL");
}

/** Returns whether this is SpiderMonkey: Firefox. */
export function isSpiderMonkey(): boolean {
  return Object.hasOwn(new Error(), "fileName");
}
