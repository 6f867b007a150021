/**
 * Runs the command line in a clone: from the sources, except that `bench` uses the build, which is
 * what users install.
 */

let program = "../cli/bin.ts";
if (Deno.args[0] === "bench") {
  const { updateBuild } = await import("./programs.ts");
  if (!await updateBuild()) Deno.exit(2);
  program = "../dist/package/cli/bin.js";
}
await import(new URL(program, import.meta.url).href);
