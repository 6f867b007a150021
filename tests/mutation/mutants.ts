/**
 * Mutants of a source file: small changes, each of which should make a test fail.
 *
 * @module
 */

import ts from "typescript";

/** Change of a source text. */
export interface Mutant {
  /** Offsets in the source of the code that is replaced. */
  start: number;
  end: number;
  replacement: string;
  /** Line, from 1. */
  line: number;
}

const { SyntaxKind } = ts;

/** Operators, and those that take their place. */
const OPERATORS = new Map(
  [
    ...[
      "< <= >=",
      "<= < >",
      "> >= <=",
      ">= > <",
      "=== !==",
      "!== ===",
      "+ -",
      "- +",
      "* /",
      "/ *",
      "% *",
      "& |",
      "| &",
    ],
    ...["^ |", "<< >>", ">> <<", ">>> <<", "+= -=", "-= +=", "*= /=", "/= *=", "|= &=", "^= |=", "<<= >>=", ">>= <<="],
    ...["??= ="],
  ].map((row) => row.split(" ")).map(([operator, ...others]) => [operator, others]),
);

/** Finds the mutants of a source file, in its order. */
export function mutantsOf(source: string): Mutant[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.ESNext, true);
  const mutants: Mutant[] = [];

  function add(node: ts.Node, replacement: string, start = node.getStart(), end = node.getEnd()): void {
    mutants.push({ start, end, replacement, line: file.getLineAndCharacterOfPosition(start).line + 1 });
  }

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    mutate(node, add);
    ts.forEachChild(node, visit);
  }
  visit(file);
  return mutants;
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
  for (const other of OPERATORS.get(operator) ?? []) {
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
