/**
 * Comments of a program with its output: those after its calls of `console.log`, at the end of the
 * call or on the next lines. A text is written as printed, any other value as an expression such as
 * `{ id: 7 }`.
 */

import { inspect, isDeepStrictEqual } from "node:util";

/** Returns the lines of comments after calls of `console.log`. */
export function commentsOf(code: string): string[] {
  const comments: string[] = [];
  let state: "before" | "within" | "behind" = "before";
  for (const line of code.split("\n")) {
    const [, whole] = /^\s*\/\/ ?(.*)$/.exec(line) ?? [];
    if (whole !== undefined) {
      if (state === "behind") comments.push(whole);
      continue;
    }
    // Brackets may close a loop that prints.
    if (state === "behind" && !/^\s*[)}]/.test(line)) state = "before";
    if (line.includes("console.log(")) state = "within";
    const [end, comment] = /;(?: \/\/ (.*))?$/.exec(line) ?? [];
    if (state !== "within" || end === undefined) continue;
    state = "behind";
    if (comment !== undefined) comments.push(comment);
  }
  return comments;
}

/** Takes the lines of an expression: those up to the bracket that closes the first one. */
function takeExpression(lines: string[]): string {
  let text = "";
  let depth = 0;
  do {
    const line = lines.shift() ?? "";
    const brackets = line.replaceAll(/"(?:[^"\\]|\\.)*"/g, "");
    depth += brackets.replaceAll(/[^{[(]/g, "").length - brackets.replaceAll(/[^}\])]/g, "").length;
    text += `${line}\n`;
  } while (depth > 0 && lines.length > 0);
  return text.trim();
}

/** Compares printed values with comments. Returns the first difference, if there is one. */
export function differenceOf(printed: readonly unknown[][], comments: readonly string[]): string | undefined {
  const lines = [...comments];
  for (const values of printed) {
    const [value] = values;
    const isText = typeof value === "string" || values.length !== 1;
    const text = isText ? values.join(" ") : inspect(value, { depth: 9 });
    if (lines.length === 0) return `prints ${text}, and no comment says so`;
    const comment = isText ? lines.splice(0, text.split("\n").length).join("\n") : takeExpression(lines);
    let isEqual = isText && comment === text;
    try {
      isEqual ||= !isText && isDeepStrictEqual(new Function(`return (${comment})`)(), value);
    } catch {
      // the comment is not an expression
    }
    if (!isEqual) return `prints ${text}, the comment says ${comment}`;
  }
  return lines.length > 0 ? `does not print ${lines.join("\n")}` : undefined;
}
