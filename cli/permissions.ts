/**
 * Permissions of a compiled executable. It is built with those of all commands, and gives up the
 * ones that the command at hand does not use.
 *
 * @module
 */

import { type Permission, PERMISSIONS } from "./commands.ts";
import { platform } from "./platform/platform.ts";

/** Revokes all permissions of the program but these, for good. */
export function keepOnly(needed: readonly Permission[]): void {
  platform.giveUp(PERMISSIONS.filter((name) => !needed.includes(name)));
}
