/**
 * Reasons for code that is written by hand although @std has a package for it. A test that fails
 * after an update of @std says that the reason is gone.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import { parseArgs } from "@std/cli/parse-args";
import { format as formatBytes } from "@std/fmt/bytes";
import { getColorEnabled, setColorEnabled } from "@std/fmt/colors";
import { format as formatDuration } from "@std/fmt/duration";
import { describe, it } from "@std/testing/bdd";
import { projectRoot } from "../support/environment.ts";

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
    const { imports } = JSON.parse(Deno.readTextFileSync(new URL("imports.npm.json", projectRoot)));
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
});

describe("setColorEnabled() of @std/fmt/colors", () => {
  it("turns no colour on while NO_COLOR is set", () => {
    if (!Deno.noColor) return console.log("skipped: NO_COLOR is not set");
    setColorEnabled(true);
    assertEquals(getColorEnabled(), false);
  });
});
