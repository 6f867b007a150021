import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { describeFailure } from "../../parser/failure.ts";
import { countLines } from "../../parser/line_counter.ts";
import { countPendingReturn, failureAtOffset, newMachine } from "../../parser/validator.ts";
import { utf8 } from "../support/bytes.ts";

describe("countLines()", () => {
  it("counts no byte twice, and none of an empty range", () => {
    const bytes = utf8("a\nb\n");
    const machine = newMachine(false, false);
    const view = new DataView(bytes.buffer);
    countLines(machine, bytes, view, 0, 0, 2);
    countLines(machine, bytes, view, 0, 2, 2);
    assertEquals([machine.lines, machine.lineStart], [1, 2]);
  });

  for (
    const text of [
      "a\nb",
      "é\n中😀",
      `${"x".repeat(600)}é\n${"y".repeat(2_000)}`,
      `${"a\n".repeat(600)}é${"a\n".repeat(300)}`,
      "a\rb\r\nc\r",
      "\r\r\n\n",
      "x".repeat(1_100) + "\n\n",
      "中\n".repeat(400) + "é",
    ]
  ) {
    it(`finds the place that describeFailure() does, after ${JSON.stringify(text.slice(0, 20))}, cut anywhere`, () => {
      const bytes = utf8(`${text}]`);
      const offset = bytes.length - 1;
      const expected = describeFailure(bytes, "unexpected-token", offset);
      const step = Math.ceil(bytes.length / 40);
      for (let cut = 0; cut <= offset; cut += step) {
        const machine = newMachine(false, false);
        const view = new DataView(bytes.buffer);
        countLines(machine, bytes, view, 0, 0, cut);
        countLines(machine, bytes, view, 0, cut, offset);
        countPendingReturn(machine, offset, bytes[offset]);
        assertEquals(failureAtOffset(machine, offset, "unexpected-token", bytes[offset]), expected, `cut at ${cut}`);
      }
    });
  }
});
