/** Recognition of engines, in `parser/engine/recognition.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isJavaScriptCore, isSpiderMonkey } from "../../../parser/engine/recognition.ts";
import { withGlobals } from "../../support/modules.ts";

describe("isJavaScriptCore() and isSpiderMonkey()", () => {
  const rows: [engine: string, properties: object, expected: [boolean, boolean]][] = [
    ["V8", {}, [false, false]],
    ["JavaScriptCore", { line: 1, column: 1, sourceURL: "" }, [true, false]],
    ["SpiderMonkey", { fileName: "", lineNumber: 1, columnNumber: 1 }, [false, true]],
  ];
  for (const [engine, properties, expected] of rows) {
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
