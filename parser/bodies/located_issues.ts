/** Issues of a schema, with their locations in the bytes of the value. */

import { defineElement } from "../engine/arrays.ts";
import { escapeToken } from "../selection/compile_mask.ts";
import { locateDocument, type NoPlace, type Place } from "../selection/locate_document.ts";
import { compilePointers } from "../selection/pointers.ts";
import type { LocatedIssue, SchemaFailure } from "./body_failure.ts";
import type { SchemaIssue } from "./standard_schema.ts";

/** Maximum number of issues that are located. A schema may find one for every second byte. */
const MAX_ISSUES = 1000;

/** Location of a value that is not found, because the bytes have changed meanwhile. */
const NO_PLACE = /* @__PURE__ */ Object.freeze({ start: 0, end: 0, line: 1, column: 1 });

/**
 * Makes the failure of a value with issues. Reads the bytes once for all issues, and once more if
 * a path misses more than its last name.
 *
 * @param isFirst Whether the first of members with the same name counts, not the last.
 */
export function schemaFailure(bytes: Uint8Array, issues: readonly SchemaIssue[], isFirst: boolean): SchemaFailure {
  const issueCount = issues.length;
  const count = Math.min(issueCount, MAX_ISSUES);
  const paths: string[][] = [];
  const pointers: string[][] = [];
  for (let i = 0; i < count; i++) {
    const tokens = namesOf(issues[i].path);
    defineElement(paths, i, tokens);
    defineElement(pointers, i, tokens);
  }
  for (let i = 0; i < count; i++) defineElement(pointers, count + i, beginningOf(paths[i], paths[i].length - 1));
  const places = locateAll(bytes, pointers, isFirst);

  // Issues whose parent is missing, too, have the location of the nearest ancestor that exists.
  const missing: number[] = [];
  const rest: string[][] = [];
  for (let i = 0; i < count; i++) {
    const place = places[i];
    if (place === undefined || place.found || places[count + i].found) continue;
    defineElement(missing, missing.length, i);
    defineElement(rest, rest.length, beginningOf(paths[i], place.depth));
  }
  const outer = rest.length === 0 ? [] : locateAll(bytes, rest, isFirst);
  for (let i = 0; i < outer.length; i++) defineElement(places, missing[i], outer[i]);

  const located: LocatedIssue[] = [];
  for (let i = 0; i < count; i++) {
    defineElement(located, i, locatedIssue(issues[i], paths[i], places[i], places[count + i]));
  }
  const place = count === 0 ? "" : ` (line ${located[0].line} column ${located[0].column})`;
  const message = `Value does not conform to the schema${place}`;
  return { ok: false, code: "schema", message, status: 422, issues: located, issueCount };
}

function locatedIssue(
  issue: SchemaIssue,
  path: string[],
  inner: Place | NoPlace | undefined,
  outer: Place | NoPlace | undefined,
): LocatedIssue {
  const place = inner?.found ? inner : outer?.found ? outer : NO_PLACE;
  const { start, end, line, column } = place;
  return { message: issue.message, path: pointerOf(path), start, end, line, column, issue };
}

/** Returns the locations of the values at pointers; none if the bytes are no longer a JSON text. */
function locateAll(bytes: Uint8Array, pointers: string[][], isFirst: boolean): (Place | NoPlace)[] {
  const places = locateDocument(bytes, compilePointers(pointers), isFirst);
  return Array.isArray(places) && (places.length === 0 || places[0].ok) ? places as (Place | NoPlace)[] : [];
}

/** Returns the names of a path. A symbol names no member of a document, but is shown. */
function namesOf(path: SchemaIssue["path"]): string[] {
  const names: string[] = [];
  if (path === undefined) return names;
  for (let i = 0; i < path.length; i++) {
    const item = path[i];
    const key = typeof item === "object" && item !== null ? item.key : item;
    defineElement(names, i, String(key));
  }
  return names;
}

function beginningOf(names: string[], length: number): string[] {
  const beginning: string[] = [];
  for (let i = 0; i < length; i++) defineElement(beginning, i, names[i]);
  return beginning;
}

function pointerOf(names: string[]): string {
  let pointer = "";
  for (let i = 0; i < names.length; i++) pointer += `/${escapeToken(names[i])}`;
  return pointer;
}
