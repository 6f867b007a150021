/**
 * Parses documents of 6 MB, one after the other, and prints by how many bytes the old generation
 * grew during the later ones.
 *
 * @module
 */

import { getHeapSpaceStatistics } from "node:v8";
import { parseBinary } from "../../mod.ts";

const DOCUMENTS = 16;
const RECORDS = 40_000;

/** Bytes in use outside the young generation. */
function oldBytes(): number {
  return getHeapSpaceStatistics().reduce(
    (sum, { space_name, space_used_size }) => sum + (space_name.startsWith("old_") ? space_used_size : 0),
    0,
  );
}

const record = (_: unknown, i: number): unknown => ({
  id: i,
  name: `record ${i}`,
  location: [i / 7, i / 9],
  tags: [`tag ${i}`],
  nested: { comment: `comment number ${i} of many` },
});
const bytes = new TextEncoder().encode(JSON.stringify(Array.from({ length: RECORDS }, record)));

/** Parses the document, and returns by how many bytes that made the old generation grow. */
function growthOfParse(): number {
  const before = oldBytes();
  const result = parseBinary(bytes);
  if (!result.ok) throw new Error(result.message);
  return Math.max(0, oldBytes() - before);
}

let grown = 0;
for (let i = 0; i < DOCUMENTS; i++) {
  const growth = growthOfParse();
  if (i >= DOCUMENTS / 2) grown += growth;
  await new Promise((resolve) => setTimeout(resolve));
}
console.log(`${bytes.length} bytes a document, grown by ${grown} bytes`);
