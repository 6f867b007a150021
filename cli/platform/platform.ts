/** The runtime of the command line. All that differs between them is in this folder. */

import { denoPlatform } from "./deno_platform.ts";
import type { Platform } from "./interface.ts";

/** Platform of this process. That of the other runtimes is loaded where it is needed. */
export const platform: Platform = "Deno" in globalThis
  ? denoPlatform
  : (await import("./node_platform.ts")).nodePlatform;
