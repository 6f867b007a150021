/** Check of small files without options, which decides by fewer modules, as the validator does. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { validateBinary } from "../../mod.ts";
import { fromHex, show, utf8 } from "../support/bytes.ts";
import { itInProcess, runCli, withoutTime } from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";
import { randomDocument } from "../support/random_documents.ts";
import { corrupt } from "../support/mutations.ts";
import { withSeedsAsync } from "../support/random.ts";

const BOM = "\ufeff";

describe("check of small files", () => {
  const documents: Record<string, Uint8Array> = {
    "an empty file": utf8(),
    "white space": utf8(" \n"),
    "a byte-order mark": utf8(BOM, "[1]"),
    "two byte-order marks": utf8(BOM, BOM, "[1]"),
    "nothing but a byte-order mark": utf8(BOM),
    "a byte-order mark in a string": utf8(`["${BOM}"]`),
    "a byte-order mark of UTF-16": fromHex("fffe5b005d00"),
    "a byte that is no UTF-8": fromHex("22ff22"),
    "a surrogate in UTF-8": fromHex("22eda08022"),
    "an overlong slash": fromHex("22c0af22"),
    "half a character": fromHex("22e282"),
    "the escape of half a surrogate pair": utf8('"\\ud800"'),
    "a number beyond double": utf8("[1e999,-1e999]"),
    "a key called __proto__": utf8('{"__proto__":1,"__proto__":{}}'),
    "twenty thousand levels": utf8("[".repeat(20_000), "]".repeat(20_000)),
    "beyond 64 KiB": utf8(`[${" ".repeat(2 ** 16)}]`),
  };

  /** Asserts that a file is found valid, and an option that makes no difference changes nothing. */
  async function assertSame(bytes: Uint8Array): Promise<void> {
    using folder = folderOf({ "a.json": bytes, "b.json": "[22]" });
    const [one, slow, two] = await Promise.all(
      ["a.json", "a.json --max-errors=20", "a.json b.json"].map(async (args) => {
        const run = await runCli(folder.path, ["check", ...args.split(" ")]);
        return { ...run, stderr: withoutTime(run.stderr) };
      }),
    );
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe; // which is transcoded
    const code = isUtf16 || validateBinary(bytes).ok ? 0 : 1;
    assertEquals([one.code, two.code], [code, code], show(bytes));
    assertEquals(one, slow);
  }

  for (const [name, bytes] of Object.entries(documents)) {
    it(`decides about ${name} as validateBinary() does`, () => assertSame(bytes));
  }

  const manifests: Record<string, number> = {
    '{"a": 1, "b": {"a": [{"a": 1}, ":"], "c:": "\\"a\\":"}}': 0,
    '{"a": 1, "b": [{"c": 1, "\\u0063": 2}]}': 1,
    '{"__proto__": 1, "__proto__" : 2}': 1,
  };
  for (const [manifest, code] of Object.entries(manifests)) {
    it(`finds ${code === 0 ? "no" : "a"} name twice in the package.json ${manifest}`, async () => {
      using folder = folderOf({ "package.json": manifest });
      for (const args of ["package.json", "package.json --max-errors=20"]) {
        assertEquals((await runCli(folder.path, ["check", "-q", ...args.split(" ")])).code, code, args);
      }
    });
  }

  itInProcess("decides about random documents as validateBinary() does", async () => {
    await withSeedsAsync(50, async (random) => {
      const bytes = utf8(randomDocument(random));
      for (const document of [bytes, ...Array.from({ length: 4 }, () => corrupt(random, bytes))]) {
        await assertSame(document);
      }
    });
  });
});
