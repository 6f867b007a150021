/**
 * Lets `parseBinary` generate code in a browser. Import the module for this effect; it
 * exports nothing.
 *
 * Once `parseBinary` has read many objects with the same keys in the same order, it generates a
 * constructor for them, which is faster. The source of the constructor contains property names of
 * the input. In Deno, Node.js and Bun it does so by default. In windows and workers of browsers
 * it does not, because a Content Security Policy may report the source, and thus those names, to
 * a server.
 *
 * This module first evaluates an empty function. Code is generated only if that is allowed and no
 * policy has reported it within a second, so a report never contains any part of an input. If a
 * browser does not report violations to the page or worker itself, as in workers of Firefox, no
 * code is generated.
 *
 * The module has no effect if `./no-codegen` is imported too.
 *
 * ```ts ignore
 * import "@bytejson/bytejson/codegen";
 * import { parseBinary } from "@bytejson/bytejson";
 * ```
 *
 * @module
 */

import { IS_BROWSER } from "./parser/engine/realm.ts";
import { allowGeneration, evaluatesCode } from "./parser/objects/generated_constructors.ts";

/** Milliseconds to wait for the report of a violation. Browsers take about ten. */
const REPORT_DELAY = 1000;

/** Allows generated code unless a policy reports the evaluation of an empty function. */
function allowUnlessReported(): void {
  let isReported = false;
  const note = (): void => void (isReported = true);
  addEventListener("securitypolicyviolation", note);
  if (evaluatesCode()) {
    setTimeout(() => {
      removeEventListener("securitypolicyviolation", note);
      if (!isReported) allowGeneration();
    }, REPORT_DELAY);
  } else {
    removeEventListener("securitypolicyviolation", note);
  }
}

if (IS_BROWSER && "SecurityPolicyViolationEvent" in globalThis) allowUnlessReported();
