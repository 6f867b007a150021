/** Tests and groups that cannot run here. The runner counts and prints them as skipped. */

import { describe, it } from "@std/testing/bdd";

/** Reason why tests are skipped; `undefined` or `false` if they run. */
export type SkipReason = string | false | undefined;

/** Returns `it`, or, with a reason, a function that registers a test as skipped. */
export function itUnless(reason: SkipReason): (name: string, body: () => void | Promise<void>) => void {
  return reason ? (name, body) => it.skip(`${name} (skipped: ${reason})`, body) : it;
}

/** Returns `describe`, or, with a reason, a function that registers a group as skipped. */
export function describeUnless(reason: SkipReason): (name: string, body: () => void) => void {
  return reason ? (name) => it.skip(`${name} (skipped: ${reason})`, () => {}) : describe;
}

export const isWindows: boolean = Deno.build.os === "windows";

/** Returns the reason to skip tests of something that only Linux has. */
export function onlyLinux(what: string): SkipReason {
  return Deno.build.os !== "linux" && `only Linux has ${what}`;
}

/** Returns the reason to skip tests of something that Windows lacks. */
export function notOnWindows(what: string): SkipReason {
  return isWindows && `Windows has no ${what}`;
}

/** Returns the reason to skip tests of a program that is not installed. */
export function withoutProgram(program: string): SkipReason {
  try {
    new Deno.Command(program, { args: ["--version"], stdin: "null" }).outputSync();
    return false;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return `there is no ${program} on the PATH`;
  }
}
