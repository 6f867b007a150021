/**
 * Tests of executables of the command line: their modules, permissions and flags. Another program
 * stands in for the base runtime, which is a download, so that the executables cannot be run.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { COMMANDS } from "../../cli/commands.ts";
import { manual } from "../../cli/shell/man.ts";
import { folderOf } from "../support/files.ts";
import { execute, projectRoot } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { itUnless } from "../support/skip.ts";

const STAND_IN = "/bin/true";
const IMPORT_MAP = new URL("imports.npm.json", projectRoot).href;
const TOOL = new URL("tools/compile.ts", projectRoot).href;

/** Runs the tool. Returns its exit code and its output. */
async function compile(...args: string[]): Promise<{ code: number; text: string }> {
  const command = ["run", "-A", "--no-check", `--import-map=${IMPORT_MAP}`, TOOL, ...args];
  const env = { DENORT_BIN: STAND_IN, NO_COLOR: "1" };
  const { code, stdout, stderr } = await execute(Deno.execPath(), command, { env });
  return { code, text: stdout + stderr };
}

/** Returns the names of the modules and of the folders in a folder of the build, at any depth. */
function namesIn(folder: URL): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return [name, ...namesIn(new URL(`${name}/`, folder))];
    return name.endsWith(".js") ? [name] : [];
  });
}

describeLong("compile", () => {
  const target = "x86_64-unknown-linux-gnu";

  itUnless(Deno.build.os !== "linux" && "the stand-in for the base runtime is a program of Linux")(
    "packs every module, the worker too, with the permissions and flags the commands need",
    async () => {
      using folder = folderOf({});
      const { path } = folder;
      const { code, text } = await compile("--folder", path, target);
      assertEquals([code, text], [0, `${path}/bytejson-${target}\n${path}/bytejson.1\n${path}/SHA256SUMS\n`]);

      const executable = Deno.readFileSync(`${path}/bytejson-${target}`);
      assertEquals(executable.subarray(0, 4), new TextEncoder().encode("\x7fELF"));
      const packed = new TextDecoder("latin1").decode(executable);
      const entry = "index.js"; // for programs that import the command line
      const names = namesIn(new URL("dist/package/cli/", projectRoot)).filter((name) => name !== entry);
      assert(names.includes("worker.js"));
      for (const name of names) assert(packed.includes(`"${name}"`), name);

      const [, options] = /"permissions":(\{.*?\}),"location"/.exec(packed)!;
      const allowed = Object.entries(JSON.parse(options)).filter(([name, value]) =>
        name.startsWith("allow_") && name !== "allow_import" && value !== null
      );
      assertEquals(Object.fromEntries(allowed), {
        allow_env: ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "TERM", "GITHUB_WORKSPACE", "CI_PROJECT_DIR"],
        allow_read: [],
        allow_run: ["bytejson", "/proc/self/exe"],
        allow_write: [],
      });
      assertEquals(JSON.parse(options).prompt, false);
      assert(/"v8_flags":\[[^\]]*"--expose-gc"/.test(packed));

      const { version } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", projectRoot)));
      assertEquals(Deno.readTextFileSync(`${path}/bytejson.1`), manual(version));
      const { stdout } = await execute("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: path });
      assertEquals(stdout, `bytejson-${target}: OK\nbytejson.1: OK\n`);
    },
  );
});

describe("compile", () => {
  it("knows the targets: exit 1 for another", async () => {
    const { code, text } = await compile("sparc");
    assertEquals(code, 1);
    assert(text.startsWith("Cannot build for sparc: there are x86_64-unknown-linux-gnu, "), text);
  });
});

describe("permissions", () => {
  it("are given up by each command but for those it needs: check can read, and no more", async () => {
    for (const { name, permissions } of COMMANDS) {
      const code = `
        import { unusedPermissions } from "${new URL("cli/command_line.ts", projectRoot)}";
        import { platform } from "${new URL("cli/platform/platform.ts", projectRoot)}";
        platform.giveUp(unusedPermissions({ permissions: ${JSON.stringify(permissions)} }));
        const names = ["read", "write", "run"];
        console.log(names.filter((name) => Deno.permissions.querySync({ name }).state === "granted").join(" "));`;
      const granted = ["--allow-read", "--allow-write", "--allow-run"];
      const program = `data:application/typescript,${encodeURIComponent(code)}`;
      const { stdout } = await execute(Deno.execPath(), ["run", "--no-config", "--no-prompt", ...granted, program]);
      assertEquals(stdout.trim(), permissions.join(" "), name);
    }
    assertEquals(COMMANDS.find(({ name }) => name === "check")!.permissions, ["read"]);
  });
});
