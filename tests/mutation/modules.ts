/**
 * Modules of the project, evaluated anew for each mutant. The engine's own module loader would keep
 * every copy for ever, and loads slowly.
 *
 * @module
 */

import { stripTypeScriptTypes } from "node:module";
import ts from "typescript";
import { projectRoot } from "../support/environment.ts";

const { readTextFileSync } = Deno; // a test may load a module in a runtime without `Deno`

/** Message of the error of a test that starts a process: it would load files without edits. */
export const STARTS_PROCESS = "This test starts a process";

type Exports = Record<string, unknown>;

/** Evaluates a module; a promise if it has `await` at its top level. */
type Evaluate = (exports: Exports, require: (specifier: string) => unknown, hits: Uint8Array) => unknown;

/** Replacement of a part of a text. */
export interface Edit {
  start: number;
  end: number;
  replacement: string;
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: Edit[]): string {
  let result = "";
  let end = 0;
  // An insertion comes before a replacement that starts at the same place.
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(end, edit.start) + edit.replacement;
    end = edit.end;
  }
  return result + text.slice(end);
}

/** A module without types, and what makes it the body of a function. */
interface Compiled {
  code: string;
  edits: Edit[];
  /** Statements that define the exports, by getters, before anything else runs. */
  prologue: string;
}

function compileModule(code: string, url: string): Compiled {
  const file = ts.createSourceFile(url, code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const edits: Edit[] = [];
  let exported = "";
  const replace = (node: ts.Node, replacement: string): void => {
    edits.push({ start: node.getStart(), end: node.getEnd(), replacement });
  };
  const exportName = (name: string, local = name): void => {
    exported += `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => ${local} });`;
  };
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) replace(statement, requireCall(statement));
    else if (ts.isExportDeclaration(statement)) {
      const names = statement.exportClause as ts.NamedExports | undefined;
      const from = statement.moduleSpecifier ? `require(${statement.moduleSpecifier.getText()}).` : "";
      replace(statement, "");
      for (const { name, propertyName } of names?.elements ?? []) {
        exportName(name.text, `${from}${(propertyName ?? name).text}`);
      }
    } else if (ts.canHaveModifiers(statement)) {
      const keyword = ts.getModifiers(statement)?.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (keyword === undefined) continue;
      replace(keyword, "");
      if (ts.isVariableStatement(statement)) {
        for (const { name } of statement.declarationList.declarations) exportName(name.getText());
      } else exportName((statement as ts.FunctionDeclaration | ts.ClassDeclaration).name!.text);
    }
  }
  for (const { index } of code.matchAll(/\bimport\.meta\.url\b/g)) {
    edits.push({ start: index, end: index + "import.meta.url".length, replacement: JSON.stringify(url) });
  }
  for (const { index } of code.matchAll(/\bimport\.meta\.resolve\b/g)) {
    edits.push({ start: index, end: index + "import.meta.resolve".length, replacement: "require.resolve" });
  }
  return { code, edits, prologue: `"use strict";${exported}` };
}

function requireCall({ importClause, moduleSpecifier }: ts.ImportDeclaration): string {
  const call = `require(${moduleSpecifier.getText()})`;
  if (importClause === undefined) return `${call};`;
  const { name, namedBindings } = importClause;
  let code = name ? `const ${name.text} = ${call}.default;` : "";
  if (namedBindings === undefined) return code;
  if (ts.isNamespaceImport(namedBindings)) return `${code}const ${namedBindings.name.text} = ${call};`;
  const names = namedBindings.elements.map(({ name, propertyName }) =>
    propertyName ? `${propertyName.text}: ${name.text}` : name.text
  );
  code += names.length > 0 ? `const {${names.join()}} = ${call};` : `${call};`;
  return code;
}

const compiled = new Map<string, Compiled>();

function compile(path: string): Compiled {
  let result = compiled.get(path);
  if (result === undefined) {
    const url = new URL(path, projectRoot);
    const code = stripTypeScriptTypes(readTextFileSync(url));
    compiled.set(path, result = compileModule(code, url.href));
  }
  return result;
}

const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

/** Functions of modules without edits, by path. */
const functions = new Map<string, Evaluate>();

function evaluateFunction(path: string, extra: Edit[]): Evaluate {
  let evaluate = extra.length === 0 ? functions.get(path) : undefined;
  if (evaluate === undefined) {
    const { code, edits, prologue } = compile(path);
    const make = path.endsWith("_test.ts") ? AsyncFunction : Function;
    const body = prologue + applyEdits(code, [...edits, ...extra]);
    evaluate = new make("exports", "require", "$hits", body) as unknown as Evaluate;
    if (extra.length === 0) functions.set(path, evaluate);
  }
  return evaluate;
}

/** Modules that depend on each other, evaluated when first required. */
export class Modules {
  readonly #loaded = new Map<string, Exports>();
  readonly #edits: ReadonlyMap<string, Edit[]>;
  readonly #outside: ReadonlyMap<string, unknown>;
  readonly #hits: Uint8Array;

  /**
   * Makes an empty set of modules.
   *
   * @param outside Modules by specifier or path that are not evaluated, or replaced.
   * @param edits Edits of files by path: a mutant, or marks of blocks.
   * @param hits Table that marks of blocks write to.
   */
  constructor(
    outside: ReadonlyMap<string, unknown>,
    edits: ReadonlyMap<string, Edit[]>,
    hits: Uint8Array = new Uint8Array(0),
  ) {
    this.#outside = outside;
    this.#edits = edits;
    this.#hits = hits;
  }

  /** Returns the exports of a file of the project. */
  load(path: string): Exports {
    const outside = this.#outside.get(path);
    if (outside !== undefined) return outside as Exports;
    let exports = this.#loaded.get(path);
    if (exports === undefined) {
      this.#loaded.set(path, exports = {});
      void this.#evaluate(path, exports);
    }
    return exports;
  }

  /** Evaluates a file anew. The modules that it imports are those of this set. */
  async loadFresh(path: string): Promise<Exports> {
    const exports: Exports = {};
    await this.#evaluate(path, exports);
    return exports;
  }

  #evaluate(path: string, exports: Exports): unknown {
    const evaluate = evaluateFunction(path, this.#edits.get(path) ?? []);
    const require = (specifier: string): unknown => {
      if (this.#outside.has(specifier)) return this.#outside.get(specifier);
      if (!specifier.startsWith(".")) throw new Error(`Cannot load ${specifier} in a mutation test`);
      return this.load(new URL(specifier, new URL(path, projectRoot)).href.slice(projectRoot.href.length));
    };
    return evaluate(exports, require, this.#hits);
  }
}
