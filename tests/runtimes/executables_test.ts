/**
 * Executables with Node.js and with Bun in them: built, and run without a PATH, in a read-only
 * folder, and without a network if the machine can do so.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { it } from "@std/testing/bdd";
import { gzipSync, zstdCompressSync } from "node:zlib";
import config from "../../deno.json" with { type: "json" };
import { buildWithBun, buildWithNode } from "../../tools/executables.ts";
import { folderOf, withoutTime } from "../support/cli.ts";
import { describeLong } from "../support/long.ts";
import { bunOfNpm, findRuntime, nodeOf } from "../support/runtime_commands.ts";

/** User and group called nobody, who are subject to the permissions of files. */
const NOBODY = "65534";

const decoder = new TextDecoder();

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
const RUNS: { args: string[]; stdin?: string; code: number; stdout?: string; stderr?: string }[] = [
  { args: ["--version"], code: 0, stdout: `bytejson ${config.version}\n` },
  { args: ["check", "good.json", "tsconfig.json"], code: 0, stderr: "ok  2 files, 23 B, T s\n" },
  { args: ["check", "--no-snippet", "bad.json"], code: 1, stderr: `${FAILURE}${HINT}1 of 1 file invalid\n` },
  {
    args: ["select", "{t}", "lines.jsonl.gz", "lines.jsonl.zst"],
    code: 0,
    stdout: '{"t":1}\n{"t":2}\n{"t":3}\n',
  },
  { args: ["get", "/a/1", "--raw"], stdin: FILES["good.json"], code: 0, stdout: "é\n" },
];

for (const [runtime, build] of [[nodeOf("26"), buildWithNode], [bunOfNpm, buildWithBun]] as const) {
  describeLong(`executable with ${runtime.name}`, () => {
    it("does all that the program does", async () => {
      const found = await findRuntime(runtime);
      if (found === undefined) return;
      using folder = folderOf(FILES);
      const program = `${folder.path}/bytejson${Deno.build.os === "windows" ? ".exe" : ""}`;
      await build(found.path, program);
      if (Deno.build.os !== "windows") Deno.chmodSync(folder.path, 0o555);
      const before = withoutNetwork();
      const command = (args: readonly string[]): Deno.Command => {
        const [first, ...rest] = [...before, program, ...args];
        const env = { PATH: "", NO_COLOR: "1" };
        return new Deno.Command(first, {
          args: rest,
          cwd: folder.path,
          clearEnv: Deno.build.os !== "windows",
          env,
          stdin: "piped",
          stdout: "piped",
          stderr: "piped",
        });
      };
      const exec = async (args: readonly string[], stdin = "") => {
        const child = command(args).spawn();
        const input = new Response(stdin).body!.pipeTo(child.stdin).catch(() => {});
        const [{ code, stdout, stderr }] = await Promise.all([child.output(), input]);
        return { code, stdout: decoder.decode(stdout), stderr: withoutTime(decoder.decode(stderr)) };
      };

      for (const { args, stdin, code, stdout = "", stderr = "" } of RUNS) {
        assertEquals(await exec(args, stdin), { code, stdout, stderr });
      }

      const files = Array.from({ length: 4 }, (_, i) => i % 2 === 0 ? "large.json" : "large_bad.json");
      const alone = await exec(["check", "--no-snippet", "--jobs=1", ...files]);
      assertEquals(await exec(["check", "--no-snippet", "--jobs=2", ...files]), alone);
      assertMatch(alone.stderr, /2 of 4 files invalid\n$/);

      const bench = await exec(["bench", "--runs=1", "--warmup=0", "--only=parseBinary", "--json", "good.json"]);
      assertEquals([bench.code, bench.stderr], [0, ""]);
      const [{ firstMs, memory }] = JSON.parse(bench.stdout).rows;
      assert(firstMs > 0 && memory.peak >= 0 && memory.retained !== null, bench.stdout);

      if (Deno.build.os === "windows") return console.log("no signal: Windows has none to send");
      const child = command(["check", "--no-snippet", "--jsonl", "-"]).spawn();
      const input = child.stdin.getWriter();
      // The bytes after the failure belong to its excerpt.
      await input.write(new TextEncoder().encode(`[\n${"1\n".repeat(10_000)}`));
      const errors = child.stderr.getReader();
      assertMatch(decoder.decode((await errors.read()).value), /^<stdin>:1:2: error: /);
      child.kill("SIGINT");
      assertEquals((await child.status).code, 130);
      await Promise.all([input.abort().catch(() => {}), errors.cancel(), child.stdout.cancel()]);
    });
  });
}
