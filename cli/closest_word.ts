/**
 * Suggestions for mistyped words. Loaded only after such an error.
 *
 * Not `closestString` of @std/text: it always finds a word, however far, and counts two letters in
 * the wrong order as two errors. `tests/repository/std_packages_test.ts` tells when it no longer
 * does.
 */

/**
 * Returns the known word that a mistyped one is closest to: the only one that begins with it, or
 * the one with the fewest typing errors, if those are few for its length.
 */
export function closestWord(typed: string, known: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const letters = word.replace(/^-+/, "").length;
  // A long word is near no known one, and would take long to compare.
  if (letters < 2 || letters > 30) return undefined;
  const completed = known.filter((candidate) => candidate.toLowerCase().startsWith(word));
  if (completed.length === 1) return completed[0];
  let closest: string | undefined;
  let fewest = Math.max(1, Math.floor(letters / 3)) + 1;
  for (const candidate of known) {
    const errors = typingErrors(word, candidate.toLowerCase());
    if (errors < fewest) [closest, fewest] = [candidate, errors];
  }
  return closest;
}

/**
 * Counts the typing errors between two words: letters missing, added, replaced, or swapped with the
 * next one (optimal string alignment distance).
 */
function typingErrors(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, replaced);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length];
}
