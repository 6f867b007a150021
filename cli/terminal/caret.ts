/** Caret below the mistake in an argument. */

import type { ArgumentPosition } from "../arguments.ts";
import { cellsOf, clip, widthOf } from "./cells.ts";
import { paint } from "./paint.ts";
import { printable } from "./printable.ts";

const INDENTATION = "  ";

/** Returns the argument, clipped around the mistake, and the caret, as lines that fit `columns`. */
export function caretLines({ text, at }: ArgumentPosition, columns: number): string[] {
  // The caret may be after the last character.
  const room = columns - INDENTATION.length - 1;
  const after = cellsOf(text.slice(at));
  const leftColumns = Math.max(room >> 1, room - widthOf(after));
  const left = clip(cellsOf(text.slice(0, at)).reverse(), leftColumns, false).reverse();
  const shown = [...left, ...clip(after, room - widthOf(left), false)].map((cell) => cell.text).join("");
  return [
    `${INDENTATION}${printable(shown)}`.trimEnd(),
    `${INDENTATION}${" ".repeat(widthOf(left))}${paint("bad", "^")}`,
  ];
}
