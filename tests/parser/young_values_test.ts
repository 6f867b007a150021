/** Tests of where V8 keeps the values of large inputs, in processes of their own. */

import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runDeno } from "../support/environment.ts";

describe("values of large documents", () => {
  it("stay in the young generation, one document after the other", async () => {
    const { success, output } = await runDeno(["run", "tests/processes/parse_large_documents.ts"]);
    const [, size, grown] = /(\d+) bytes a document, grown by (\d+) bytes\n$/.exec(output) ?? [];
    assert(success && Number(grown) < Number(size), output);
  });
});
