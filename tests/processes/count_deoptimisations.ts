/**
 * Child process that parses documents of all kinds in turn. Prints a line once it is warm, through
 * V8, so that the line stands at its place among those of `--trace-deopt`.
 *
 *     count_deoptimisations.ts WARM_LINE KIND…
 *
 * Needs the V8 flag `--allow-natives-syntax`.
 */

import { generate, type Kind } from "../../bench/support/documents.ts";
import { parseBinary } from "../../parse_binary.ts";

/** Bytes of a document. */
const DOCUMENT_BYTES = 100_000;
/** Bytes parsed until every function is compiled for good, and the least milliseconds they take. */
const WARM_UP_BYTES = 90_000_000;
const WARM_UP_MILLISECONDS = 1500;
/** Bytes parsed after that. */
const MEASURED_BYTES = 30_000_000;

const [warmLine, ...kinds] = Deno.args;
const documents = kinds.map((kind) => generate(kind as Kind, DOCUMENT_BYTES));

/** Parses all documents in turn until so many bytes and milliseconds have gone by. */
function parse(bytes: number, milliseconds: number): void {
  const start = performance.now();
  while (bytes > 0 || performance.now() - start < milliseconds) {
    for (const document of documents) {
      if (!parseBinary(document).ok) throw new Error("A generated document was rejected");
      bytes -= document.length;
    }
  }
}

parse(WARM_UP_BYTES, WARM_UP_MILLISECONDS);
new Function(`%GlobalPrint(${JSON.stringify(`\n${warmLine}\n`)})`)();
parse(MEASURED_BYTES, 0);
