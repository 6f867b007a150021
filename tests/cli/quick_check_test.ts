/**
 * Quick check of small files: it decides as the validator does, or leaves the file to it.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { checkQuickly } from "../../cli/check/quick_check.ts";
import { validateBinary } from "../../mod.ts";
import { fromHex, show, utf8 } from "../support/bytes.ts";
import { folderOf, isSkippedOutsideDeno, runCli, withoutTime } from "../support/cli.ts";
import { corrupt, randomDocument } from "../support/documents.ts";
import { withSeeds } from "../support/random.ts";

const BOM = "\ufeff";

/** Returns the exit code of a quick check that prints nothing. */
function quickly(...args: readonly string[]): Promise<number | undefined> {
  return checkQuickly(["check", "--quiet", ...args]);
}

async function assertVerdict(path: string, bytes: Uint8Array): Promise<void> {
  Deno.writeFileSync(path, bytes);
  assertEquals(await quickly(path), validateBinary(bytes).ok ? 0 : undefined, show(bytes));
}

describe("checkQuickly()", () => {
  const documents: Record<string, Uint8Array> = {
    "an empty file": utf8(),
    "white space": utf8(" \n"),
    "a scalar": utf8(" -0.5e+3\r\n"),
    "other white space": utf8("\v1"),
    "a byte-order mark": utf8(BOM, "[1]"),
    "two byte-order marks": utf8(BOM, BOM, "[1]"),
    "nothing but a byte-order mark": utf8(BOM),
    "a byte-order mark in a string": utf8(`["${BOM}"]`),
    "a byte-order mark of UTF-16": fromHex("fffe5b005d00"),
    "a byte that is no UTF-8": fromHex("22ff22"),
    "a surrogate in UTF-8": fromHex("22eda08022"),
    "an overlong slash": fromHex("22c0af22"),
    "half a character": fromHex("22e282"),
    "a null byte": fromHex("2200220a"),
    "the escape of half a surrogate pair": utf8('"\\ud800"'),
    "a number beyond double": utf8("[1e999,-1e999]"),
    "a key called __proto__": utf8('{"__proto__":1,"__proto__":{}}'),
    "twenty thousand levels": utf8("[".repeat(20_000), "]".repeat(20_000)),
    "gzip": fromHex("1f8b0800000000000003"),
  };
  for (const [name, bytes] of Object.entries(documents)) {
    it(`decides about ${name} as validateBinary() does`, async () => {
      using folder = folderOf({});
      await assertVerdict(`${folder.path}/a.json`, bytes);
    });
  }

  it("decides about random documents as validateBinary() does", async () => {
    using folder = folderOf({});
    const documents: Uint8Array[] = [];
    withSeeds(50, (random) => {
      const bytes = utf8(randomDocument(random));
      documents.push(bytes, ...Array.from({ length: 4 }, () => corrupt(random, bytes)));
    });
    for (const bytes of documents) await assertVerdict(`${folder.path}/a.json`, bytes);
  });

  it("decides the same in a process of the runtime", async () => {
    using folder = folderOf({});
    const verdicts = await Promise.all(
      Object.entries(documents).map(async ([name, bytes], i) => {
        Deno.writeFileSync(`${folder.path}/${i}.json`, bytes);
        return [name, (await runCli(folder.path, ["check", "--quiet", `${i}.json`])).code === 0];
      }),
    );
    assertEquals(verdicts, Object.entries(documents).map(([name, bytes]) => [name, validateBinary(bytes).ok]));
  });

  it("leaves all files to the validator if they are large together", async () => {
    const half = `[${" ".repeat(2 ** 15 - 2)}]`;
    using folder = folderOf({ "a.json": half, "b.json": half, "c.json": "1" });
    const [a, b, c] = ["a", "b", "c"].map((name) => `${folder.path}/${name}.json`);
    assertEquals(await quickly(a, b), 0);
    assertEquals(await quickly(a, b, c), undefined);
  });

  it("leaves to the validator what is no regular file, or is no single document", async () => {
    using folder = folderOf({ "a.jsonl": "1\n", "a.NDJSON": "1\n" });
    for (const path of ["/dev/null", folder.path, `${folder.path}/a.jsonl`, `${folder.path}/a.NDJSON`, "none"]) {
      assertEquals(await quickly(path), undefined, path);
    }
  });

  it("leaves other options, other commands and standard input to the command line", async () => {
    using folder = folderOf({ "a.json": "1" });
    const path = `${folder.path}/a.json`;
    for (const args of [["--json"], ["--stats"], ["--jsonl"], ["-"], ["--"], ["-qr"], ["--quiet=no"]]) {
      assertEquals(await checkQuickly(["check", "-q", ...args, path]), undefined, `${args}`);
    }
    for (const args of [[], ["check"], ["bench"], ["bench", path], ["-q"], ["--version"]]) {
      assertEquals(await checkQuickly(args), undefined, `${args}`);
    }
  });
});

describe("check of small files", () => {
  const files = { "a.json": "[1]", "b.json": "[22]", "bad.json": "[" };

  it("prints the same as with an option that makes no difference", async () => {
    using folder = folderOf(files);
    for (const args of [["a.json"], ["check", "a.json", "b.json"], ["check", "-q", "a.json"], ["a.json", "bad.json"]]) {
      const [quick, slow] = await Promise.all([args, [...args, "--jobs=1"]].map((args) => runCli(folder.path, args)));
      assertEquals({ ...quick, stderr: withoutTime(quick.stderr) }, { ...slow, stderr: withoutTime(slow.stderr) });
    }
  });

  it("names a missing permission", async () => {
    if (isSkippedOutsideDeno("only Deno asks for permissions")) return;
    using folder = folderOf(files);
    const { code, stderr } = await runCli(folder.path, ["a.json"], { allow: [] });
    assertEquals([code, /--allow-read/.test(stderr)], [2, true]);
  });
});
