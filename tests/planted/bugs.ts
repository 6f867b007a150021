/** Bugs that tests of public functions must find: each is a change of the source in one place. */

const filesOf = (folder: string, names: string): string[] =>
  names.split(" ").map((name) => `${folder}/${name}_test.ts`);

/** Tests of public functions, cheap ones first. */
export const PUBLIC_TESTS: string[] = [
  "tests/fuzz/fuzz_test.ts",
  ...filesOf("tests/parser/document", "parse_document successive_calls"),
  ...filesOf("tests/parser", "objects/key strings/read_string selection/read_selected"),
  ...filesOf("tests/parser/validation", "validator token_dfa"),
  ...filesOf("tests/library", "parse_binary failure guard_options matrix several_values select filter push_readers"),
  ...filesOf("tests/library", "guards pointer sources parse_stream binary_parser validate_binary differential"),
];

/** Bug: a replacement of source text that occurs once in a file. */
export interface PlantedBug {
  name: string;
  file: string;
  source: string;
  replacement: string;
}

/** Bugs by file: a name, the lines that go, and those that come. */
const TEXT = String.raw`
# parser/objects/key_cache.ts
key cache: last word not compared
-if (view.getInt32(p + size - 4, true) !== key.last) return false;
key cache: second word not compared
-if (size > 8 && view.getInt32(p + 4, true) !== key.second) return false;
key cache: third word not compared
-if (size > 12 && view.getInt32(p + 8, true) !== key.third) return false;
key cache: middle words not compared
-if (size > 16 && !matchesMiddle(key, view, p + 12)) return false;
key cache: one middle word too few
-end = start + (key.size - 13 >> 2)
+end = start + (key.size - 17 >> 2)
key cache: bytes not compared after equal hashes
-keys[slot].size === size && matches(keys[slot], view, p)
+keys[slot].size === size
# parser/document/parse_container.ts
prediction: last word not compared
-view.getInt32(p + size - 4, true) === predicted.last && (size <= 8 ||
+(size <= 8 ||
prediction: no bytes left for a value
-size <= end - p - 2 && ((view
+size <= end - p && ((view
literals: last letter of false not compared
-view.getInt32(p + 1, true) === FALSE_TAIL
+(view.getInt32(p + 1, true) ^ FALSE_TAIL) << 8 === 0
# parser/objects/shape_cache.ts
shape cache: keys not compared after equal hashes
-!(shapes[slot].hash === hash && shapeMatches(slot, ids, base, top))
+!(shapes[slot].hash === hash && shapes[slot].count << 1 === top - base)
shape cache: last key not compared
-i < start + count; i++, base += 2
+i < start + count - 1; i++, base += 2
shape cache: an uncached key counts as one
-if (ids[p] === 0) return null;
# parser/objects/generated_constructors.ts
constructors: "__proto__" not computed
-quoted === '"__proto__"' ?
+quoted === "" ?
# parser/streaming/read_values.ts
filtered lines: one not counted
-state.count++;
filtered lines: one that goes on behind a line end
-bytes[end] !== LINE_FEED || !isOnOneLine(state)
+bytes[end] !== LINE_FEED
# parser/strings/string_cache.ts
string cache: middle not compared
-for (; start < last; start += 4, earlier += 4) {
+for (; start < last - 4; start += 4, earlier += 4) {
string cache: last word not compared
-if (view.getInt32(earlier + last - start, true) !== view.getInt32(last, true)) return false;
string cache: two characters by their slot
-cached.length === 2 && view.getInt32(l1Starts[slot] - 1, true) === token
+cached.length === 2
string cache: bytes not compared in L2
-if (cached !== null && equalTokens(view, l2Tokens[2 * slot + 1], start, end)) {
+if (cached !== null && cached.length === end - start) {
# parser/numbers/read_number.ts
numbers: uncertain rounding accepted
-    if (!isHighWordExact(whole, lowDigits)) return 0;
-    high
+    high
numbers: a digit too many in the low word
-whole < 10 ? 9 :
+whole < 10 ? 11 :
numbers: fraction divided by one power too few
-value /= POWERS_OF_TEN[p - start];
+value /= POWERS_OF_TEN[Math.min(p - start, 14)];
numbers: sign of zero lost
-finishNumber(isNegative ? -whole : whole, p)
+finishNumber(isNegative && whole !== 0 ? -whole : whole, p)
# parser/numbers/number_runs.ts
numbers: a leading zero accepted in a run
-if (first > 0) {
+if (first >= 0) {
# parser/document/value_stack.ts
arrays: one element too few at 33
-  return stack.slice(base, top);
+  return stack.slice(base, top - base === 33 ? top - 1 : top);
arrays: merged segments miscounted
-counts += (1 << shift + COUNT_BITS) - (count << shift);
+counts -= count << shift;
arrays: of five to eight elements, one is wrong
-s[b + 4], s[b + 5], s[b + 6]];
+s[b + 4], s[b + 4], s[b + 6]];
# parser/objects/make_object.ts
dictionary: prototype kept away
-return Object.setPrototypeOf(object, OBJECT_PROTOTYPE);
+return object;
# parser/strings/read_string.ts
UTF-8: surrogates accepted
- || (unit & 0xf800) === 0xd800) break;
+) break;
UTF-8: overlong forms of three bytes accepted
-unit < 0x800 || (unit &
+(unit &
UTF-8: above U+10FFFF accepted
- || codePoint > 0x10ffff) break;
+) break;
strings: scratch too small by a word
-    if (length > capacity) {
-      if (!growScratch(length, 1)) return failTooLong(start);
+    if (length > capacity + 6) {
+      if (!growScratch(length, 1)) return failTooLong(start);
# parser/base/whitespace.ts
whitespace: form feed accepted
-if (c !== LINE_FEED && c !== CARRIAGE_RETURN) break;
+if (c !== LINE_FEED && c !== CARRIAGE_RETURN && c !== 0x0c) break;
whitespace: eight spaces overrun the end
-const last = end - 8;
+const last = end - 4;
# parser/document/parse_document.ts
options: bytes after a value with BigInts accepted
-parseRecursively(bytes, view, p, end, numbers) === end
+parseRecursively(bytes, view, p, end, numbers) > 0
small input: a byte not wiped
-for (let i = 0; i < size; i += 8) smallView.setFloat64(i, 0);
+for (let i = 0; i < size - 8; i += 8) smallView.setFloat64(i, 0);
# parser/base/line_counter.ts
failures: column of a surrogate pair
-byte < 0xc0 ? 1 : byte >= 0xf0 ? -1 : 0
+byte < 0xc0 ? 1 : 0
# parser/validation/validator.ts
validator: brackets beyond 30 levels
-export const WHOLE_WORD = 0x3fffffff;
+export const WHOLE_WORD = 0x7fffffff;
# parser/validation/token_dfa.ts
automaton: E0 followed by 9F accepted
-allow(TWO_AFTER_E0, 0xa0,
+allow(TWO_AFTER_E0, 0x9f,
automaton: a sign twice
-allow(EXPONENT_MARK, sign, sign, EXPONENT_SIGN)
+(allow(EXPONENT_MARK, sign, sign, EXPONENT_SIGN), allow(EXPONENT_SIGN, sign, sign, EXPONENT_SIGN))
# parser/selection/name_table.ts
selection: names hashed, not compared
-    for (let i = length - 1; i >= 0; i--) if (table.bytes[p + i] !== bytes[start + i]) continue search;
# parser/selection/whole_walker.ts
selection: last word of a gap not compared
-if (view.getInt32(p + last, true) === words[predicted + LAST]) {
+if (last > 0) {
selection: a member that was left out stays
-        values[member] = MISSING;
-        found &= ~(1 << member);
# parser/validation/skip_container.ts
skipping: closing brackets not told apart
-if (state !== AFTER_ELEMENT + isObject && state !== stateAfterOpening(isObject)) break;
+if (state < AFTER_ELEMENT && state !== stateAfterOpening(isObject)) break;
skipping: a comma before a closing bracket accepted
-      state = stateAfterComma(brackets & 1);
-      p = p + 1 | 0;
-      continue;
+      state = stateAfterOpening(brackets & 1);
+      p = p + 1 | 0;
+      continue;
# parser/streaming/value_readers.ts
options: a failed value goes on with the next
-  if (buffered !== null) buffered.validatedTo = NOWHERE;
# parser/options/input_guard.ts
options: a sign anywhere in a guarded number
-(byte === PLUS || byte === MINUS) && state === EXPONENT_MARK) state = EXPONENT;
+byte === PLUS || byte === MINUS) continue;
# parser/objects/changed_object.ts
options: the last of equal names kept by a constructor
-(guardFlags.watched & CHANGING) === 0
+(guardFlags.watched & DROPS_PROTO) === 0
`;

/** Reads the bugs of a text. */
function bugsOf(text: string): PlantedBug[] {
  return text.trim().split(/^# /m).slice(1).flatMap((part) => {
    const [file, ...lines] = part.trimEnd().split("\n");
    const starts = lines.flatMap((line, i) => /^[-+]/.test(line) ? [] : [i]);
    return starts.map((start, i) => {
      const changes = lines.slice(start + 1, starts[i + 1]);
      const side = (sign: string): string =>
        changes.filter((line) => line.startsWith(sign)).map((line) => line.slice(1)).join("\n");
      return { name: lines[start], file, source: side("-"), replacement: side("+") };
    });
  });
}

/** Bugs of caches, numbers, arrays, UTF-8, whitespace, the validator and selection. */
export const PLANTED_BUGS: PlantedBug[] = bugsOf(TEXT);

/** Plants a bug in the source of its file. Throws if its place is not there exactly once. */
export function planted({ name, file, source, replacement }: PlantedBug, text: string): string {
  const parts = text.split(source);
  if (parts.length !== 2) throw new Error(`Cannot plant "${name}": its source text is not in ${file} exactly once`);
  return parts.join(replacement);
}
