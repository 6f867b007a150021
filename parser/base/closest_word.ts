/**
 * Suggestions for mistyped words: commands, and names of options.
 *
 * Not `closestString` of @std/text: it always finds a word, even a distant one, and counts two
 * letters in the wrong order as two errors. `tests/repository/std_packages_test.ts` fails when it
 * no longer does.
 */

/**
 * Returns the known word that a mistyped one is closest to: the only one that begins with it, or
 * the one with the fewest typing errors, if those are few for its length.
 */
export function closestWord(typed: string, known: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const letters = word.replace(/^-+/, "").length;
  // A long word is not close to any known one, and would take long to compare.
  if (letters < 2 || letters > 30) return undefined;
  let closest: string | undefined;
  let minErrors = Math.max(1, Math.floor(letters / 3)) + 1;
  let completed: string | undefined;
  let completions = 0;
  for (let i = 0; i < known.length; i++) {
    const candidate = known[i].toLowerCase();
    if (candidate.startsWith(word)) {
      completed = known[i];
      completions++;
    }
    const errors = typingErrors(word, candidate);
    if (errors < minErrors) {
      closest = known[i];
      minErrors = errors;
    }
  }
  return completions === 1 ? completed : closest;
}

/**
 * Counts the typing errors between two words: letters missing, added, replaced, or swapped with the
 * next one (optimal string alignment distance).
 */
function typingErrors(a: string, b: string): number {
  const width = b.length + 1;
  const errors = new Uint16Array((a.length + 1) * width); // a row for each beginning of `a`
  for (let j = 1; j < width; j++) errors[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const row = i * width;
    errors[row] = i;
    for (let j = 1; j < width; j++) {
      const above = row + j - width;
      const replaced = errors[above - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? errors[above - width - 2] + 1 : replaced;
      errors[row + j] = Math.min(errors[above] + 1, errors[row + j - 1] + 1, replaced, swapped);
    }
  }
  return errors[a.length * width + b.length];
}
