/** What an executable of its own may do: it is built with all that its commands need, and gives up what the one at hand does not. */

import { type Permission, PERMISSIONS } from "./commands.ts";

/** Gives up all permissions of the program but these, for good. */
export function keepOnly(needed: readonly Permission[]): void {
  for (const name of PERMISSIONS) if (!needed.includes(name)) Deno.permissions.revokeSync({ name });
}
