/**
 * Bugs that tests of public functions must find: each is a change of the source in one place.
 *
 * @module
 */

/** Bug: a replacement of source text that occurs once in a file. */
export interface PlantedBug {
  name: string;
  file: string;
  source: string;
  replacement: string;
}

function bug(name: string, file: string, source: string, replacement: string): PlantedBug {
  return { name, file: `parser/${file}`, source, replacement };
}

/** Bugs of caches, numbers, arrays, UTF-8, whitespace, the validator and selection. */
export const PLANTED_BUGS: PlantedBug[] = [
  bug(
    "key cache: last word not compared",
    "objects/key_cache.ts",
    "if (view.getInt32(p + size - 4, true) !== key.last) return false;",
    "",
  ),
  bug(
    "key cache: second word not compared",
    "objects/key_cache.ts",
    "if (size > 8 && view.getInt32(p + 4, true) !== key.second) return false;",
    "",
  ),
  bug(
    "key cache: third word not compared",
    "objects/key_cache.ts",
    "if (size > 12 && view.getInt32(p + 8, true) !== key.third) return false;",
    "",
  ),
  bug(
    "key cache: middle words not compared",
    "objects/key_cache.ts",
    "if (size > 16 && !matchesMiddle(key, view, p + 12)) return false;",
    "",
  ),
  bug(
    "key cache: one middle word too few",
    "objects/key_cache.ts",
    "end = start + (key.size - 13 >> 2)",
    "end = start + (key.size - 17 >> 2)",
  ),
  bug(
    "key cache: bytes not compared after equal hashes",
    "objects/key_cache.ts",
    "keys[slot].size === size && matches(keys[slot], view, p)",
    "keys[slot].size === size",
  ),
  bug(
    "key cache: size not compared after equal hashes",
    "objects/key_cache.ts",
    "keys[slot].size === size && matches",
    "matches",
  ),
  bug(
    "prediction: last word not compared",
    "document/parse_container.ts",
    "view.getInt32(p + size - 4, true) === predicted.last && (size <= 8 ||",
    "(size <= 8 ||",
  ),
  bug(
    "prediction: no bytes left for a value",
    "document/parse_container.ts",
    "size <= end - p - 2 && ((view",
    "size <= end - p && ((view",
  ),
  bug(
    "shape cache: keys not compared after equal hashes",
    "objects/shape_cache.ts",
    "!(shapes[slot].hash === hash && shapeMatches(slot, ids, base, top))",
    "!(shapes[slot].hash === hash && shapes[slot].count << 1 === top - base)",
  ),
  bug(
    "shape cache: last key not compared",
    "objects/shape_cache.ts",
    "i < start + count; i++, base += 2",
    "i < start + count - 1; i++, base += 2",
  ),
  bug("shape cache: an uncached key counts as one", "objects/shape_cache.ts", "if (ids[p] === 0) return null;", ""),
  bug(
    'constructors: "__proto__" not computed',
    "objects/generated_constructors.ts",
    "  return name === '\"__proto__\"' ? `[${name}]` : name;",
    "  return name;",
  ),
  bug(
    "string cache: middle not compared",
    "strings/string_cache.ts",
    "for (; start < last; start += 4, earlier += 4) {",
    "for (; start < last - 4; start += 4, earlier += 4) {",
  ),
  bug(
    "string cache: last word not compared",
    "strings/string_cache.ts",
    "if (view.getInt32(earlier + last - start, true) !== view.getInt32(last, true)) return false;",
    "",
  ),
  bug(
    "string cache: two characters by their slot",
    "strings/string_cache.ts",
    "cached.length === 2 && view.getInt32(l1Starts[slot] - 1, true) === token",
    "cached.length === 2",
  ),
  bug(
    "string cache: bytes not compared in L2",
    "strings/string_cache.ts",
    "if (cached !== null && equalTokens(view, l2Tokens[2 * slot + 1], start, end)) {",
    "if (cached !== null && cached.length === end - start) {",
  ),
  bug(
    "numbers: uncertain rounding accepted",
    "numbers/read_number.ts",
    "    if (!isHighWordExact(whole, lowDigits)) return 0;\n    high",
    "    high",
  ),
  bug("numbers: a digit too many in the low word", "numbers/read_number.ts", "whole < 10 ? 9 :", "whole < 10 ? 11 :"),
  bug(
    "numbers: fraction divided by one power too few",
    "numbers/read_number.ts",
    "value /= POWERS_OF_TEN[p - start];",
    "value /= POWERS_OF_TEN[Math.min(p - start, 14)];",
  ),
  bug(
    "numbers: sign of zero lost",
    "numbers/read_number.ts",
    "finishNumber(isNegative ? -whole : whole, p)",
    "finishNumber(isNegative && whole !== 0 ? -whole : whole, p)",
  ),
  bug("numbers: a leading zero accepted in a run", "numbers/number_runs.ts", "if (first > 0) {", "if (first >= 0) {"),
  bug(
    "arrays: one element too few at 33",
    "document/value_stack.ts",
    "  return copyRange(stack, base, top);",
    "  return copyRange(stack, base, top - base === 33 ? top - 1 : top);",
  ),
  bug(
    "arrays: merged segments miscounted",
    "document/value_stack.ts",
    "ids[base] = large << 2 * COUNT_BITS | merged << COUNT_BITS | single;",
    "ids[base] = large << 2 * COUNT_BITS | single;",
  ),
  bug(
    "arrays: of five to eight elements, one is wrong",
    "document/value_stack.ts",
    "s[b + 4], s[b + 5], s[b + 6]];",
    "s[b + 4], s[b + 4], s[b + 6]];",
  ),
  bug(
    "dictionary: prototype kept away",
    "objects/make_object.ts",
    "return setPrototypeOf(object, OBJECT_PROTOTYPE);",
    "return object;",
  ),
  bug("UTF-8: surrogates accepted", "strings/decode_string.ts", " || (unit & 0xf800) === 0xd800) break;", ") break;"),
  bug(
    "UTF-8: overlong forms of three bytes accepted",
    "strings/decode_string.ts",
    "unit < 0x800 || (unit &",
    "(unit &",
  ),
  bug("UTF-8: above U+10FFFF accepted", "strings/decode_string.ts", " || codePoint > 0x10ffff) break;", ") break;"),
  bug(
    "strings: scratch too small by a word",
    "strings/decode_string.ts",
    "    if (length > capacity) {\n      if (!growScratch(length, 1)) return failTooLong(start);",
    "    if (length > capacity + 6) {\n      if (!growScratch(length, 1)) return failTooLong(start);",
  ),
  bug(
    "whitespace: form feed accepted",
    "base/whitespace.ts",
    "if (c !== LINE_FEED && c !== CARRIAGE_RETURN) break;",
    "if (c !== LINE_FEED && c !== CARRIAGE_RETURN && c !== 0x0c) break;",
  ),
  bug(
    "whitespace: eight spaces overrun the end",
    "base/whitespace.ts",
    "const last = end - 8;",
    "const last = end - 4;",
  ),
  bug(
    "small input: a byte not wiped",
    "document/parse_document.ts",
    "for (let i = 0; i < size; i += 8) smallView.setFloat64(i, 0);",
    "for (let i = 0; i < size - 8; i += 8) smallView.setFloat64(i, 0);",
  ),
  bug(
    "literals: last letter of false not compared",
    "document/parse_container.ts",
    "view.getInt32(p + 1, true) === FALSE_TAIL",
    "(view.getInt32(p + 1, true) ^ FALSE_TAIL) << 8 === 0",
  ),
  bug("failures: column of a surrogate pair", "base/failure.ts", "column += 2; // a surrogate pair", "column++;"),
  bug(
    "validator: brackets beyond 30 levels",
    "validation/validator.ts",
    "export const WHOLE_WORD = 0x3fffffff;",
    "export const WHOLE_WORD = 0x7fffffff;",
  ),
  bug(
    "automaton: E0 followed by 9F accepted",
    "validation/token_dfa.ts",
    "allow(TWO_AFTER_E0, 0xa0,",
    "allow(TWO_AFTER_E0, 0x9f,",
  ),
  bug(
    "automaton: a sign twice",
    "validation/token_dfa.ts",
    "allow(EXPONENT_MARK, sign, sign, EXPONENT_SIGN)",
    "(allow(EXPONENT_MARK, sign, sign, EXPONENT_SIGN), allow(EXPONENT_SIGN, sign, sign, EXPONENT_SIGN))",
  ),
  bug(
    "selection: names hashed, not compared",
    "wanted/name_table.ts",
    "    for (let i = length - 1; i >= 0; i--) if (table.bytes[p + i] !== bytes[start + i]) continue search;\n",
    "",
  ),
  bug(
    "selection: last word of a gap not compared",
    "wanted/whole_walker.ts",
    "if (view.getInt32(p + last, true) === words[predicted + LAST]) {",
    "if (last > 0) {",
  ),
  bug(
    "selection: a member that was left out stays",
    "wanted/whole_walker.ts",
    "        values[member] = MISSING;\n        found &= ~(1 << member);\n",
    "",
  ),
  bug(
    "skipping: closing brackets not told apart",
    "validation/skip_container.ts",
    "if (state !== AFTER_ELEMENT + isObject && state !== FIRST_VALUE + KEY * isObject) break;",
    "if (state < AFTER_ELEMENT && state !== FIRST_VALUE + KEY * isObject) break;",
  ),
  bug(
    "skipping: a comma before a closing bracket accepted",
    "validation/skip_container.ts",
    "      state = KEY * (brackets & 1);\n      p = p + 1 | 0;\n      continue;",
    "      state = FIRST_VALUE + KEY * (brackets & 1);\n      p = p + 1 | 0;\n      continue;",
  ),
  bug(
    "options: a failed value goes on with the next",
    "streaming/parser_state.ts",
    "  if (keeper !== null) resetValueKeeper(keeper);\n",
    "",
  ),
  bug(
    "options: a sign anywhere in a guarded number",
    "guarded/input_guard.ts",
    "(byte === PLUS || byte === MINUS) && state === EXPONENT_MARK) state = EXPONENT;",
    "byte === PLUS || byte === MINUS) continue;",
  ),
  bug(
    "options: bytes after a value with BigInts accepted",
    "guarded/parse_guarded.ts",
    "parseExactly(bytes, view, start, total, guards) === total",
    "parseExactly(bytes, view, start, total, guards) > 0",
  ),
];
