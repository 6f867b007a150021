/**
 * Permissions of a compiled executable. It is built with those of all commands, and gives up the
 * ones that the command at hand does not use.
 *
 * @module
 */

import { type Permission, PERMISSIONS } from "./commands.ts";

/** Revokes all permissions of the program but these, for good. */
export function keepOnly(needed: readonly Permission[]): void {
  for (const name of PERMISSIONS) if (!needed.includes(name)) Deno.permissions.revokeSync({ name });
}
