/**
 * Accessors that a program has defined on `Array.prototype`: a store beyond the end of an array
 * calls them.
 *
 * @module
 */

/** First index with an accessor: the tests' own short arrays have none. */
const FIRST_INDEX = 50;
const INDEXES = Array.from({ length: 1100 }, (_, i) => i + FIRST_INDEX);

/**
 * Returns documents that fill the parser's stack to its end: containers of `lengths`, and nests.
 */
export function fillingDocuments(lengths: number[]): unknown[] {
  const documents: unknown[] = lengths.flatMap((length) => {
    const array = Array.from({ length }, (_, i) => [{ a: i }, "b", [i, "c", i]][i % 3]);
    const numbers = array.map((_, i) => i);
    return [array, Object.fromEntries(array.map((value, i) => [`key ${i}`, value])), numbers, [...numbers, "a"]];
  });
  documents.push(JSON.parse('{"a":'.repeat(90) + "1" + "}".repeat(90)));
  documents.push(JSON.parse("[[],".repeat(90) + "1" + "]".repeat(90)));
  const strings = Array.from({ length: 320 }, () => "a");
  const numbers = Array.from({ length: 60 }, () => 1);
  documents.push([...numbers, ...strings, [...numbers, ...strings, [...numbers, ...strings, [...strings]]]]);
  documents.push([...strings, [...strings, [...strings, [...strings]]]]);
  return documents;
}

/** Calls `body` while there are accessors. Returns the indexes that were stored to through them. */
export function storesThroughAccessors(body: () => void): number[] {
  const found: number[] = [];
  for (const index of INDEXES) {
    const set = (): void => void found.push(index);
    Object.defineProperty(Array.prototype, index, { get: () => "inherited", set, configurable: true });
  }
  try {
    body();
  } finally {
    for (const index of INDEXES) Reflect.deleteProperty(Array.prototype, index);
  }
  return found;
}
