/** `--where` beside jq: both find the same of random lines. */

import { assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { folderOf, runCli } from "../support/cli.ts";
import { run } from "../support/environment.ts";
import { Random } from "../support/random.ts";
import { itUnless, withoutProgram } from "../support/skip.ts";

const LINES = 100_000;

/** Spellings of members. Each line has one of them or none. */
const MEMBERS: Record<string, readonly string[]> = {
  level: ['"error"', '"\\u0065rror"', '"info"', "null", "7"],
  duration: ["499", "500", "500.5", "5.01e2", "0.5E+3", "-501", '"501"', "true"],
  http: ['{"status":200}', '{"status":2e2,"bytes":1}', '{"status":404}', '{"bytes":404}'],
  tags: ['{"a":1,"b":[2]}', '{ "b": [2.0], "a": 1e0 }', '{"a":1}', '["a",1]', '{"a":1,"b":[2],"a":3}'],
};

/** Conditions of ours, and what jq calls them: there, a missing member is `null`, and `"501" > 500`. */
const CONDITIONS: Record<string, string> = {
  '/level="error"': '.level == "error"',
  '/level!="error"': 'has("level") and .level != "error"',
  "/duration>500": '(.duration | type) == "number" and .duration > 500',
  "/duration<=500": '(.duration | type) == "number" and .duration <= 500',
  "/http/status in [200,404]": "(.http.status == 200 or .http.status == 404)",
  '/tags={"b":[2],"a":1}': '.tags == {"a": 1, "b": [2]}',
  "/duration exists": 'has("duration")',
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
    using folder = folderOf({
      "lines.jsonl": (() => {
        const random = new Random(8);
        return Array.from({ length: LINES }, (_, n) => randomLine(random, n)).join("");
      })(),
    });
    const path = `${folder.path}/lines.jsonl`;
    for (const [condition, filter] of Object.entries(CONDITIONS)) {
      const theirs = await run("jq", ["-r", `select(${filter}) | .n`, path]);
      const { code, stdout } = await runCli(folder.path, [
        "select",
        "--where",
        condition,
        "--csv",
        "{n}",
        "lines.jsonl",
      ]);
      assertEquals(code, 0);
      assertEquals(stdout, `n\n${theirs.output}`, condition);
    }
  });
});
