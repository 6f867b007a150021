/**
 * Modules of the project as one script, which a program evaluates as often as it likes: the loader
 * of a runtime evaluates a module once, and calls built-in functions itself.
 *
 * @module
 */

import { stripTypeScriptTypes } from "node:module";
import ts from "typescript";
import { projectRoot } from "./environment.ts";

/** Module without types, as the body of a function that returns its exports. */
interface Body {
  code: string;
  /** Addresses of the modules that it imports. */
  imports: string[];
}

/**
 * Returns a script whose value is a function. Each call of the function evaluates the modules anew,
 * and returns the exports of those named, by path. It calls no built-in function itself.
 *
 * Precondition: the modules import each other without a cycle, and export no variable that changes.
 */
export function bundle(paths: string[]): string {
  const names = new Map<string, string>();
  let script = "";
  const add = (url: string): string => {
    const name = names.get(url);
    if (name !== undefined) return name;
    const { code, imports } = bodyOf(url);
    for (const imported of imports) add(imported);
    const added = `$${names.size}`;
    const bound = code.replaceAll(/\$require\("([^"]+)"\)/g, (_, imported) => add(imported));
    script += `const ${added} = (() => {${bound}})();\n`;
    names.set(url, added);
    return added;
  };
  const entries = paths.map((path) => `${JSON.stringify(path)}: ${add(new URL(path, projectRoot).href)}`);
  return `(function load() {\n"use strict";\n${script}return {${entries}};\n})`;
}

function bodyOf(url: string): Body {
  const source = stripTypeScriptTypes(Deno.readTextFileSync(new URL(url)));
  const file = ts.createSourceFile(url, source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const imports: string[] = [];
  const exported: string[] = [];
  let code = "";
  let end = 0;
  const replace = (node: ts.Node, replacement: string): void => {
    code += source.slice(end, node.getStart()) + replacement;
    end = node.getEnd();
  };
  const required = (specifier: ts.Expression): string => {
    const imported = new URL((specifier as ts.StringLiteral).text, url).href;
    imports.push(imported);
    return `$require("${imported}")`;
  };
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      replace(statement, `${binding(statement)}${required(statement.moduleSpecifier)};`);
    } else if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier ? `${required(statement.moduleSpecifier)}.` : "";
      replace(statement, "");
      for (const { name, propertyName } of (statement.exportClause as ts.NamedExports | undefined)?.elements ?? []) {
        exported.push(`${name.text}: ${from}${(propertyName ?? name).text}`);
      }
    } else if (ts.canHaveModifiers(statement)) {
      const keyword = ts.getModifiers(statement)?.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (keyword === undefined) continue;
      replace(keyword, "");
      if (ts.isVariableStatement(statement)) {
        for (const { name } of statement.declarationList.declarations) exported.push(name.getText());
      } else {
        exported.push((statement as ts.FunctionDeclaration | ts.ClassDeclaration).name!.text);
      }
    }
  }
  return { code: `${code}${source.slice(end)}\nreturn {${exported}};`, imports };
}

/** Returns the beginning of a declaration that binds what an import binds. */
function binding({ importClause }: ts.ImportDeclaration): string {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined) return "";
  if (ts.isNamespaceImport(bindings)) return `const ${bindings.name.text} = `;
  const names = bindings.elements.map(({ name, propertyName }) => `${propertyName?.text ?? name.text}: ${name.text}`);
  return `const {${names}} = `;
}
