/** `--where` compared with jq: both find the same of random lines. */

import { assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { assertRow, runCli } from "../support/run_cli.ts";
import { execute, RUNS_LONG } from "../support/environment.ts";
import { folderOf } from "../support/files.ts";
import { Random } from "../support/random.ts";
import { itUnless, withoutProgram } from "../support/skip.ts";

const LINES = RUNS_LONG ? 100_000 : 5_000;

/** Spellings of members. Each line has one of them or none. */
const MEMBERS: Record<string, readonly string[]> = {
  level: ['"error"', '"\\u0065rror"', '"info"', "null", "7"],
  duration: ["499", "500", "500.5", "5.01e2", "0.5E+3", "-501", '"501"', "true"],
  http: ['{"status":200}', '{"status":2e2,"bytes":1}', '{"status":404}', '{"bytes":404}'],
  time: ['"2026-11-27T11:04"', '"2026-11-27T11:05"', '"2026\\u002d11-27T11:05:01Z"', '"\\ud83d\\ude00"', "2026"],
  path: ['"/api/a.php"', '"\\/api/b"', '"/apé.php"', "{}"],
  labels: ['["db","\\u0061b"]', '{"x":"db"}', "[]", '"db"', '[{"v":1},{"v":3}]'],
  tags: ['{"a":1,"b":[2]}', '{ "b": [2.0], "a": 1e0 }', '{"a":1}', '["a",1]', '{"a":1,"b":[2],"a":3}'],
};

/**
 * Conditions of ours, and what jq calls them: there, a missing member is `null`, and `"501" > 500`.
 */
const CONDITIONS: Record<string, string> = {
  '/level="error"': '.level == "error"',
  '/level!="error"': 'has("level") and .level != "error"',
  "/duration>500": '(.duration | type) == "number" and .duration > 500',
  "/duration<=500": '(.duration | type) == "number" and .duration <= 500',
  "/duration<500": '(.duration | type) == "number" and .duration < 500',
  "/duration>=5.01e2": '(.duration | type) == "number" and .duration >= 501',
  "/http/status in [200,404]": "(.http.status == 200 or .http.status == 404)",
  '/tags={"b":[2],"a":1}': '.tags == {"a": 1, "b": [2]}',
  "/duration exists": 'has("duration")',
  "/duration exists false": 'has("duration") | not',
  '/time>="2026-11-27T11:05"': '(.time | type) == "string" and .time >= "2026-11-27T11:05"',
  '/time<"2026-11-27T11:05"': '(.time | type) == "string" and .time < "2026-11-27T11:05"',
  '/time>"2026-11-27T11:05"': '(.time | type) == "string" and .time > "2026-11-27T11:05"',
  '/time<="2026-11-27T11:05"': '(.time | type) == "string" and .time <= "2026-11-27T11:05"',
  '/path^="/api/"': '(.path | type) == "string" and (.path | startswith("/api/"))',
  '/path$=".php"': '(.path | type) == "string" and (.path | endswith(".php"))',
  '/path*="é."': '(.path | type) == "string" and (.path | contains("é."))',
  '/labels/*="db"': '(.labels | type) as $t | ($t == "array" or $t == "object") and any(.labels[]; . == "db")',
  "/labels/*/v>2": '(.labels | type) == "array" and any(.labels[]; type == "object" and has("v") and .v > 2)',
  '/level="error" or /http/status in [404] and not /duration>500':
    '.level == "error" or (.http.status == 404 and ((.duration | type) == "number" and .duration > 500 | not))',
  '(/level="error" or /level="info") and not (/path exists or /time exists false)':
    '(.level == "error" or .level == "info") and (has("path") or (has("time") | not) | not)',
  'not /level="error"': '.level != "error"',
};

function randomLine(random: Random, n: number): string {
  const members = Object.entries(MEMBERS).flatMap(([name, spellings]) => {
    const i = random.below(spellings.length + 1);
    return i < spellings.length ? [`"${name}":${spellings[i]}`] : [];
  });
  members.splice(random.below(members.length + 1), 0, `"n":${n}`);
  return `{${members.join(random.once(2) ? "," : " , ")}}\n`;
}

describe("--where", () => {
  itUnless(withoutProgram("jq"))(`finds the same of ${LINES} lines as jq`, async () => {
    const random = new Random(8);
    const lines = Array.from({ length: LINES }, (_, n) => randomLine(random, n)).join("");
    using folder = folderOf({ "lines.jsonl": lines });
    // A digit of each condition for each line.
    const filters = Object.values(CONDITIONS).map((filter) => `if ${filter} then "1" else "0" end`);
    const theirs = await execute("jq", ["-r", `[${filters.join()}] | add`, "lines.jsonl"], { cwd: folder.path });
    const digits = theirs.stdout.trimEnd().split("\n");
    assertEquals(digits.length, LINES);
    for (const [i, condition] of Object.keys(CONDITIONS).entries()) {
      const stdout = digits.flatMap((line, n) => line[i] === "1" ? [`{"n":${n}}\n`] : []).join("");
      const args = ["select", "--where", condition, "{n}"];
      await assertRow({}, { args: [...args, "--jsonl"], stdin: lines, stdout });
      assertEquals(await runCli(folder.path, [...args, "lines.jsonl"]), { code: 0, stdout, stderr: "" }, condition);
    }
  });
});
