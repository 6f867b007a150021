/** Code blocks of README.md and docs/ as modules, which import the package by its npm name. */

import { PACKAGE } from "./build/manifest.ts";

const root = new URL("../", import.meta.url);

/** Members of the project's configuration that are used here. */
interface Config {
  exports: Record<string, string>;
  scopes: Record<string, Record<string, string>>;
}

export interface Block {
  page: string;
  /** Line of the page that opens the block. */
  line: number;
  code: string;
}

/** Returns the pages for users: README.md and those in docs/. */
export function userPages(): string[] {
  const files = [...Deno.readDirSync(new URL("docs/", root))].filter(({ name }) => name.endsWith(".md"));
  return ["README.md", ...files.map(({ name }) => `docs/${name}`).sort()];
}

export function blocksOf(page: string, language: string): Block[] {
  const text = Deno.readTextFileSync(new URL(page, root));
  return Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm")), ({ index, 1: code }) => {
    return { page, line: text.slice(0, index).split("\n").length, code };
  });
}

/** Writes each TypeScript block of the pages for users to a file of a folder. Returns the paths. */
export function writeBlocks(folder: string): string[] {
  return userPages().flatMap((page) => blocksOf(page, "ts")).map(({ page, line, code }) => {
    const path = `${folder}/${page.replaceAll("/", "+")}.${line}.mts`;
    // Deno finds the types of an npm package by itself only if the package contains them.
    Deno.writeTextFileSync(
      path,
      code.replace(/^import \w+,? .*from "(express|koa)";$/gm, '// @ts-types="@types/$1"\n$&'),
    );
    return path;
  });
}

/** Returns the import map of the tests, but with the sources in place of the package. */
export function importMap(): { imports: Record<string, string> } {
  const { exports, scopes }: Config = JSON.parse(Deno.readTextFileSync(new URL("deno.json", root)));
  const entries = Object.entries(exports).map(([entry, module]) => [
    entry.replace(".", PACKAGE),
    new URL(module, root).href,
  ]);
  return { imports: { ...scopes["./tests/"], ...Object.fromEntries(entries) } };
}
