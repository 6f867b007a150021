/** Recognition of engines, in `parser/engine/recognition.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isJavaScriptCore, isSpiderMonkey } from "../../../parser/engine/recognition.ts";
import { withGlobals } from "../../support/modules.ts";

describe("isJavaScriptCore() and isSpiderMonkey()", () => {
  const rows: { engine: string; properties: object; expected: [boolean, boolean] }[] = [
    { engine: "V8", properties: {}, expected: [false, false] },
    { engine: "JavaScriptCore", properties: { line: 1, column: 1, sourceURL: "" }, expected: [true, false] },
    { engine: "SpiderMonkey", properties: { fileName: "", lineNumber: 1, columnNumber: 1 }, expected: [false, true] },
  ];
  for (const { engine, properties, expected } of rows) {
    it(`recognise the errors of ${engine}`, async () => {
      class EngineError extends Error {
        constructor() {
          super();
          Object.assign(this, properties);
        }
      }
      await withGlobals({ Error: EngineError }, async () => {
        assertEquals(await Promise.all([isJavaScriptCore(), isSpiderMonkey()]), expected);
      });
    });
  }
});
