/**
 * Mutants of a source file: small changes, each of which should make a test fail.
 *
 * @module
 */

import { stripTypeScriptTypes } from "node:module";
import ts from "typescript";

/** Change of a source text. */
export interface Mutant {
  /** Offsets in the source of the code that is replaced. */
  start: number;
  end: number;
  replacement: string;
  /** Line, from 1. */
  line: number;
  /**
   * Name that outlives changes elsewhere in the file: the function, the line of code, what is
   * replaced by what, and a number if the same change fits several places of that line.
   */
  name: string;
  /** Index of the innermost block around the change in {@linkcode Source.blocks}; -1 if none. */
  block: number;
}

/** A source file without its types, and its mutants. */
export interface Source {
  /** JavaScript with the same offsets as the TypeScript. */
  code: string;
  /** Offsets after the opening brace of each block of a function. */
  blocks: number[];
  mutants: Mutant[];
}

const { SyntaxKind } = ts;

/** Operators that take the place of another. */
const OPERATORS: Record<string, string[]> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&": ["|"],
  "|": ["&"],
  "^": ["|"],
  "<<": [">>"],
  ">>": ["<<"],
  ">>>": ["<<"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "/=": ["*="],
  "|=": ["&="],
  "^=": ["|="],
  "<<=": [">>="],
  ">>=": ["<<="],
  "??=": ["="],
};

/** Parses a file and finds its mutants. */
export function readSource(typescript: string): Source {
  const code = stripTypeScriptTypes(typescript);
  if (code.length !== typescript.length) throw new Error("Cannot mutate: stripping types has moved the code");
  const file = ts.createSourceFile("source.js", code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const blocks: number[] = [];
  const mutants: Mutant[] = [];
  const counts = new Map<string, number>();
  const lines = code.split("\n");

  /** Returns code for a name: without marks for bundlers, which change nothing. */
  const plain = (code: string): string => code.replaceAll("/* @__PURE__ */ ", "").replaceAll(/\s+/g, " ");

  function add(node: ts.Node, replacement: string, start = node.getStart(), end = node.getEnd()): void {
    const line = file.getLineAndCharacterOfPosition(start).line;
    const original = plain(code.slice(start, end));
    const shown = original.length > 60 ? `${original.slice(0, 57)}...` : original;
    const change = `${shown} -> ${replacement || "nothing"}`.replaceAll(/\s+/g, " ");
    let name = `${functionName(node)}: ${plain(lines[line].trim())} | ${change}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count > 1) name += ` #${count}`;
    mutants.push({ start, end, replacement, line: line + 1, name, block: scope.at(-1) ?? -1 });
  }

  const scope: number[] = [];
  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const isBlock = ts.isBlock(node) && scopeOf(node);
    if (isBlock) {
      scope.push(blocks.length);
      blocks.push(node.getStart() + 1);
    }
    mutate(node, add);
    ts.forEachChild(node, visit);
    if (isBlock) scope.pop();
  }
  visit(file);
  return { code, blocks, mutants };
}

/** Returns whether a block is within a function, where it may run or not. */
function scopeOf(node: ts.Node): boolean {
  for (let parent = node.parent; parent !== undefined; parent = parent.parent) {
    if (ts.isFunctionLike(parent)) return true;
  }
  return false;
}

/** Returns the name of the function around a node. */
function functionName(node: ts.Node): string {
  for (let parent = node.parent; parent !== undefined; parent = parent.parent) {
    if (ts.isConstructorDeclaration(parent)) return "constructor";
    if (ts.isFunctionDeclaration(parent) || ts.isMethodDeclaration(parent) || ts.isGetAccessor(parent)) {
      return parent.name?.getText() ?? "";
    }
    if (ts.isFunctionExpression(parent) && parent.name !== undefined) return parent.name.text;
  }
  return "module";
}

type Add = (node: ts.Node, replacement: string, start?: number, end?: number) => void;

/** Adds the mutants of one node. */
function mutate(node: ts.Node, add: Add): void {
  if (ts.isBinaryExpression(node)) mutateBinary(node, add);
  else if (ts.isIfStatement(node)) mutateCondition(node.expression, add);
  else if (ts.isConditionalExpression(node)) mutateCondition(node.condition, add);
  else if (ts.isWhileStatement(node)) add(node.expression, "false");
  else if (ts.isForStatement(node) && node.condition) add(node.condition, "false");
  else if (ts.isNumericLiteral(node)) mutateNumber(node, add);
  else if (node.kind === SyntaxKind.TrueKeyword) add(node, "false");
  else if (node.kind === SyntaxKind.FalseKeyword) add(node, "true");
  else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) mutateString(node, add);
  else if (ts.isPrefixUnaryExpression(node)) mutatePrefix(node, add);
  else if (ts.isPostfixUnaryExpression(node)) mutateStep(node, node.operand.getEnd(), node.getEnd(), add);
  else if (isRemovable(node)) add(node, ts.isBlock(node.parent) || ts.isSourceFile(node.parent) ? "" : ";");
}

function mutateBinary(node: ts.BinaryExpression, add: Add): void {
  const { left, operatorToken, right } = node;
  const operator = operatorToken.getText();
  if (operator === "&&" || operator === "||" || operator === "??") {
    add(node, `(${left.getText()})`);
    add(node, `(${right.getText()})`);
    return;
  }
  for (const other of OPERATORS[operator] ?? []) {
    add(operatorToken, other);
  }
}

function mutateCondition(condition: ts.Expression, add: Add): void {
  add(condition, "true");
  add(condition, "false");
}

function mutateNumber(node: ts.NumericLiteral, add: Add): void {
  add(node, String(Number(node.getText().replaceAll("_", "")) + 1));
}

function mutateString(node: ts.LiteralLikeNode, add: Add): void {
  if (ts.isExpressionStatement(node.parent) || ts.isPropertyAssignment(node.parent) && node.parent.name === node) {
    return;
  }
  add(node, JSON.stringify(`?${node.text}`));
}

function mutatePrefix(node: ts.PrefixUnaryExpression, add: Add): void {
  const { operator, operand } = node;
  if (operator === SyntaxKind.PlusPlusToken || operator === SyntaxKind.MinusMinusToken) {
    mutateStep(node, node.getStart(), operand.getStart(), add);
  } else add(node, `(${operand.getText()})`);
}

/** Adds the mutant of `++` or `--`. */
function mutateStep(node: ts.Node, start: number, end: number, add: Add): void {
  add(node, node.getSourceFile().text.slice(start, end).trim() === "++" ? "--" : "++", start, end);
}

function isRemovable(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return !ts.isStringLiteral(node.expression);
  return ts.isBreakStatement(node) || ts.isContinueStatement(node) || ts.isThrowStatement(node) ||
    ts.isReturnStatement(node) && node.expression === undefined;
}
