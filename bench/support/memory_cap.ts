/** A cap on the memory of a process: a control group of its own, whichever kind the system has. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** How to run a program under a cap. */
export interface MemoryCap {
  /** In words, what caps it, or why nothing does. */
  means: string;
  /** Whether anything does. */
  isSet: boolean;
  /** What stands before the program's own command line. */
  prefix: string[];
  /** Takes the cap away again. The program must have ended. */
  remove(): void;
}

/** Enters the group named first, then becomes the program. */
const ENTER = 'echo $$ > "$0/cgroup.procs" && exec "$@"';

/** The kinds of control groups: where their files are, which sets the cap, and which line of `/proc/self/cgroup` says where we are. */
const GROUPS = [
  {
    version: 1,
    root: "/sys/fs/cgroup/memory",
    cap: "memory.limit_in_bytes",
    own: /^\d+:(?:.*,)?memory(?:,.*)?:(.+)$/m,
  },
  { version: 2, root: "/sys/fs/cgroup", cap: "memory.max", own: /^0::(.+)$/m },
];

/** How many groups this process has made. */
let groups = 0;

/** A cap of so many bytes: a control group inside our own, else a scope of systemd's, else none. */
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
    // In a file system that is no control group the folder stays empty.
    if (!existsSync(join(folder, cap))) throw new Error("no memory controller here");
    writeFileSync(join(folder, cap), String(bytes));
  } catch (error) {
    remove();
    throw error;
  }
  return { means: `control group v${version}`, isSet: true, prefix: ["sh", "-c", ENTER, folder], remove };
}
