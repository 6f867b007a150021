/**
 * Executables with Node.js and with Bun in them: built, and run without a PATH, in a read-only
 * folder, and without a network if the machine can do so.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { it } from "@std/testing/bdd";
import { gzipSync, zstdCompressSync } from "node:zlib";
import config from "../../deno.json" with { type: "json" };
import { buildWithBun, buildWithNode } from "../../tools/executables.ts";
import { withoutTime } from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";
import { execute } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { bunOfNpm, findRuntime, nodeOf } from "../support/runtime_commands.ts";

/** User and group called nobody, who are subject to the permissions of files. */
const NOBODY = "65534";

/**
 * Finds a command that runs another one without a network, as nobody if this is root. It is empty,
 * after printing that, where there is none.
 */
function withoutNetwork(): string[] {
  const commands = [
    ["/usr/bin/unshare", "--net", "/usr/bin/setpriv", "--reuid", NOBODY, "--clear-groups"],
    ["/usr/bin/unshare", "--net", "--map-root-user"],
  ];
  for (const [program, ...args] of commands) {
    try {
      if (new Deno.Command(program, { args: [...args, "/bin/true"] }).outputSync().success) return [program, ...args];
    } catch {
      // There is no such program.
    }
  }
  console.log("not without a network: unshare is not permitted");
  return [];
}

const LARGE = `[${" ".repeat(2 ** 25)}1]`;
const BAD = `[${" ".repeat(2 ** 25)}1,]`;
const FILES = {
  "good.json": '{"a":[1,"é"]}',
  "bad.json": "[1,]",
  "tsconfig.json": "{} // one",
  "lines.jsonl.gz": new Uint8Array(gzipSync('{"t":1}\n{"t":2}\n')),
  "lines.jsonl.zst": new Uint8Array(zstdCompressSync(new TextEncoder().encode('{"t":3}\n'))),
  "large.json": LARGE,
  "large_bad.json": BAD,
};

const FAILURE = "bad.json:1:4: error: Unexpected token ']' (byte 3)\n";
const HINT = "hint: looks like a trailing comma; JSON has none\n";

/** Command lines, and what they print. */
const RUNS: { args: string; code: number; stdout: string; stderr: string }[] = [
  { args: "--version", code: 0, stdout: `bytejson ${config.version}\n`, stderr: "" },
  { args: "check good.json tsconfig.json", code: 0, stdout: "", stderr: "ok  2 files, 23 B, T s\n" },
  { args: "check --no-snippet bad.json", code: 1, stdout: "", stderr: `${FAILURE}${HINT}1 of 1 file invalid\n` },
  { args: "select {t} lines.jsonl.gz lines.jsonl.zst", code: 0, stdout: '{"t":1}\n{"t":2}\n{"t":3}\n', stderr: "" },
  { args: "get /a/1 --raw good.json", code: 0, stdout: "é\n", stderr: "" },
];

for (const [runtime, build] of [[nodeOf("26"), buildWithNode], [bunOfNpm, buildWithBun]] as const) {
  describeLong(`executable with ${runtime.name}`, () => {
    it("does all that the program does", async () => {
      const found = await findRuntime(runtime);
      if (found === undefined) return;
      using folder = folderOf(FILES);
      const isWindows = Deno.build.os === "windows";
      const program = `${folder.path}/bytejson${isWindows ? ".exe" : ""}`;
      await build(found.path, program);
      if (!isWindows) Deno.chmodSync(folder.path, 0o555);
      const [first, ...before] = [...withoutNetwork(), program];
      const options = { cwd: folder.path, clearEnv: !isWindows, env: { PATH: "", NO_COLOR: "1" } };
      const exec = async (args: string) => {
        const run = await execute(first, [...before, ...args.split(" ")], options);
        return { ...run, stderr: withoutTime(run.stderr) };
      };

      for (const { args, code, stdout, stderr } of RUNS) assertEquals(await exec(args), { code, stdout, stderr });

      const files = "large.json large_bad.json large.json large_bad.json";
      const alone = await exec(`check --no-snippet --jobs=1 ${files}`);
      assertEquals(await exec(`check --no-snippet --jobs=2 ${files}`), alone);
      assertMatch(alone.stderr, /2 of 4 files invalid\n$/);

      const bench = await exec("bench --runs=1 --warmup=0 --only=parseBinary --json good.json");
      assertEquals([bench.code, bench.stderr], [0, ""]);
      const [{ firstMs, memory }] = JSON.parse(bench.stdout).rows;
      assert(firstMs > 0 && memory.peak >= 0 && memory.retained !== null, bench.stdout);
    });
  });
}
