/**
 * Recipes of docs/beyond-one-machine.md and docs/cli-select.md, with the tools that are installed.
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { gzipSync } from "node:zlib";
import { commandLine, runCli } from "../support/run_cli.ts";
import { projectRoot } from "../support/environment.ts";
import { folderOf } from "../support/files.ts";
import { describeLong } from "../support/long.ts";

function recipesOf(page: string): string[] {
  const text = Deno.readTextFileSync(new URL(page, projectRoot));
  return Array.from(text.matchAll(/```(?:sh|py)\n([^]*?)```/g), ([, recipe]) => recipe);
}

const [PARALLEL, XARGS, SPARK] = recipesOf("docs/beyond-one-machine.md");
const [, COUNT, TABLE, FOLLOW, JQ, DUCKDB] = recipesOf("docs/cli-select.md");

/** Lines of a log, one of them bad. */
const lines = Array.from({ length: 5000 }, (_, i) => `{"level":"${i % 5 ? "info" : "error"}","n":${i}}\n`);
lines[776] = '{"n":\n';

/**
 * Runs a recipe in a folder; `undefined`, and prints the reason, if its tool is not installed: if
 * the command `probe` fails.
 */
async function runRecipe(folder: string, recipe: string, tool: string, probe = `command -v ${tool}`) {
  const found = await new Deno.Command("sh", { args: ["-c", probe], stdout: "null", stderr: "null" }).output();
  if (!found.success) return console.log(`skipped: ${tool} is not installed`);
  const [program, args] = commandLine([]);
  const quoted = [program, ...args].map((word) => `'${word}'`).join(" ");
  Deno.mkdirSync(`${folder}/bin`);
  Deno.writeTextFileSync(`${folder}/bin/bytejson`, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  const script = `export PATH="$PWD/bin:$PATH" HOME="$PWD" NO_COLOR=1\n${recipe}`;
  const command = new Deno.Command("sh", { args: ["-c", script], cwd: folder, stderr: "null" });
  const { code, stdout } = await command.output();
  return { code, stdout: new TextDecoder().decode(stdout) };
}

describeLong("recipes for several processes", () => {
  it("give with GNU parallel what one process gives, and fail if a line is bad", async () => {
    using folder = folderOf({ "app.jsonl": lines.join("") });
    const run = await runRecipe(folder.path, PARALLEL.replace("100M", "80k"), "parallel");
    if (run === undefined) return;
    const one = await runCli(folder.path, ["select", "--where", '/level="error"', "{n}", "app.jsonl"]);
    assertEquals([run.code, run.stdout], [1, one.stdout]);
  });

  it("give with xargs what one process gives of each file", async () => {
    using folder = folderOf({
      "logs/a.jsonl": lines.slice(0, 2000).join(""),
      "logs/b c.jsonl": lines.slice(2000).join(""),
    });
    const run = await runRecipe(folder.path, XARGS, "xargs");
    if (run === undefined) return;
    assertEquals(run.code, 123);
    for (const name of ["logs/a.jsonl", "logs/b c.jsonl"]) {
      const one = await runCli(folder.path, ["select", "{n}", name]);
      assertEquals(Deno.readTextFileSync(`${folder.path}/${name}.out`), one.stdout);
    }
  });
});

// Two starts of Spark take over a minute.
describeLong("recipes for Spark", () => {
  for (const isSkipping of [false, true]) {
    it(`give what one process gives, and ${isSkipping ? "leave out" : "fail by"} a bad line`, async () => {
      const recipe = isSkipping ? SPARK.replace("--jsonl", "$& --skip-invalid") : SPARK;
      using folder = folderOf({ "app.jsonl": lines.join(""), "job.py": recipe });
      const probe = "java -version && python3 -c 'import pyspark'";
      const run = await runRecipe(folder.path, "python3 job.py", "pyspark", probe);
      if (run === undefined) return;
      const names = Array.from(Deno.readDirSync(`${folder.path}/errors`), ({ name }) => name).sort();
      const parts = names.filter((name) => name.startsWith("part-"));
      const output = parts.map((name) => Deno.readTextFileSync(`${folder.path}/errors/${name}`)).join("");
      const one = await runCli(folder.path, [
        "select",
        "--skip-invalid",
        "--where",
        '/level="error"',
        "{n}",
        "app.jsonl",
      ]);
      assertEquals([run.code, parts.length, output], isSkipping ? [one.code, 2, one.stdout] : [1, 0, ""]);
    });
  }
});

const SERVICES = ["api", "data base", "web"];
const entries = Array.from({ length: 900 }, (_, i) => ({
  time: `2026-11-27T1${Math.floor(i / 300)}:${String(Math.floor(i / 5) % 60).padStart(2, "0")}:${10 + i % 5}Z`,
  level: i % 7 < 2 ? "error" : "info",
  service: SERVICES[i % 3],
  message: `request ${i}, "${i % 2}"`,
  http: { status: i % 50 === 0 ? 502 : 200 },
}));
const errors = entries.filter(({ level }) => level === "error");
const textOf = (part: readonly object[]) => part.map((entry) => `${JSON.stringify(entry)}\n`).join("");
const files = {
  "app.log.2.gz": gzipSync(textOf(entries.slice(0, 300))),
  "app.log.1.gz": gzipSync(textOf(entries.slice(300, 600))),
  "app.log": textOf(entries.slice(600)),
};
/** Errors of each service and minute, in this order. */
const counts = SERVICES.flatMap((service) => {
  const minutes = Map.groupBy(errors.filter((error) => error.service === service), ({ time }) => time.slice(0, 16));
  return Array.from(minutes, ([minute, { length }]) => [service, minute, length]);
});

describe("recipes for a rotated log", () => {
  it("count the errors of each service per minute", async () => {
    using folder = folderOf(files);
    const run = await runRecipe(folder.path, COUNT, "uniq && uniq --version");
    if (run === undefined) return;
    let service = "";
    const counted = run.stdout.trimEnd().split("\n").flatMap((line) => {
      const [, count, minute] = /^ *(\d+) \{"time":"(.{16})/.exec(line) ?? [];
      if (minute === undefined) service = line;
      return minute === undefined ? [] : [[service, minute, Number(count)]];
    });
    assertEquals([run.code, counted], [0, counts]);
  });

  it("make a table of what went wrong within an hour", async () => {
    using folder = folderOf(files);
    const run = await runRecipe(folder.path, TABLE, "sh");
    const rows = entries.slice(300, 600).filter(({ level, http }) => level === "error" || http.status >= 500)
      .map(({ time, service, message, http }) =>
        `${time},${service},${http.status},"${message.replaceAll('"', '""')}"`
      );
    assertEquals(run, { code: 0, stdout: "" });
    const table = ["time,service,http.status,message", ...rows, ""].join("\n");
    assertEquals(Deno.readTextFileSync(`${folder.path}/failures.csv`), table);
  });

  it("follow a log", async () => {
    using folder = folderOf({ "app.log": "", "late": textOf(errors.slice(0, 2)) });
    const script = `(sleep 1; cat late >> app.log) & ${FOLLOW.replace("tail", "timeout 4 tail")}`;
    const run = await runRecipe(folder.path, script, "timeout");
    if (run === undefined) return;
    const lines = errors.slice(0, 2).map(({ time, service, message }) => ({ time, service, message }));
    assertEquals(run, { code: 0, stdout: textOf(lines) });
  });

  it("count by jq", async () => {
    using folder = folderOf(files);
    const run = await runRecipe(folder.path, JQ, "jq");
    if (run === undefined) return;
    assertEquals(run, { code: 0, stdout: counts.map((row) => `${row.join("\t")}\n`).join("") });
  });
});

describeLong("a recipe for a rotated log", () => {
  it("counts by DuckDB", async () => {
    using folder = folderOf(files);
    // Without the program, the module of Python does.
    const args = ["-c", "import duckdb, sys; print(sys.executable)"];
    const python = await new Deno.Command("python3", { args, stderr: "null" }).output();
    const path = new TextDecoder().decode(python.stdout).trim();
    const program = `import sys, duckdb; duckdb.execute("COPY (" + sys.argv[3] + ") TO \\"/dev/stdout\\" (HEADER)")`;
    const shim = `duckdb() { '${path}' -c '${program}' "$@"; }\n`;
    const recipe = python.success ? shim + DUCKDB : DUCKDB;
    const run = await runRecipe(folder.path, recipe, python.success ? "python3" : "duckdb");
    if (run === undefined) return;
    const [header, ...rows] = run.stdout.replaceAll("\r", "").split("\n");
    assertEquals([run.code, header, rows.join("\n")], [
      0,
      "service,minute,errors",
      counts.map((row) => `${row}\n`).join(""),
    ]);
  });
});
