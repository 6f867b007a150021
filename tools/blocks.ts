/**
 * Code blocks as modules: those of README.md and docs/, which import the package by its npm name, and
 * those of doc comments, which import it by its JSR name.
 */

import { PACKAGE } from "./build/manifest.ts";

const root = new URL("../", import.meta.url);

/** Members of the project's configuration that are used here. */
interface Config {
  name: string;
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

/** Returns the TypeScript blocks in the doc comments of a module, but for those that cannot run. */
export function docBlocksOf(module: string): Block[] {
  const text = Deno.readTextFileSync(new URL(module, root));
  return Array.from(text.matchAll(/^ *\* ```ts\n([^]*?)^ *\* ```$/gm), ({ index, 1: lines }) => {
    const code = lines.replaceAll(/^ *\* ?/gm, "");
    return { page: module, line: text.slice(0, index).split("\n").length, code };
  });
}

/** Writes blocks, those of the pages for users if absent, to files of a folder. Returns the paths. */
export function writeBlocks(folder: string, blocks = userPages().flatMap((page) => blocksOf(page, "ts"))): string[] {
  return blocks.map(({ page, line, code }) => {
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
  const { name, exports, scopes }: Config = JSON.parse(Deno.readTextFileSync(new URL("deno.json", root)));
  const { imports } = JSON.parse(Deno.readTextFileSync(new URL("imports.npm.json", root)));
  const entries = Object.entries(exports).flatMap(([entry, module]) =>
    [PACKAGE, name].map((specifier) => [entry.replace(".", specifier), new URL(module, root).href])
  );
  return { imports: { ...imports, ...scopes["./tests/"], ...Object.fromEntries(entries) } };
}
