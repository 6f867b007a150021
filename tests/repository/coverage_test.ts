/** Reports of `deno task test coverage`, in `tools/coverage.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { exemptLines, ranges, readReports } from "../../tools/coverage.ts";

describe("exemptLines()", () => {
  it("exempts the line of a comment behind code, or the block around it, for a reason", () => {
    const block = "a();\nif (b) {\n  // not covered: no reason\n  c();\n\n  if (d) {\n    e();\n  }\n}\nf();\n";
    assertEquals([...exemptLines(block)], [2, 3, 4, 5, 6, 7, 8, 9]);
    assertEquals([...exemptLines("a();\nb(); // not covered: no reason\nc();\n")], [2]);
    assertEquals([...exemptLines("a(); // not covered:\nb(); // covered\n")], []);
  });
});

describe("readReports()", () => {
  const file = new URL(import.meta.url).pathname;
  const folder = file.replace(/[^/]*$/, "");

  it("counts lines and branches, and finds those not reached", () => {
    const lcov = `SF:${file}\nDA:1,3\nDA:2,0\nDA:3,1\nBRDA:3,1,0,0\nBRDA:3,1,1,4\nend_of_record\n`;
    const [report, ...others] = readReports(lcov, folder);
    assertEquals(others, []);
    assertEquals(report, {
      file: "coverage_test.ts",
      lines: 3,
      linesReached: 2,
      branches: 2,
      branchesReached: 1,
      missed: new Set([2, 3]),
    });
  });
});

describe("ranges()", () => {
  it("joins numbers that follow each other", () => {
    assertEquals(ranges([1, 3, 4, 5, 9, 10]), "1, 3-5, 9-10");
    assertEquals(ranges([]), "");
  });
});
