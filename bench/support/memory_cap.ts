/**
 * Caps on the memory of a process, by a control group of either version.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** Cap, and how to run a program under it. */
export interface MemoryCap {
  /** Name of the mechanism, or the reason why there is no cap. */
  means: string;
  /** Whether there is a cap. */
  isSet: boolean;
  /** Start of the command line, before the program. */
  prefix: string[];
  /** Removes the cap. The program must have ended. */
  remove(): void;
}

/** No cap. */
export const NO_CAP: MemoryCap = { means: "not capped", isSet: false, prefix: [], remove() {} };

/** Shell script that enters the control group `$0`, then becomes the program. */
const ENTER = 'echo $$ > "$0/cgroup.procs" && exec "$@"';

/**
 * Versions of control groups: root folder, file that sets the cap, and the line of
 * `/proc/self/cgroup` that names the group of this process.
 */
const GROUPS = [
  {
    version: 1,
    root: "/sys/fs/cgroup/memory",
    cap: "memory.limit_in_bytes",
    own: /^\d+:(?:.*,)?memory(?:,.*)?:(.+)$/m,
  },
  { version: 2, root: "/sys/fs/cgroup", cap: "memory.max", own: /^0::(.+)$/m },
];

/** Number of control groups created by this process. */
let groups = 0;

/** Creates a cap: a control group inside that of this process, else a systemd scope, else none. */
export function capMemory(bytes: number): MemoryCap {
  const reasons: string[] = [];
  for (const group of GROUPS) {
    try {
      return capByGroup(group, bytes);
    } catch (error) {
      reasons.push(`control groups v${group.version}: ${(error as Error).message}`);
    }
  }
  const scope = ["systemd-run", "--user", "--scope", "--quiet", `--property=MemoryMax=${bytes}`];
  if (spawnSync(scope[0], [...scope.slice(1), "true"], { stdio: "ignore" }).status === 0) {
    return { means: "a scope of systemd", isSet: true, prefix: scope, remove: () => {} };
  }
  return {
    means: `not capped (${reasons.join("; ")}; systemd-run: not usable)`,
    isSet: false,
    prefix: [],
    remove: () => {},
  };
}

function capByGroup({ version, root, cap, own }: typeof GROUPS[number], bytes: number): MemoryCap {
  const [, path] = own.exec(readFileSync("/proc/self/cgroup", "latin1")) ?? [];
  if (path === undefined) throw new Error("this process is in none");
  const folder = join(root, path, `bytejson-${process.pid}-${groups++}`);
  mkdirSync(folder);
  const remove = (): void => rmdirSync(folder);
  try {
    // In any other file system the new folder stays empty.
    if (!existsSync(join(folder, cap))) throw new Error("no memory controller here");
    writeFileSync(join(folder, cap), String(bytes));
  } catch (error) {
    remove();
    throw error;
  }
  return { means: `control group v${version}`, isSet: true, prefix: ["sh", "-c", ENTER, folder], remove };
}
