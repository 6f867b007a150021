/** npm project of a user, with the published package and those that examples import. */

import { blocksOf, userPages } from "../../tools/blocks.ts";
import { PACKAGE } from "../../tools/build/manifest.ts";
import { projectRoot, run, runDeno } from "./environment.ts";

/** Milliseconds after which installing counts as failed. */
const INSTALL_TIMEOUT = 120_000;

const dist = new URL("dist/", projectRoot);
const examples = new URL("examples/", projectRoot);

/** Lists the packages that code blocks of pages and examples import, with their versions. */
function packages(): Record<string, string> {
  const { scopes } = JSON.parse(Deno.readTextFileSync(new URL("imports.npm.json", projectRoot)));
  const files = [...Deno.readDirSync(examples)].map(({ name }) => Deno.readTextFileSync(new URL(name, examples)));
  const sources = [...files, ...userPages().flatMap((page) => blocksOf(page, "ts")).map(({ code }) => code)];
  const names = new Set(
    sources.flatMap((source) => Array.from(source.matchAll(/ from "([^"]+)"/g), ([, name]) => name)),
  );
  const imported = Object.entries<string>(scopes["./tests/"]).filter(([name]) => names.has(name));
  return Object.fromEntries(imported.map(([, specifier]) => /^npm:(.[^@]+)@([^/]+)/.exec(specifier)!.slice(1)));
}

/** Brings the package in `dist/package` up to date. Resolves with its path. */
export async function builtPackage(): Promise<string> {
  Deno.mkdirSync(dist, { recursive: true });
  using lock = Deno.openSync(new URL("project.lock", dist), { create: true, write: true });
  lock.lockSync(true); // another file of tests may need it
  const build = ["run", "--quiet", "--import-map=imports.npm.json", "--allow-all", "tools/build.ts", "--if-changed"];
  const { success, output } = await runDeno(build);
  if (!success) throw new Error(output);
  return `${dist.pathname}package`;
}

/**
 * Makes the project in `dist/project`, unless it is there already. Resolves with a new folder in
 * it, which is removed at the end of the scope, or with `undefined`, after printing the reason.
 */
export async function npmProject(): Promise<Disposable & { path: string } | undefined> {
  await builtPackage();
  using lock = Deno.openSync(new URL("project.lock", dist), { write: true });
  lock.lockSync(true);
  const folder = `${dist.pathname}project`;
  const dependencies = { [PACKAGE]: "file:../package", ...packages() };
  const manifest = JSON.stringify({ private: true, dependencies }, null, 2);
  const stamp = `${folder}/package.json`;
  const isMade = await Deno.readTextFile(stamp).then((text) => text === manifest, () => false);
  if (!isMade) {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    Deno.mkdirSync(folder);
    Deno.writeTextFileSync(stamp, manifest);
    const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--prefix", folder];
    const { success, output } = await run("npm", install, {}, INSTALL_TIMEOUT).catch((error) => {
      return { success: false, output: `${error}` };
    });
    if (!success) {
      Deno.removeSync(stamp);
      console.log(`skipped: npm cannot install the package: ${output.trim().split("\n")[0]}`);
      return undefined;
    }
  }
  const path = await Deno.makeTempDir({ dir: folder });
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

/** Makes a folder of {@linkcode npmProject} with copies of the examples. */
export async function exampleProject(): ReturnType<typeof npmProject> {
  const project = await npmProject();
  if (project === undefined) return undefined;
  for (const { name } of Deno.readDirSync(examples)) {
    Deno.copyFileSync(new URL(name, examples), `${project.path}/${name}`);
  }
  return project;
}
