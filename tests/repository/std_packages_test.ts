/**
 * Reasons for own code where @std has a package for it: each file of that code names its own. A test
 * that fails after an update of @std says that the reason is gone.
 */

import { assertEquals, assertRejects } from "@std/assert";
import { parseArgs } from "@std/cli/parse-args";
import { format as formatBytes } from "@std/fmt/bytes";
import { format as formatDuration } from "@std/fmt/duration";
import { DelimiterStream } from "@std/streams/delimiter-stream";
import { describe, it } from "@std/testing/bdd";
import { closestString } from "@std/text/closest-string";
import { closestWord } from "../../parser/base/closest_word.ts";
import { utf8 } from "../support/bytes.ts";
import { projectRoot, runDeno } from "../support/environment.ts";

const { imports } = JSON.parse(Deno.readTextFileSync(new URL("imports.npm.json", projectRoot)));

/** Reads a command line of `check` and `bench` in the way closest to theirs. */
function parse(...args: string[]): Record<string, unknown> {
  const { _, quiet, jobs, svg } = parseArgs(args, {
    boolean: ["quiet"],
    string: ["_", "jobs", "svg"],
    alias: { q: "quiet", j: "jobs" },
  });
  return { operands: _, quiet, jobs, svg };
}

describe("parseArgs() of @std/cli", () => {
  it("takes a file called true for the value of a switch", () => {
    assertEquals(parse("-q", "true"), { operands: [], quiet: true, jobs: undefined, svg: undefined });
  });

  it("takes no dash for a value", () => {
    assertEquals(parse("--svg", "-"), { operands: ["-"], quiet: false, jobs: undefined, svg: "" });
  });

  it("takes a value for a switch", () => {
    assertEquals(parse("--quiet=no").quiet, true);
  });

  it("does not separate a switch from a flag with a value", () => {
    assertEquals(parse("-qj4"), { operands: [], quiet: "j4", jobs: undefined, svg: undefined });
  });
});

describe("unicodeWidth() of @std/cli", () => {
  it("cannot be loaded from npm, where its table is missing", async () => {
    const path = imports["@std/cli/parse-args"].replace("parse_args", "unicode_width");
    await assertRejects(() => import(path), TypeError, "_data.json");
  });
});

describe("format() of @std/fmt/bytes", () => {
  it("writes kiB", () => {
    assertEquals(formatBytes(183_313, { binary: true }), "179 kiB");
  });

  it("rounds a number of bytes", () => {
    assertEquals(formatBytes(1023, { binary: true }), "1020 B");
  });

  it("has fixed decimals only with the separators of a locale", () => {
    const options = { binary: true, minimumFractionDigits: 1, maximumFractionDigits: 1 };
    assertEquals(formatBytes(1023.5 * 1024, { ...options, locale: "en" }), "1,023.5 kiB");
    assertEquals(formatBytes(1023.5 * 1024, { ...options, locale: "de" }), "1.023,5 kiB");
  });
});

describe("format() of @std/fmt/duration", () => {
  it("has no decimals", () => {
    assertEquals(formatDuration(0.5029, { ignoreZero: true }), "502µs 900ns");
  });

  it("begins a time with colons with its days", () => {
    assertEquals(formatDuration(750_000, { style: "digital", ignoreZero: true }), "00:00:12:30");
  });
});

describe("setColorEnabled() of @std/fmt/colors", () => {
  it("turns no colour on while NO_COLOR is set", async () => {
    const program = `import { red, setColorEnabled } from ${JSON.stringify(imports["@std/fmt/colors"])};
      setColorEnabled(true);
      console.log(red("x"));`;
    const { output } = await runDeno(["eval", "--no-config", program], { NO_COLOR: "1" });
    assertEquals(output, "x\n");
  });
});

describe("DelimiterStream of @std/streams", () => {
  it("leaves carriage returns and blank lines in", async () => {
    const lines = ReadableStream.from([utf8("1\r\n\n2\n")]).pipeThrough(new DelimiterStream(utf8("\n")));
    assertEquals(await Array.fromAsync(lines), [utf8("1\r"), utf8(""), utf8("2"), utf8("")]);
  });
});

describe("closestString() of @std/text", () => {
  const COMMANDS = ["check", "select", "bench", "each"];

  it("finds a word that is far, too", () => {
    assertEquals([closestString("xylophone", COMMANDS), closestWord("xylophone", COMMANDS)], ["check", undefined]);
  });

  it("takes letters in the wrong order for two errors", () => {
    const words = ["axbd", "abcd"];
    assertEquals([closestString("abdc", words), closestWord("abdc", words)], ["axbd", "abcd"]);
  });
});
